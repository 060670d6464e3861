import { isLabel, namedLine, properName, singleSpaces } from "./names";

/** A row of a table with a speaker and words. */
export interface TableRow {
  /** As it was written, without quotes. */
  line: string;
  /** Empty: the speaker of the row before. */
  name: string;
  text: string;
  /** Cells of other columns. */
  others: string[];
}

const speakerColumn =
  /^(?:speaker|name|character|who|role|person|actor|sprecher(?:in)?|figur|rolle|wer|stimme|voice)$/i;
const textColumn =
  /^(?:text|lines?|words|dialog(?:ue)?|content|transcript|script|zeilen?|inhalt|satz|worte|äußerung)$/i;
const name = new RegExp(`^${properName}$`, "u");
const mostCells = 50;

/**
 * Returns where the quoted cell that begins at a place ends: at its closing quotation mark, which a separator or the end of the
 * line follows. -1 for words with quotation marks: "Hi" she said.
 */
function endOfQuoted(text: string, start: number, separator: string): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  let next = end + 1;
  while (text[next] === " ") next += 1;
  return end >= 0 && [undefined, "\n", separator].includes(text[next]) ? end : -1;
}

/** Returns the records of a table, in which quoted cells may have line breaks. */
function recordsOf(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  const endCell = () => {
    record.push(cell);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (record.some((one) => one.trim() !== "")) records.push(record);
    record = [];
  };
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charAt(i);
    const end = character === '"' && cell.trim() === "" ? endOfQuoted(text, i, separator) : -1;
    if (end >= 0) {
      cell += text.slice(i + 1, end).replaceAll('""', '"');
      i = end;
    } else if (character === separator) endCell();
    else if (character === "\n") endRecord();
    else cell += character;
  }
  endRecord();
  return records;
}

interface Columns {
  speaker: number;
  text: number;
}

/** Returns the columns that the first record names; null if it is no header. */
function headerOf(record: readonly string[] | undefined): Columns | null {
  if (!record || record.length < 2 || record.length > mostCells) return null;
  const speaker = record.findIndex((cell) => speakerColumn.test(cell.trim()));
  const text = record.findIndex((cell, i) => i !== speaker && textColumn.test(cell.trim()));
  return speaker < 0 || text < 0 ? null : { speaker, text };
}

/** Returns a row. Separators in words that were not quoted belong to the words. */
function rowOf(record: readonly string[], { speaker, text }: Columns, width: number, separator: string): TableRow {
  const isLast = text === width - 1;
  const cells =
    isLast && record.length > width ? [...record.slice(0, text), record.slice(text).join(separator)] : record;
  return {
    line: record.join(separator),
    name: singleSpaces(cells[speaker] ?? ""),
    text: (cells[text] ?? "").trim(),
    others: cells
      .filter((_, i) => i !== speaker && i !== text)
      .map((cell) => cell.trim())
      .filter(Boolean),
  };
}

/** Reports whether records without a header are names and words: "Anna,Hi". A comma of prose is followed by a space. */
function areTurns(records: readonly string[][], separator: string): boolean {
  const isRow = (record: readonly string[]) =>
    record.length >= 2 && !/^\s/.test(record[1] ?? "") && /\p{L}/u.test(record.slice(1).join(separator));
  const namesOf = (record: readonly string[]) => {
    const cell = singleSpaces(record[0] ?? "");
    return namedLine(`${cell}: `)?.name ?? cell;
  };
  const turns = records.filter((record) => !isLabel(record[0] ?? ""));
  return turns.length >= 2 && records.every(isRow) && turns.every((record) => name.test(namesOf(record)));
}

/** Returns the rows of a table with a column of speakers and one of words (CSV, semicolons or tabs); null for another text. */
export function readTable(text: string): { rows: TableRow[]; hasHeader: boolean } | null {
  const lines = text.replace(/^sep=.\n/i, "");
  for (const separator of [";", "\t", ","]) {
    if (!lines.includes(separator)) continue;
    const records = recordsOf(lines, separator);
    const [first, ...others] = records;
    const header = headerOf(first);
    if (header && first && others.length > 0)
      return { rows: others.map((record) => rowOf(record, header, first.length, separator)), hasHeader: true };
    if (separator !== "\t" && areTurns(records, separator))
      return {
        rows: records.map((record) => rowOf(record, { speaker: 0, text: 1 }, 2, separator)),
        hasHeader: false,
      };
  }
  return null;
}
