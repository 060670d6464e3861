import { useEffect, useEffectEvent } from "react";
import { useCreateTranscript } from "@/api/transcriptions";
import { href, navigate, useRoute } from "@/lib/router";
import { useSpeakersModel, useTranscribers } from "./models";
import { requestOf, useOptions } from "./options";
import { setProblem } from "./state";

/**
 * Transcribes the generation that the address names (`#/transcribe?generation=ID`) once a model is installed, and opens the transcript.
 * The address does not name it any more then, so that going back does not transcribe it again. No model is downloaded unasked: where the
 * chosen one was deleted, another that is installed is used.
 */
export function useGeneration(): void {
  const generation = useRoute().query.get("generation");
  const options = useOptions();
  const { installed } = useTranscribers();
  const findsSpeakers = useSpeakersModel()?.downloaded ?? false;
  const { mutateAsync: create } = useCreateTranscript();
  const begin = useEffectEvent(async (id: string, transcriber: string) => {
    navigate(href("transcribe"), { replace: true });
    try {
      const request = requestOf(options, { transcriber, findsSpeakers });
      const made = await create({ ...request, generation_id: id, download: false });
      if (location.hash === href("transcribe")) navigate(href("transcribe", [made.id]), { replace: true });
    } catch (error) {
      setProblem(error);
    }
  });
  const model = installed?.model_name;
  useEffect(() => {
    if (generation && model !== undefined) void begin(generation, model);
  }, [generation, model]);
}
