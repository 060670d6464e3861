/** A turn as it was found in a text. */
export interface Line {
  name: string;
  text: string;
  /** How it is spoken: "laughing". */
  directions?: string[];
}

/** A script that was found in a text. Every word is in the title, in a line, or among what is left. */
export interface Pasted {
  title: string;
  lines: Line[];
  /** Lines that are not spoken: scene headings, action, notes, what precedes the first speaker. */
  left: string[];
}

// All patterns have bounded repetitions and are used on single lines with single spaces, so that odd texts cost no time.
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
const range = String.raw`${clock}(?: ?(?:-{1,2}>|[-–—]) ?${clock})?`;
const leadingTime = new RegExp(String.raw`^(?:\[${range}\]|\(${range}\)|${range}) ?[-–—]? ?`);
const onlyTime = new RegExp(`^${range}$`);
const dash = /^[-–—•] ?/;
// "Dr Lindqvist (quietly): text". A name is short, has a letter, and is no address and no time of day.
const named =
  /^\*{0,3}(\p{L}[\p{L}\p{N} .'’_-]{0,38})\*{0,3} ?(?:[([]([^()[\]]{1,80})[)\]])? ?\*{0,3} ?[:：](?!\/\/)\*{0,3} ?(.*)$/u;

export const singleSpaces = (line: string): string => line.trim().replace(/\s+/g, " ");

/** Returns the lines of a text with single spaces. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map(singleSpaces);

/** Returns the speaker and the words of a line such as "[00:12] Anna (quietly): text"; null for another line. */
export function namedLine(line: string): Line | null {
  for (const part of new Set([line, line.replace(leadingTime, ""), line.replace(dash, "")])) {
    const match = named.exec(part);
    const name = match?.[1]?.trim();
    if (!match || !name) continue;
    const direction = match[2]?.trim() ?? "";
    const text = (match[3] ?? "").trim();
    return { name, text, ...(direction && !onlyTime.test(direction) ? { directions: [direction] } : {}) };
  }
  return null;
}

/** Adds words to a line. */
export function append(line: Line, words: string): void {
  line.text = line.text && words ? `${line.text} ${words}` : line.text || words;
}

/** Returns the lines with words, and directions of lines without any among what is left. */
export function withWords({ title, lines, left }: Pasted): Pasted {
  return {
    title,
    lines: lines.filter((line) => line.text),
    left: [
      ...left,
      ...lines.filter((line) => !line.text).map(({ name, directions }) => [name, ...(directions ?? [])].join(" ")),
    ],
  };
}
