import type { Segment } from "@/api/types";

/** A word of the transcript with its time, or a complete segment where no words are known: word is -1 then. */
export interface Spot {
  segment: number;
  word: number;
  start: number;
  end: number;
}

const linger = 0.25; // seconds that a word stays marked in the pause after it

/** Returns all words in the order of their times. */
export function timelineOf(segments: readonly Segment[]): Spot[] {
  return segments
    .flatMap(({ id, start, end, words }): Spot[] =>
      words.length === 0
        ? [{ segment: id, word: -1, start, end }]
        : words.map((word, index) => ({ segment: id, word: index, start: word.start, end: word.end })),
    )
    .sort((a, b) => a.start - b.start);
}

/** Returns the word that is heard at a time; undefined in a pause. */
export function spotAt(timeline: readonly Spot[], seconds: number): Spot | undefined {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeline[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const spot = timeline[low - 1];
  return spot && seconds < spot.end + linger ? spot : undefined;
}
