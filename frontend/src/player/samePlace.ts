import type { Chunk } from "@/api/types";
import type { Sound } from "./state";

type Version = Pick<Sound, "chunks" | "duration">;

/** Returns the current or last played chunk: during a pause between two, its takes can still be chosen. */
export function lastChunkAt(chunks: readonly Chunk[], seconds: number): number {
  return chunks.findLastIndex((chunk) => chunk.start <= seconds);
}

/** Returns the position in a version of a generation at which the same text is spoken as at a position of another one. */
export function samePlace(before: Version, after: Version, seconds: number): number {
  const at = lastChunkAt(before.chunks, seconds);
  const chunk = before.chunks[at];
  if (!chunk) return Math.min(seconds, after.duration);
  const same = after.chunks
    .map(({ text, start }, i) => ({ text, start, distance: Math.abs(i - at) }))
    .filter(({ text }) => text === chunk.text)
    .sort((a, b) => a.distance - b.distance)[0];
  const start = same?.start ?? after.chunks[at]?.start; // a changed chunk is heard from its start
  if (start === undefined) return Math.min(seconds, after.duration);
  return Math.min(same ? start + seconds - chunk.start : start, after.duration);
}
