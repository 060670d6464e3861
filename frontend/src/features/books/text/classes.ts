/** The classes of words that have a name on screens; the server lists them. */
const named = [
  "notes",
  "note_marks",
  "page_numbers",
  "page_headers",
  "citations",
  "urls",
  "tables",
  "captions",
  "contents",
  "front_matter",
  "back_matter",
  "aside",
  "skipped_chapters",
] as const;
export type ClassName = (typeof named)[number] | "other";

/** Returns the name of the text of a class; a newer server may have more of them. */
export const classNameOf = (name: string): ClassName => named.find((one) => one === name) ?? "other";
