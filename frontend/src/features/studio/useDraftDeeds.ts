import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "@/api/client";
import { useDeleteDraft, useUpdateDraft } from "@/api/drafts";
import { keys } from "@/api/keys";
import { href, navigate } from "@/app/router";
import type { Draft } from "@/api/types";
import { useUndo } from "@/ui";
import { emptyContent, isScript, readContent, type Content } from "./content";
import type { Keeper } from "./keeper";

/** The next draft to show when the open one is deleted. */
async function nextDraft(without: readonly string[]): Promise<Draft | null> {
  const { items } = await api.get("/drafts", { query: { limit: 10 } });
  return items.find((draft) => !without.includes(draft.id) && !isScript(draft)) ?? null;
}

/** New, open, rename, delete with a way back. */
export function useDraftDeeds(keeper: Keeper) {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const undo = useUndo();
  const removal = useDeleteDraft();
  const update = useUpdateDraft();
  const [hidden, setHidden] = useState<string[]>([]);

  /** A new draft keeps the voice and the other choices of the one before. */
  const fresh = (part: Partial<Content> = {}): Content => ({ ...keeper.state.get().content, ...emptyOf(part) });
  const show = (id: string) => setHidden((ids) => ids.filter((other) => other !== id));

  function open(draft: Draft): void {
    if (isScript(draft)) return navigate(href("script", [draft.id]));
    if (draft.id === keeper.state.get().id) return;
    const known = client.getQueryData<Draft>(keys.draft(draft.id));
    keeper.open(known && known.updated_at > draft.updated_at ? known : draft);
  }

  function remove(draft: Draft): void {
    const wasOpen = keeper.state.get().id === draft.id;
    const gone = wasOpen ? { ...draft, content: { ...keeper.state.get().content, text: keeper.text() } } : draft;
    const without = [...hidden, draft.id];
    setHidden(without);
    if (wasOpen) {
      keeper.drop();
      const before = keeper.state.get().opened;
      keeper.open(null, fresh());
      nextDraft(without).then((next) => { if (next && keeper.state.get().opened === before + 1 && keeper.state.get().saving === "clean") keeper.open(next); }, () => undefined);
    }
    undo({
      text: t("drafts.deleted", { name: draft.name }),
      undo: () => { show(draft.id); if (wasOpen) keeper.open(gone); },
      commit: () => removal.mutate(draft.id, { onSettled: () => show(draft.id) }),
    });
  }

  return {
    keeper, hidden, open, remove,
    create: (part?: Partial<Content>, name?: string) => {
      keeper.open(null, fresh(part));
      if (name) keeper.rename(name);
      else if (part?.text) keeper.typed();
    },
    rename: (draft: Draft, name: string) => {
      if (draft.id === keeper.state.get().id) keeper.rename(name);
      else if (isScript(draft)) update.mutate({ id: draft.id, name });
      else update.mutate({ id: draft.id, name, content: { ...readContent(draft.content), named: true } });
    },
  };
}

const emptyOf = (part: Partial<Content>): Partial<Content> => ({ text: emptyContent.text, named: false, generation_id: null, ...part });

export type DraftDeeds = ReturnType<typeof useDraftDeeds>;
