import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useDropTarget } from "@/lib/dropTarget";
import type { Keeper } from "../drafts/draftStore";
import { useDraftDeeds } from "../drafts/useDraftActions";
import { useFiles, useFullWords } from "./useFiles";
import { useFrom } from "../drafts/useOpenFromHistory";
import { useProblems } from "./useProblems";
import { useSplit } from "./useSplit";

/** The ways in which texts come onto the page: drafts, files, what is too long for one draft, and a line of the history. */
export function useTexts(keeper: Keeper, voiceId: string | undefined) {
  const { t } = useTranslation();
  const problems = useProblems(keeper);
  const deeds = useDraftDeeds(keeper, problems.failed);
  const split = useSplit(deeds, voiceId);
  const files = useFiles(deeds, problems, split.ask);
  const full = useFullWords(() => deeds.create());
  useDropTarget(t("drop.studio"), files.open);
  useFrom(deeds, problems.failed);
  const input = useRef<HTMLInputElement>(null);
  return { problems, deeds, split, files, full, input, openFile: () => files.choose(() => input.current?.click()) };
}
