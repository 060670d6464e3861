import type { HeardWord, Segment } from "@/api/types";
import type { Hit } from "./find";

/** Words that the model was less sure of than this are marked. */
export const unsureBelow = 0.6;

/** A part of a segment's text: a heard word, or what lies between two of them. */
export interface Piece {
  text: string;
  /** The index among the segment's words; -1 between words. */
  word: number;
  /** Where the text begins in the segment's text. */
  from: number;
}

/**
 * Splits the text of a segment at its words, without the blanks around it: its row has those between segments. Words that the
 * text does not contain are left out.
 */
export function piecesOf({ text, words }: Pick<Segment, "text" | "words">): Piece[] {
  const pieces: Piece[] = [];
  let at = text.length - text.trimStart().length;
  const add = (to: number, word: number) => {
    if (to > at) pieces.push({ text: text.slice(at, to), word, from: at });
    at = Math.max(at, to);
  };
  words.forEach(({ word }, index) => {
    const heard = word.trim();
    const from = heard === "" ? -1 : text.indexOf(heard, at);
    if (from < 0) return;
    add(from, -1);
    add(from + heard.length, index);
  });
  add(text.trimEnd().length, -1);
  return pieces;
}

/** A part of a piece: inside or outside a search hit. */
export interface Part {
  text: string;
  hit: Hit | null;
}

/** Splits a piece at the search hits that it overlaps. */
export function partsOf(piece: Piece, hits: readonly Hit[]): Part[] {
  const end = piece.from + piece.text.length;
  const parts: Part[] = [];
  let at = piece.from;
  const add = (to: number, hit: Hit | null) => {
    if (to > at) parts.push({ text: piece.text.slice(at - piece.from, to - piece.from), hit });
    at = Math.max(at, to);
  };
  for (const hit of hits) {
    if (hit.to <= at || hit.from >= end) continue;
    add(Math.max(at, hit.from), null);
    add(Math.min(end, hit.to), hit);
  }
  add(end, null);
  return parts;
}

/** Reports whether the model was unsure of a word; punctuation does not count. */
export const isUnsure = ({ word, probability }: HeardWord): boolean =>
  probability < unsureBelow && /[\p{L}\p{N}]/u.test(word);

export interface UnsureWord {
  segment: number;
  word: number;
  text: string;
  start: number;
  probability: number;
}

/** Returns the words that the model was unsure of, in order. */
export function unsureWords(segments: readonly Segment[]): UnsureWord[] {
  return segments.flatMap((segment) =>
    segment.words.flatMap((word, index) =>
      isUnsure(word)
        ? [
            {
              segment: segment.id,
              word: index,
              text: word.word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""),
              start: word.start,
              probability: word.probability,
            },
          ]
        : [],
    ),
  );
}
