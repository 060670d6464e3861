import { useTranslation } from "react-i18next";
import { usePatchTranscript } from "@/api/transcriptions";
import { useToast } from "@/ui";
import { setProblem } from "../state";
import type { PageDialog } from "../view/dialogs";
import type { Page } from "../view/usePage";

/** What can be done with the speakers of a transcript; each action is a step of undo. */
export interface SpeakerActions {
  /** Gives a speaker another name in all lines; where another speaker has it, a dialog asks whether both become one. */
  rename(from: string, to: string): void;
  /** Makes the lines of a speaker those of another one. */
  merge(from: string, to: string): void;
}

export function useSpeakerActions(page: Page, onDialog: (dialog: PageDialog) => void): SpeakerActions {
  const { t } = useTranslation("speakers");
  const { mutateAsync: patch } = usePatchTranscript();
  const toast = useToast();
  const { transcript, editor, speakers, filter } = page;

  /** Sends a change, and reports whether it was made. */
  async function apply(change: () => Promise<unknown>): Promise<boolean> {
    setProblem(null);
    try {
      return await editor.apply(change);
    } catch (error) {
      setProblem(error);
      return false;
    }
  }
  async function setName(name: string, new_name: string): Promise<boolean> {
    const done = await apply(() => patch({ id: transcript.id, changes: { speakers: [{ name, new_name }] } }));
    if (done) filter.rename(name, new_name);
    return done;
  }
  return {
    rename(from, to) {
      const name = to.trim();
      if (name === "" || name === from) return;
      if (speakers.includes(name)) onDialog({ kind: "merge", from, to: name });
      else void setName(from, name);
    },
    merge: (from, to) =>
      void setName(from, to).then((done) => {
        if (done)
          toast({
            text: t("merge.done", { from, to }),
            action: { label: t("common:undo"), run: () => void editor.undo() },
          });
      }),
  };
}
