import { fold } from "@/lib/fold";

/** A word of a passage: heard as written, written but not heard, or heard but not written. */
export interface DiffWord {
  text: string;
  kind: "same" | "missing" | "extra";
}

const bare = (word: string): string => fold(word).replace(/[^\p{L}\p{N}]+/gu, "");
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => bare(word) !== "");

/** Returns for each pair of rests how many words they have in common, in order. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i], lengths[i + 1]];
      if (!row || !below) continue;
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Compares a text with what was heard, word by word; case, accents and punctuation do not matter. */
export function wordsDiff(text: string, heard: string): DiffWord[] {
  const [written, spoken] = [wordsOf(text), wordsOf(heard)];
  const lengths = commonLengths(written.map(bare), spoken.map(bare));
  const words: DiffWord[] = [];
  let [i, j] = [0, 0];
  while (i < written.length || j < spoken.length) {
    const [here, there] = [written[i], spoken[j]];
    if (here !== undefined && there !== undefined && bare(here) === bare(there)) {
      words.push({ text: there, kind: "same" });
      i += 1;
      j += 1;
    } else if (
      here !== undefined &&
      (there === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      words.push({ text: here, kind: "missing" });
      i += 1;
    } else if (there !== undefined) {
      words.push({ text: there, kind: "extra" });
      j += 1;
    }
  }
  return words;
}

/** Returns the part of the words that was understood, from a word error rate, which may exceed 1. */
export const understood = (wer: number): number => Math.max(0, 1 - wer);
