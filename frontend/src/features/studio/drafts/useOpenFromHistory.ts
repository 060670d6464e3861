import { useEffect, useEffectEvent } from "react";
import { readGeneration } from "@/api/generations";
import { useQueryParam } from "@/lib/router";
import type { Generation } from "@/api/types";
import { hostedChoices, type NewText } from "./textDocument";
import type { DraftActions } from "./useDraftActions";

/** Returns the text of a generation with its options. */
export function textFrom(generation: Generation): NewText {
  const { parameters } = generation.receipt ?? {};
  const number = (name: string) =>
    typeof parameters?.[name] === "number" && parameters[name] > 0 ? parameters[name] : null;
  return {
    text: generation.text,
    profile_id: generation.profile_id,
    speed: generation.speed,
    generation_id: generation.id,
    format: generation.format,
    max_chunk_chars: number("max_chunk_chars"),
    steps: number("steps"),
    hosted: hostedChoices(parameters),
  };
}

/** `#/studio?from=ID` opens a generation of the history as a new draft. */
export function useOpenFromHistory(draftActions: DraftActions, onError: (error: unknown) => void): void {
  const [generationId, setGenerationId] = useQueryParam("from");
  const open = useEffectEvent((id: string) => {
    setGenerationId("");
    readGeneration(id).then(
      (generation) => draftActions.create(textFrom(generation), generation.title || undefined),
      onError,
    );
  });
  useEffect(() => {
    if (generationId !== "") open(generationId);
  }, [generationId]);
}

/** `#/studio?voice=PROFILE` chooses the voice of the open draft. */
export function useVoiceFromAddress(chooseVoice: (profileId: string) => void): void {
  const [voice, setVoice] = useQueryParam("voice");
  const choose = useEffectEvent((profileId: string) => {
    setVoice("");
    chooseVoice(profileId);
  });
  useEffect(() => {
    if (voice !== "") choose(voice);
  }, [voice]);
}
