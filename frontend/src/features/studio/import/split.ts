import { maxCharacters } from "../drafts/textDocument";

/** A part filled to its limit has no good place to end, so parts are planned somewhat smaller. */
const targetFill = 0.85;

const headingWords =
  "chapter|part|book|act|section|prologue|epilogue|preface|introduction|foreword|afterword|kapitel|teil|buch|akt|abschnitt|prolog|epilog|vorwort|nachwort|einleitung|chapitre|partie|livre|cap[ií]tulo|parte|libro|livro|capitolo|hoofdstuk|deel|rozdzia[lł]|kapitola|kapittel|глава|часть|розділ";
const number = "[ivxlcdm]{1,7}|\\d{1,3}";

/** Where a text may be split, best first: each pattern finds the beginning of a part. */
const boundaries: readonly RegExp[] = [
  // The heading of a chapter: a short line after an empty one.
  new RegExp(
    `(?<=\\n[ \\t]*\\n)(?=[^\\n]{1,80}(?:\\n|$))(?:#{1,6} |(?:${headingWords})(?=[\\s\\d.:,]|$)|(?:${number})[.:]?[ \\t]*(?=\\n)|第[^\\n]{1,8}[章回部])`,
    "giu",
  ),
  // A short separate line that is no sentence.
  /(?<=\n[ \t]*\n)[\p{Lu}\p{Lo}\p{N}][^\n]{0,58}[^\n.!?…,;:"'”»)\s]\n[ \t]*(?=\n)/gu,
  /(?<=\n[ \t]*\n)(?=[ \t]*\S)/g, // a paragraph
  /(?<=\n)(?=[^\n])/g, // a line
  /(?<=[.!?…]["'”»)]?\s)(?=\S)|(?<=[。！？])/gu, // a sentence
  /(?<=\s)(?=\S)/g, // a word
];

/** Moves a position out of a surrogate pair. */
const codePointBoundary = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;

/** Returns the best end of the part that begins at `from`: near the target, and within the limit of a part. */
function endOf(text: string, from: number, limit: number): number {
  const left = text.length - from;
  const aim = from + left / Math.ceil(left / (limit * targetFill));
  const low = from + Math.floor((aim - from) / 2);
  const high = from + limit;
  const before = Math.max(from, low - 100); // for the lookbehind of the patterns
  const near = text.slice(before, high + 100);
  for (const border of boundaries) {
    const places = [...near.matchAll(border)]
      .map((match) => before + match.index)
      .filter((at) => at > low && at <= high);
    if (places.length > 0) return places.reduce((best, at) => (Math.abs(at - aim) < Math.abs(best - aim) ? at : best));
  }
  return codePointBoundary(text, high);
}

/** Splits a text at chapters, else at paragraphs, else at sentences. The parts joined are exactly the text. */
export function splitText(text: string, limit = maxCharacters): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > limit) {
    const end = endOf(text, from, limit);
    parts.push(text.slice(from, end));
    from = end;
  }
  return [...parts, text.slice(from)];
}
