/** The range of a chunk of the last generation in the text, and whether its text is unchanged. */
export interface ChunkRange {
  chunk: number;
  from: number;
  to: number;
  /** The spoken text. */
  text: string;
  same: boolean;
}

/** Elements such as <b>, the signs of headings, scene breaks and code are not spoken, and the server's chunks do not contain them. */
const mark =
  /<\/?[a-z][^<>]{0,200}>|^[ \t]*#{1,6}[ \t]+|[ \t]+#+[ \t]*$|^[ \t]*(?:(?:[*\-_•~][ \t]*){3,}|={3,}[ \t]*|[#§⁂]|`{3,}[^`\n]*|~{3,}[^~\s][^~\n]*)$/gim;
const mayHaveMarks = /[<#`]|~~~|[*\-_•~=§⁂]$/m;
const withoutMarks = (text: string) => (mayHaveMarks.test(text) ? text.replace(mark, "") : text);

/** Reports whether a passage matches the spoken text. */
export const hasSameText = (passage: string, chunk: string) =>
  passage === chunk || withoutMarks(passage) === withoutMarks(chunk);

/** Returns the text without marks, and a function from an index in it to the index in the source. */
function strip(text: string): { text: string; at(index: number): number } {
  if (!mayHaveMarks.test(text)) return { text, at: (index) => index };
  const cuts: { at: number; length: number }[] = [];
  let removed = 0;
  const plain = text.replace(mark, (found, ...remaining) => {
    const offset = remaining.at(-2) as number;
    cuts.push({ at: offset - removed, length: found.length });
    removed += found.length;
    return "";
  });
  return {
    text: plain,
    at: (index) => index + cuts.reduce((sum, cut) => (cut.at <= index ? sum + cut.length : sum), 0),
  };
}

const isWord = (c: string) => /[\p{L}\p{N}]/u.test(c);

/** Reports whether a range ends at word boundaries: typing at its last word changes what is spoken. */
export function standsAlone(before: string, after: string, text: string): boolean {
  const glued = (a: string, b: string) => a !== "" && b !== "" && isWord(a) && isWord(b);
  return !glued(before, text.charAt(0)) && !glued(text.at(-1) ?? "", after);
}

function find(text: string, chunk: string, from: number): number {
  for (let at = text.indexOf(chunk, from); at >= 0; at = text.indexOf(chunk, at + 1)) {
    if (standsAlone(text.charAt(at - 1), text.charAt(at + chunk.length), chunk)) return at;
  }
  return -1;
}

/** Finds each chunk after the previous one. One that is found only far off, past a later chunk, counts as not found. */
function findAll(text: string, chunks: readonly string[]): number[] {
  let cursor = 0;
  return chunks.map((chunk, i) => {
    const at = find(text, chunk, cursor);
    const next = chunks[i + 1];
    const skips = at > cursor && text.slice(cursor, at).trim() !== "";
    if (at < 0 || (skips && next !== undefined && earlier(find(text, next, cursor), at))) return -1;
    cursor = at + chunk.length;
    return at;
  });
}

const earlier = (a: number, b: number) => a >= 0 && a < b;

/** Returns text[from..to] without white space at its ends; null if nothing is left. */
function trim(text: string, from: number, to: number): { from: number; to: number } | null {
  const part = text.slice(from, to);
  if (part.trim() === "") return null;
  return { from: from + part.length - part.trimStart().length, to: to - (part.length - part.trimEnd().length) };
}

/**
 * Compares the chunk texts of a generation with a text. The text between two chunks that are found replaces the missing
 * chunks between them; the first of these gets it.
 */
export function locate(source: string, chunks: readonly string[]): ChunkRange[] {
  const { text, at: sourceIndex } = strip(source);
  const ranges = locatePlain(text, chunks.map(withoutMarks));
  return ranges.map((range) => ({
    ...range,
    from: sourceIndex(range.from),
    to: sourceIndex(range.to - 1) + 1,
    text: chunks[range.chunk] ?? "",
  }));
}

function locatePlain(text: string, chunks: readonly string[]): ChunkRange[] {
  const found = findAll(text, chunks);
  const ranges: ChunkRange[] = [];
  let end = 0;
  chunks.forEach((chunk, i) => {
    const at = found[i] ?? -1;
    if (at >= 0) {
      end = at + chunk.length;
      ranges.push({ chunk: i, from: at, to: end, text: chunk, same: true });
      return;
    }
    const next = found.slice(i + 1).find((n) => n >= 0) ?? text.length;
    const gap = trim(text, end, next);
    if (!gap) return;
    end = gap.to;
    ranges.push({ chunk: i, ...gap, text: chunk, same: false });
  });
  return ranges;
}
