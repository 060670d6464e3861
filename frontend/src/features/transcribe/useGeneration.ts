import { useEffect, useEffectEvent } from "react";
import { useCreateTranscript } from "@/api/transcriptions";
import type { Model } from "@/api/types";
import { href, navigate, useRoute } from "@/lib/router";
import { useRequest, useTranscribers } from "./models";
import { setProblem } from "./state";

/**
 * Transcribes the generation that the address names (`#/transcribe?generation=ID`) once a model is installed, and opens the transcript.
 * The address does not name it any more then, so that going back does not transcribe it again. No model is downloaded unasked: where the
 * chosen one was deleted, another that is installed is used.
 */
export function useGeneration(): void {
  const generation = useRoute().query.get("generation");
  const requestOf = useRequest();
  const { installed } = useTranscribers();
  const { mutateAsync: create } = useCreateTranscript();
  const begin = useEffectEvent(async (id: string, transcriber: Model) => {
    navigate(href("transcribe"), { replace: true });
    try {
      const made = await create({ ...requestOf(transcriber), generation_id: id });
      if (location.hash === href("transcribe")) navigate(href("transcribe", [made.id]), { replace: true });
    } catch (error) {
      setProblem(error);
    }
  });
  useEffect(() => {
    if (generation && installed) void begin(generation, installed);
  }, [generation, installed]);
}
