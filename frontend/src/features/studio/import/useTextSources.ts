import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useDropTarget } from "@/lib/dropTarget";
import { areScript, openOn, scriptScreen } from "@/lib/incoming";
import type { TextStore } from "../drafts/textStore";
import { useDraftActions } from "../drafts/useDraftActions";
import { useFileImport, useFullNotice } from "./useFiles";
import { useOpenFromHistory } from "../drafts/useOpenFromHistory";
import { useProblems } from "./useProblems";
import { useSplit } from "./useSplit";

/** The sources of texts for the page: drafts, files, parts of a long text, and generations of the history. */
export function useTextSources(draftStore: TextStore, voiceId: string | undefined) {
  const { t } = useTranslation();
  const problems = useProblems(draftStore);
  const draftActions = useDraftActions(draftStore, problems.failed);
  const split = useSplit(draftActions, voiceId);
  const fileImport = useFileImport(draftActions, problems, split.request);
  const showFullNotice = useFullNotice(() => draftActions.create());
  useDropTarget(t("drop.studio"), fileImport.open);
  useOpenFromHistory(draftActions, problems.failed);
  const input = useRef<HTMLInputElement>(null);
  return {
    problems,
    draftActions,
    split,
    fileImport,
    showFullNotice,
    input,
    /** Opens files from the file dialog; a script, if it is one, on its own screen. */
    openChosen: (files: readonly File[]) => (areScript(files) ? openOn(scriptScreen, files) : fileImport.open(files)),
    /** Shows the file dialog: that of the desktop window hands over the chosen file (`src/api/handed.ts`). */
    openFile: () => {
      const dialog = window.go?.desktop?.Bridge?.OpenText;
      if (dialog) dialog().catch(problems.failed);
      else input.current?.click();
    },
  };
}
