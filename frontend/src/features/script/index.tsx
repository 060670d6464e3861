import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDraft, useDrafts } from "@/api/drafts";
import { href, navigate, useRoute } from "@/app/router";
import { useProfiles } from "@/api/profiles";
import type { Draft } from "@/api/types";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { openNew } from "./DraftsMenu";
import { emptyScript, readScript } from "./model";
import { Page } from "./Page";
import { unsaved } from "./useScriptDraft";

/** The draft that the address names, else the last script, else none: then the page is empty. */
function useOpened() {
  const { rest, query } = useRoute();
  const list = useDrafts();
  const scripts = list.items.filter((draft) => draft.content.kind === "script");
  const isNew = rest[0] === undefined && query.has("new");
  const id = rest[0] ?? (isNew ? undefined : scripts[0]?.id);
  const one = useDraft(id); // not the row of the list: what was saved last is known here first
  return { scripts, draft: one.data, waits: (list.isLoading && !isNew) || one.isLoading, error: list.error ?? one.error, retry: () => { void list.refetch(); void one.refetch(); } };
}

/** Script: a text in several voices, one turn after the other. */
export default function Script() {
  const { t } = useTranslation("script");
  const { rest, query } = useRoute();
  const opened = useOpened();
  const voices = useProfiles({});
    // What was first shown at this address stays: the page saves into it and must not start anew when its own draft comes back.
  const address = rest[0] ?? query.get("new") ?? "";
  const [shown, setShown] = useState<{ key: string; ids: readonly string[]; draft: Draft | undefined } | null>(null);
  const problem = opened.error ?? voices.error;
  if (problem && !shown) {
    const remedy = problem.code === "draft_not_found" ? <Button size="small" onClick={openNew}>{t("newScript")}</Button> : <Button size="small" onClick={() => { opened.retry(); void voices.refetch(); }}>{t("common:retry")}</Button>;
    return <div className="p-6"><ErrorBox error={problem} action={remedy} /></div>;
  }
  const settled = shown && (address === "" || shown.key === address || shown.ids.includes(address));
  if (!settled) {
    if (opened.waits || voices.isLoading) return <div className="p-8" aria-busy><Skeleton className="mx-auto h-6 max-w-2xl" /></div>;
    setShown({ key: address, ids: opened.draft ? [opened.draft.id] : [], draft: opened.draft });
    return null;
  }
  const content = shown.draft ? (unsaved.get(shown.draft.id) ?? readScript(shown.draft.content)) : emptyScript([t("firstSpeaker"), t("secondSpeaker")], voices.items[0]?.id ?? "");
  if (!content) return <EmptyState title={t("unreadable")} action={<Button onClick={() => navigate(href("studio"))}>{t("openStudio")}</Button>}>{t("unreadableHint")}</EmptyState>;
  return <Page key={shown.key} draft={shown.draft} first={content} drafts={opened.scripts} voices={voices.items} onSaved={(id) => setShown({ ...shown, ids: [...shown.ids, id] })} />;
}
