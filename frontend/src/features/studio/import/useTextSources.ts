import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useDropTarget } from "@/lib/dropTarget";
import type { Keeper } from "../drafts/draftStore";
import { useDraftActions } from "../drafts/useDraftActions";
import { useFileImport, useFullNotice } from "./useFiles";
import { useOpenFromHistory } from "../drafts/useOpenFromHistory";
import { useProblems } from "./useProblems";
import { useSplit } from "./useSplit";

/** The ways in which texts come onto the page: drafts, files, what is too long for one draft, and a line of the history. */
export function useTextSources(keeper: Keeper, voiceId: string | undefined) {
  const { t } = useTranslation();
  const problems = useProblems(keeper);
  const draftActions = useDraftActions(keeper, problems.failed);
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
    openFile: () => fileImport.choose(() => input.current?.click()),
  };
}
