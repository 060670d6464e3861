/** A heading of the text. */
export interface Heading {
  title: string;
  /** 1 to 6. */
  level: number;
  /** Where its line begins. */
  from: number;
}

const maxChars = 80; // longer lines are not spoken as headings either
const chapterWords =
  "chapter|part|book|section|act|scene|volume|canto|letter|kapitel|teil|buch|abschnitt|akt|szene|chapitre|partie|livre|" +
  "acte|scène|capítulo|parte|libro|acto|escena|capitolo|atto|scena|livro|ato|cena|hoofdstuk|deel|boek|rozdział|część|" +
  "księga|глава|часть|книга|розділ|частина|kapitola|kapittel|luku|bölüm";
const numberWords =
  "[0-9]{1,4}|[ivxlcdm]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|" +
  "sixteen|seventeen|eighteen|nineteen|twenty|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|premier|" +
  "un|deux|trois|quatre|cinq";
const marked = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
const bold = /^(?:\*\*([^*\s][^*]*)\*\*|__([^_\s][^_]*)__)$/;
const underline = /^(?:={3,}|-{3,})$/;
const chapter = new RegExp(
  `^(?:${chapterWords})\\s+(?:${numberWords})(?:\\s*[.:—–-]?|\\s*[.:—–-]\\s*\\S.*)$|^第.{1,8}[章回節节部]`,
  "iu",
);

/** Returns the headings that are marked as such, and lines such as "Chapter 3", in the order of the text. */
export function outlineOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let above: { line: string; from: number } | null = null; // the only line since the last blank one
  let isFirst = true; // of its paragraph
  let from = 0;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const add = (title: string, level: number, at = from) => headings.push({ title, level, from: at });
    const isShort = line !== "" && line.length <= maxChars;
    const sign = isShort ? marked.exec(line) : null;
    const strong = isShort && isFirst ? bold.exec(line) : null;
    let isHeading = true;
    if (sign) add(sign[2] ?? "", sign[1]?.length ?? 1);
    else if (strong) add(strong[1] ?? strong[2] ?? "", 2);
    else if (isShort && isFirst && chapter.test(line)) add(line, 1);
    else if (above && above.line.length <= maxChars && underline.test(line))
      add(above.line, line.startsWith("=") ? 1 : 2, above.from);
    else isHeading = false;
    above = !isHeading && isFirst && line !== "" ? { line, from } : null;
    isFirst = isHeading || line === "";
    from += raw.length + 1;
  }
  return headings;
}

/** Returns the index of the heading above a position; -1 before the first. */
export const headingAt = (headings: readonly Heading[], position: number): number =>
  headings.findLastIndex(({ from }) => from <= position);
