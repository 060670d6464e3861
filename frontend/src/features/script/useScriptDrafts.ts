import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { kindOf, useDeleteDraft, type DraftRow } from "@/api/drafts";
import { toApiError, type ApiError } from "@/api/errors";
import type { DraftsMenuActions } from "@/features/drafts/DraftsMenu";
import { renameStored, useHiddenDrafts } from "@/features/drafts/stored";
import { runCommand } from "@/lib/commands";
import { draftHref } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { useUndo } from "@/ui";
import type { ScriptStore } from "./scriptStore";

/** Opens an empty script; the number in its address makes each of them a separate page. */
export const openNew = (): void => navigate(href("script", [], { new: Date.now().toString(36) }));

const open = (draft: DraftRow): void =>
  navigate(kindOf(draft) === "script" ? href("script", [draft.id]) : draftHref(draft.id));

/** What Script does with drafts. */
export function useScriptDrafts(store: ScriptStore): DraftsMenuActions & { error: ApiError | null } {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = useUndo();
  const removal = useDeleteDraft();
  const { hidden, hide, show } = useHiddenDrafts();
  const [error, setError] = useState<ApiError | null>(null);
  const failed = (cause: unknown) => setError(toApiError(cause));

  function discard(draft: DraftRow, wasOpen: boolean): void {
    hide([draft.id]);
    undo({
      text: t("drafts.deleted", { name: draft.name }),
      undo: () => {
        show(draft.id);
        if (wasOpen) open(draft);
      },
      commit: () => removal.mutate(draft.id, { onError: failed, onSettled: () => show(draft.id) }),
    });
  }
  return {
    hidden,
    error,
    open,
    create: openNew,
    openFile: () => runCommand("open-file"),
    rename: (draft, name) => {
      setError(null);
      if (draft.id === store.state.get().id) store.change((script) => ({ ...script, title: name }));
      else renameStored(client, draft, name).catch(failed);
    },
    /** The open one is saved first, so that undo returns all of it. */
    remove: (draft) => {
      if (draft.id !== store.state.get().id) return discard(draft, false);
      void store.release(() => {
        discard(draft, true);
        openNew();
      });
    },
  };
}
