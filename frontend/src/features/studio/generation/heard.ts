import { hasEnded, type Generation } from "@/api/types";

/** Returns how many finished chunks can be played: those before the first that is missing. */
export const heardOf = ({ chunks, behind = 0 }: NonNullable<Generation["partial"]>): number => chunks - behind;

/** Returns how many chunks of a running generation can be played, or will be as soon as they are joined. */
export const heardWhileMade = ({ chunks_done, chunks_behind = 0 }: Generation): number => chunks_done - chunks_behind;

/** Returns how many chunks of a generation can be played, from the first one on. */
export function heardChunks(generation: Generation): number {
  if (generation.audio_url !== "") return generation.chunks.length;
  if (!hasEnded(generation.status)) return heardWhileMade(generation);
  return generation.partial ? heardOf(generation.partial) : 0;
}
