import { gapAfter, type Paragraph } from "../text/paragraphs";
import { piecesOf } from "../text/pieces";

/** A word of a paragraph, before which it can be split. */
export interface SplitWord {
  segment: number;
  /** The number of the word in its segment, from 1. */
  word: number;
  text: string;
  /** In seconds; that of the segment where words have no times. */
  start: number;
}

/** Returns the words of a segment as they are split: by the times that are known, else at spaces. */
function wordsOf(segment: Paragraph["segments"][number]): SplitWord[] {
  const { id, start, text, words } = segment;
  if (words.length === 0)
    return (text.match(/\S+/g) ?? []).map((one, i) => ({ segment: id, word: i + 1, text: one, start }));
  const out: SplitWord[] = [];
  for (const piece of piecesOf(segment)) {
    const last = out.at(-1);
    const before = text.slice(0, piece.from);
    const begins = piece.word >= 0 && (last === undefined || /\s$/.test(before) || gapAfter(before.trimEnd()) === "");
    if (begins)
      out.push({ segment: id, word: piece.word + 1, text: piece.text, start: words[piece.word]?.start ?? start });
    else if (last) last.text += piece.text.trimEnd(); // punctuation, or the end of a word
  }
  return out;
}

/** Returns the words of a paragraph, in order. */
export const splitWordsOf = ({ segments }: Pick<Paragraph, "segments">): SplitWord[] => segments.flatMap(wordsOf);
