import type { Segment } from "@/api/types";
import { expressionOf, matchesIn, replacementAt, type FindQuery, type Match } from "@/features/find";
import { fold } from "@/lib/fold";
import type { SegmentChange } from "./changes";
import { gapAfter } from "./paragraphs";

/** The part of a match that is in one segment. */
export interface Hit {
  segment: number;
  from: number;
  to: number;
}

/** A match in the text of a transcript; it can run over the end of a segment. */
export interface Found extends Match {
  hits: readonly Hit[];
}

interface Place {
  segment: Segment;
  /** Where the segment begins in the joined text, and where that is in its own text. */
  start: number;
  offset: number;
  length: number;
}

interface Joined {
  text: string;
  places: readonly Place[];
}

/** Returns the text of all segments as it is read, a line for each paragraph, and where each segment is in it. */
function join(segments: readonly Segment[]): Joined {
  let text = "";
  const places = segments.map((segment, i): Place => {
    const own = segment.text.trim();
    const before = segments[i - 1];
    const isNew = before !== undefined && (segment.paragraph || before.speaker !== segment.speaker);
    text += isNew ? "\n" : gapAfter(text);
    const place = { segment, start: text.length, offset: segment.text.indexOf(own), length: own.length };
    text += own;
    return place;
  });
  return { text, places };
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

const isPartOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character);

/**
 * Returns the matches of a plain search, for which accents and case do not matter. None begins or ends within a character
 * that became two, as the "ß" of "ss".
 */
function foldedMatches(source: string, { search, wholeWords }: FindQuery): Match[] {
  const wanted = fold(search);
  if (wanted === "") return [];
  const { text, places } = folded(source);
  const isBetween = (at: number): boolean => places[at] !== places[at - 1];
  const matches: Match[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0) {
    const last = at + wanted.length;
    const isInWord = isPartOfWord(text[at - 1]) || isPartOfWord(text[last]);
    const isMatch = isBetween(at) && isBetween(last) && !(wholeWords && isInWord);
    if (isMatch) matches.push({ from: places[at] ?? 0, to: places[last] ?? source.length });
    at = text.indexOf(wanted, isMatch ? last : at + 1);
  }
  return matches;
}

function matches(text: string, query: FindQuery): Match[] {
  if (query.isExpression || query.matchCase) return matchesIn(text, expressionOf(query));
  return foldedMatches(text, query);
}

function hitsOf({ from, to }: Match, places: readonly Place[]): Hit[] {
  return places.flatMap(({ segment, start, offset, length }) => {
    const [first, last] = [Math.max(from, start), Math.min(to, start + length)];
    return first < last ? [{ segment: segment.id, from: first - start + offset, to: last - start + offset }] : [];
  });
}

/** Returns all matches in a transcript, in order. The space between two sentences alone is none: it is in neither text. */
export function findIn(segments: readonly Segment[], query: FindQuery): Found[] {
  const { text, places } = join(segments);
  let next = 0; // the first segment that is not before the match
  const found = matches(text, query).map((match) => {
    while (next < places.length - 1 && (places[next + 1]?.start ?? 0) <= match.from) next += 1;
    let end = next;
    while (end < places.length && (places[end]?.start ?? 0) < match.to) end += 1;
    return { ...match, hits: hitsOf(match, places.slice(next, end)) };
  });
  return found.filter(({ hits }) => hits.length > 0);
}

/** Returns the changes that replace matches. The segment in which a match begins gets its replacement. */
export function replaceIn(
  segments: readonly Segment[],
  found: readonly Found[],
  query: FindQuery,
): { changes: SegmentChange[]; replacements: string[] } {
  const { text } = join(segments);
  const replacements = found.map((match) => (query.isExpression ? replacementAt(text, match, query) : query.replace));
  const edits = found.flatMap(({ hits }, i) =>
    hits.map((hit, part) => ({ ...hit, insert: part === 0 ? (replacements[i] ?? "") : "" })),
  );
  const bySegment = new Map<number, typeof edits>();
  for (const edit of edits) bySegment.set(edit.segment, [...(bySegment.get(edit.segment) ?? []), edit]);
  const changes = segments.flatMap((segment): SegmentChange[] => {
    const own = bySegment.get(segment.id);
    if (!own) return [];
    let next = segment.text;
    for (const { from, to, insert } of [...own].reverse()) next = next.slice(0, from) + insert + next.slice(to);
    next = next.replace(/\s+/g, " ").trim();
    return next === segment.text.trim() ? [] : [{ id: segment.id, text: next }];
  });
  return { changes, replacements };
}
