import { useTranslation } from "react-i18next";
import { isAudioMissing, missingModel, type ApiError } from "@/api/errors";
import { useFindSpeakers as useFindMutation } from "@/api/transcriptions";
import type { SpeakersRequest } from "@/api/types";
import { useErrorText, type ErrorWords } from "@/i18n/errors";
import { useOptions } from "../options";
import { askForSpeakers, setProblem } from "../state";
import { needsModel, speakersRequest } from "./choice";

/** The requests of this window by transcript, to repeat one that failed. */
const requested = new Map<string, SpeakersRequest>();

/** Finds the speakers of transcripts. The errors are shown above the text or the list. */
export function useFindSpeakers() {
  const { mutateAsync, isPending } = useFindMutation();
  const { speakers } = useOptions();
  /** Returns whether the search has begun, or is done where nothing is heard. */
  async function find(id: string, request: SpeakersRequest): Promise<boolean> {
    setProblem(null);
    requested.set(id, request);
    try {
      await mutateAsync({ id, request });
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    }
  }
  return {
    isPending,
    find,
    /** Repeats a search that failed; where its model is missing, the dialog says so first. */
    retry(id: string, failure: ApiError) {
      if (failure.code === "model_not_downloaded" || missingModel(failure) !== null) return askForSpeakers({ id });
      const usual = speakersRequest(needsModel(speakers.mode) ? speakers : { ...speakers, mode: "auto" });
      void find(id, requested.get(id) ?? usual);
    },
  };
}

/** Returns the words for a search that failed: the speakers are missing, why, and what helps. */
export function useFindingErrorText(): (error: ApiError) => ErrorWords {
  const { t } = useTranslation("finding");
  const textOf = useErrorText();
  return (error) => {
    if (isAudioMissing(error)) return { title: t("audioMissing.title"), remedy: t("audioMissing.remedy") };
    const { title, remedy } = textOf(error);
    return { title: t("failed"), remedy: [title, remedy].filter((text) => text !== "").join(" ") };
  };
}
