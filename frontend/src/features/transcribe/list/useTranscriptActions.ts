import { useTranslation } from "react-i18next";
import { fileName } from "@/api/save";
import { exportTranscript, readTranscript, useCancelTranscript, useDeleteTranscript } from "@/api/transcriptions";
import { hasEnded, type Transcript, type TranscriptRow } from "@/api/types";
import { player } from "@/player";
import { useToast, useUndo } from "@/ui";
import { askForSpeakers, hide, setProblem, setScriptSource, unhide, type ExportTarget } from "../state";
import type { ExportChoice } from "../export/choice";
import { useRerun } from "../useRerun";
import { openInStudio } from "../view/openInStudio";

type Target = Pick<Transcript | TranscriptRow, "id" | "title" | "text" | "status">;

/** Runs an action and shows its error above the list. */
async function guarded(work: () => Promise<unknown>): Promise<void> {
  setProblem(null);
  try {
    await work();
  } catch (error) {
    setProblem(error);
  }
}

/** The actions on a transcript, in the list and on its own page. */
export function useTranscriptActions() {
  const { t } = useTranslation("transcribe");
  const toast = useToast();
  const undo = useUndo();
  const { mutateAsync: cancel } = useCancelTranscript();
  const { run: rerun } = useRerun();
  const { mutateAsync: erase } = useDeleteTranscript();
  return {
    cancel: (id: string) => void guarded(() => cancel(id)),
    speakers: (id: string) => askForSpeakers({ id }),
    retry: (id: string) => void guarded(() => rerun({ id })),
    save: (target: ExportTarget, choice: ExportChoice) =>
      void guarded(() => exportTranscript(target.id, choice, fileName(target, t("file")))),
    copyText: (text: string) =>
      void guarded(async () => {
        await navigator.clipboard.writeText(text);
        toast({ text: t("common:export.copied") });
      }),
    copy: (id: string) =>
      void guarded(async () => {
        await navigator.clipboard.writeText((await readTranscript(id)).text);
        toast({ text: t("common:export.copied") });
      }),
    studio: (id: string) => void guarded(async () => openInStudio(await readTranscript(id))),
    script: (id: string) => setScriptSource(id),
    remove: ({ id, status }: Target) =>
      void guarded(async () => {
        if (!hasEnded(status)) await cancel(id);
        hide(id);
        if (player.get().generation?.id === id) player.close();
        undo({
          text: t("deleted"),
          undo: () => unhide(id),
          commit: () => void guarded(() => erase(id)).finally(() => unhide(id)),
        });
      }),
  };
}

export type TranscriptActions = ReturnType<typeof useTranscriptActions>;
