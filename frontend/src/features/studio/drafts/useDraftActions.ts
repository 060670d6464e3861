import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { isMissing, lastDraftOf, readDraft, storeDraft, useDeleteDraft, type DraftRow } from "@/api/drafts";
import { href, navigate } from "@/lib/router";
import type { Draft } from "@/api/types";
import { renameStored, useHiddenDrafts } from "@/features/drafts/stored";
import { useUndo } from "@/ui";
import { openAsText } from "./fromScript";
import { isScript, newText, serializeText, type NewText, type TextDocument } from "./textDocument";
import type { TextStore } from "./textStore";

/** The actions new, open, rename, and delete with undo. */
export function useDraftActions(draftStore: TextStore, failed: (error: unknown) => void) {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const undo = useUndo();
  const removal = useDeleteDraft();
  const { hidden, hide, show } = useHiddenDrafts();

  const newDocument = (part?: NewText): TextDocument => newText(draftStore.state.get().document, part);

  function open({ id }: Pick<DraftRow, "id">, { asText = false } = {}): void {
    if (id === draftStore.state.get().id) return;
    readDraft(id).then((draft) => {
      storeDraft(client, draft);
      if (!isScript(draft)) draftStore.open(draft);
      else if (asText) openAsText(draftStore, draft);
      else navigate(href("script", [id]));
    }, failed);
  }

  function remove(draft: DraftRow): void {
    const { id, savedAt, saving } = draftStore.state.get();
    const wasOpen = id === draft.id;
    const deleted: Draft = {
      ...draft,
      updated_at: savedAt ?? draft.updated_at,
      content: serializeText(draftStore.newest()),
    };
    hide([draft.id]);
    if (wasOpen) {
      draftStore.drop();
      const before = draftStore.state.get().opened;
      draftStore.open(null, newDocument());
      lastDraftOf("text", { without: [...hidden, draft.id] }).then(
        (next) => {
          if (next && draftStore.state.get().opened === before + 1 && draftStore.state.get().saving === "clean")
            draftStore.open(next);
        },
        () => undefined,
      );
    }
    undo({
      text: t("common:drafts.deleted", { name: draft.name }),
      undo: () => {
        show(draft.id);
        if (wasOpen) draftStore.open(deleted);
        if (wasOpen && saving !== "clean") draftStore.markChanged();
      },
      commit: () => discard([draft.id]),
    });
  }

  /** Deletes drafts now. One that could not be deleted is listed again, with an error. */
  function discard(ids: readonly string[]): void {
    hide(ids);
    for (const id of ids)
      void removal
        .mutateAsync(id)
        .catch((error: unknown) => {
          if (!isMissing(error)) failed(error);
        })
        .finally(() => show(id));
  }

  return {
    draftStore,
    hidden,
    open,
    remove,
    discard,
    newDocument,
    create: (part?: NewText, name?: string) => {
      draftStore.open(null, newDocument(part));
      if (name) draftStore.rename(name);
      else if (part?.text) draftStore.markChanged();
    },
    rename: (draft: DraftRow, name: string) => {
      if (draft.id === draftStore.state.get().id) draftStore.rename(name);
      else renameStored(client, draft, name).catch(failed);
    },
  };
}

export type DraftActions = ReturnType<typeof useDraftActions>;
