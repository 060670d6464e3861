import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeDraft, isGone, lastDraftOf, readDraft, storeDraft, useDeleteDraft, type DraftRow } from "@/api/drafts";
import { href, navigate } from "@/lib/router";
import type { Draft } from "@/api/types";
import { useUndo } from "@/ui";
import { emptyContent, isScript, readContent, type Content } from "./content";
import type { Keeper } from "./draftStore";

/** The name stands beside the content of the draft, which says whether a person gave it. */
async function renameStored(client: QueryClient, { id }: DraftRow, name: string): Promise<void> {
  const draft = await readDraft(id);
  const content = isScript(draft) ? { ...draft.content, title: name } : { ...readContent(draft.content), named: true };
  storeDraft(client, await changeDraft({ id, name, content, since: draft.updated_at }));
}

/** Drafts that are being deleted. */
function useHidden() {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  return {
    hidden,
    hide: (ids: readonly string[]) => setHidden((all) => [...new Set([...all, ...ids])]),
    show: (id: string) => setHidden((all) => all.filter((other) => other !== id)),
  };
}

/** New, open, rename, delete with a way back. */
export function useDraftActions(keeper: Keeper, failed: (error: unknown) => void) {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const undo = useUndo();
  const removal = useDeleteDraft();
  const { hidden, hide, show } = useHidden();

  /** A new draft keeps the voice and the other choices of the one before. */
  const newContent = (part: Partial<Content> = {}): Content => ({ ...keeper.state.get().content, ...emptyOf(part) });

  function open({ id }: Pick<DraftRow, "id">): void {
    if (id === keeper.state.get().id) return;
    readDraft(id).then((draft) => {
      storeDraft(client, draft);
      if (isScript(draft)) navigate(href("script", [id]));
      else keeper.open(draft);
    }, failed);
  }

  function remove(draft: DraftRow): void {
    const { id, savedAt, content, saving } = keeper.state.get();
    const wasOpen = id === draft.id;
    const deleted: Draft = {
      ...draft,
      updated_at: savedAt ?? draft.updated_at,
      content: { ...content, text: wasOpen ? keeper.text() : "" },
    };
    hide([draft.id]);
    if (wasOpen) {
      keeper.drop();
      const before = keeper.state.get().opened;
      keeper.open(null, newContent());
      lastDraftOf("text", { without: [...hidden, draft.id] }).then(
        (next) => {
          if (next && keeper.state.get().opened === before + 1 && keeper.state.get().saving === "clean")
            keeper.open(next);
        },
        () => undefined,
      );
    }
    undo({
      text: t("drafts.deleted", { name: draft.name }),
      undo: () => {
        show(draft.id);
        if (wasOpen) keeper.open(deleted);
        if (wasOpen && saving !== "clean") keeper.typed();
      },
      commit: () => discard([draft.id]),
    });
  }

  /** Deletes them now; what could not be deleted stands in the list again, and why is said. */
  function discard(ids: readonly string[]): void {
    hide(ids);
    for (const id of ids)
      void removal
        .mutateAsync(id)
        .catch((error: unknown) => {
          if (!isGone(error)) failed(error);
        })
        .finally(() => show(id));
  }

  return {
    keeper,
    hidden,
    open,
    remove,
    discard,
    newContent,
    create: (part?: Partial<Content>, name?: string) => {
      keeper.open(null, newContent(part));
      if (name) keeper.rename(name);
      else if (part?.text) keeper.typed();
    },
    rename: (draft: DraftRow, name: string) => {
      if (draft.id === keeper.state.get().id) keeper.rename(name);
      else renameStored(client, draft, name).catch(failed);
    },
  };
}

const emptyOf = (part: Partial<Content>): Partial<Content> => ({
  text: emptyContent.text,
  named: false,
  generation_id: null,
  ...part,
});

export type DraftActions = ReturnType<typeof useDraftActions>;
