import { hasEnded, type Generation } from "@/api/types";

/** Returns how many finished chunks can be played: those before the first that is missing. */
export const heardOf = ({ chunks, behind = 0 }: NonNullable<Generation["partial"]>): number => chunks - behind;

/** Returns how many chunks of a generation can be played, from the first one on. */
export function heardChunks(generation: Generation): number {
  if (generation.audio_url !== "") return generation.chunks.length;
  if (!hasEnded(generation.status)) return generation.chunks_done;
  return generation.partial ? heardOf(generation.partial) : 0;
}
