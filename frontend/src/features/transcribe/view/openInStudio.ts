import { api, dataOf } from "@/api/client";
import type { Transcript } from "@/api/types";
import { draftHref } from "@/lib/draftLink";
import { navigate } from "@/lib/router";

/** Opens the text of a transcript in the Studio, as a new draft. */
export async function openInStudio({ title, text }: Pick<Transcript, "title" | "text">): Promise<void> {
  const draft = await dataOf(api.POST("/drafts", { body: { name: title, content: { text, named: title !== "" } } }));
  navigate(draftHref(draft.id));
}
