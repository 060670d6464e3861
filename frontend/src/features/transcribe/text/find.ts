import { fold } from "@/lib/fold";
import type { Segment } from "@/api/types";

/** A search hit in the text of a segment. */
export interface Hit {
  segment: number;
  from: number;
  to: number;
}

/** Returns the text without accents and case, and for each of its characters the index that it came from. */
function folded(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  let all = "";
  let at = 0;
  for (const character of text) {
    const part = fold(character);
    for (let i = 0; i < part.length; i += 1) places.push(at);
    all += part;
    at += character.length;
  }
  places.push(text.length);
  return { text: all, places };
}

function hitsIn(segment: Segment, wanted: string): Hit[] {
  const { text, places } = folded(segment.text);
  const hits: Hit[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const last = at + wanted.length;
    hits.push({ segment: segment.id, from: places[at] ?? 0, to: places[last] ?? segment.text.length });
  }
  return hits;
}

/** Returns all hits of a search within a transcript; accents and case do not matter. */
export function findIn(segments: readonly Segment[], search: string): Hit[] {
  const wanted = fold(search.trim());
  return wanted === "" ? [] : segments.flatMap((segment) => hitsIn(segment, wanted));
}
