import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useDeleteGenerations } from "@/api/history";
import { useDeleteScript } from "@/api/scripts";
import { player } from "@/player";
import { useUndo } from "@/ui";
import { editRows } from "./useRows";
import { hide, setProblem, unhide } from "./state";

const batchSize = 500; // ids per request: a request sent while the window closes is limited to 64 kB

function silence(ids: readonly string[]): void {
  const id = player.get().generation?.id;
  if (id !== undefined && ids.includes(id)) player.close();
}

/** Hides rows at once and deletes them when the undo bar ends. */
export function useDeletion() {
  const { t } = useTranslation("history");
  const client = useQueryClient();
  const undo = useUndo();
  const { mutateAsync: deleteGenerations } = useDeleteGenerations();
  const { mutateAsync: deleteScript } = useDeleteScript();

  async function commit(ids: readonly string[], send: () => Promise<void>) {
    try {
      await send();
      editRows(client, ids, () => null);
    } catch (error) {
      setProblem(error);
    }
    unhide(ids);
  }

  function begin(ids: readonly string[], text: string, send: () => Promise<void>) {
    hide(ids);
    silence(ids);
    undo({ text, undo: () => unhide(ids), commit: () => void commit(ids, send) });
  }

  return {
    generations: (ids: readonly string[]) =>
      begin(ids, t("deleted", { count: ids.length }), async () => {
        for (let i = 0; i < ids.length; i += batchSize) await deleteGenerations(ids.slice(i, i + batchSize));
      }),
    script: (id: string) =>
      begin([id], t("scripts.deleted"), async () => {
        await deleteScript(id);
      }),
  };
}
