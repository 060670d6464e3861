import type { Segment } from "@/api/types";

/** How much a speaker says. */
export interface Share {
  name: string;
  seconds: number;
  /** Of the time of all speakers, 0 to 1. */
  part: number;
  lines: number;
}

/** Returns how much each of the speakers says, in their order. */
export function sharesOf(segments: readonly Segment[], speakers: readonly string[]): Share[] {
  const shares = new Map(speakers.map((name) => [name, { name, seconds: 0, part: 0, lines: 0 }]));
  let total = 0;
  for (const { speaker, start, end } of segments) {
    const share = shares.get(speaker);
    if (!share) continue;
    const seconds = Math.max(0, end - start);
    share.seconds += seconds;
    share.lines += 1;
    total += seconds;
  }
  return [...shares.values()].map((share) => ({ ...share, part: total > 0 ? share.seconds / total : 0 }));
}

/**
 * Returns the names in the order that they had, so that a speaker keeps its number and colour while lines are corrected: a new
 * name gets the place of one that is gone, as after a rename, else the last place.
 */
export function keepOrder(before: readonly string[], names: readonly string[]): readonly string[] {
  const known = before.filter((name) => names.includes(name));
  if (known.length === 0) return names;
  const added = names.filter((name) => !before.includes(name));
  const placed = before.flatMap((name) => (names.includes(name) ? [name] : added.splice(0, 1)));
  return [...placed, ...added];
}
