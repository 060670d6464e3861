import { useEffect } from "react";
import { readGeneration } from "@/api/generations";
import { useQueryParam } from "@/lib/router";
import type { Generation } from "@/api/types";
import type { Content } from "./content";
import type { DraftActions } from "./useDraftActions";

/** The page as it was for a generation. */
export function contentOf(generation: Generation): Partial<Content> {
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
  };
}

/** `#/studio?from=ID` takes a generation of the history onto a page of its own. */
export function useOpenFromHistory(draftActions: DraftActions, failed: (error: unknown) => void): void {
  const [generationId, setGenerationId] = useQueryParam("from");
  useEffect(() => {
    if (generationId === "") return;
    setGenerationId("");
    readGeneration(generationId).then(
      (generation) => draftActions.create(contentOf(generation), generation.title || undefined),
      failed,
    );
    // Once for each address; what it is done with may change meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [generationId]);
}

/** `#/studio?voice=PROFILE` chooses the voice of the present page. */
export function useVoiceFromAddress(choose: (profileId: string) => void): void {
  const [voice, setVoice] = useQueryParam("voice");
  useEffect(() => {
    if (voice === "") return;
    setVoice("");
    choose(voice);
    // Once for each address; what it is done with may change meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [voice]);
}
