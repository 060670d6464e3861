import type { Segment } from "@/api/types";
import type { SegmentChange } from "./changes";

const colours = 8; // sp-1 to sp-8 of the tokens

/** Returns the names of all speakers in the order of their first words. */
export function speakersOf(segments: readonly Segment[]): string[] {
  return [...new Set(segments.map(({ speaker }) => speaker))].filter((name) => name !== "");
}

/** Returns the class that sets the colour of a speaker. */
export const speakerClass = (speakers: readonly string[], name: string): string =>
  `sp-${(Math.max(0, speakers.indexOf(name)) % colours) + 1}`;

export type Scope = "paragraph" | "onwards";

/**
 * Returns the changes that name the speaker of a segment and of those after it: in its paragraph, or of all. A speaker who was found
 * is set too where the name stays, so that a person can confirm a line.
 */
export function assignSpeaker(
  segments: readonly Segment[],
  from: number,
  scope: Scope,
  speaker: string,
): SegmentChange[] {
  const first = segments.findIndex(({ id }) => id === from);
  if (first < 0) return [];
  const before = segments[first]?.speaker;
  const end = segments.findIndex((segment, i) => i > first && (segment.paragraph || segment.speaker !== before));
  const chosen = segments.slice(first, scope === "onwards" || end < 0 ? undefined : end);
  return chosen
    .filter((segment) => segment.speaker !== speaker || segment.speaker_found)
    .map(({ id }) => ({ id, speaker }));
}
