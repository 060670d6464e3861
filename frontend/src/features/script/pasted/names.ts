import { fold } from "@/lib/fold";

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
  /** Turns of speakers who may be none. */
  doubtful: string[];
}

// All patterns have bounded repetitions and are used on single lines with single spaces, so that odd texts cost no time.
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
const range = String.raw`${clock}(?: ?(?:-{1,2}>|[-–—]) ?${clock})?`;
const leadingTime = new RegExp(String.raw`^(?:(?:\[${range}\]|\(${range}\)) ?[-–—]? ?|${range}(?: ?[-–—] ?| ))`);
const onlyTime = new RegExp(`^${range}$`);
// The line of a speaker in the transcript of a meeting, whose words follow below: "Anna Smith   0:03", "[00:12] Anna". Each word of
// such a name has a capital, so that "We met at 10:30" has none.
const nameWord = String.raw`(?:\p{Lu}|\p{Lo}|\p{N})[\p{L}\p{N}.'’_-]{0,30}`;
const properName = String.raw`(?=\p{Lu}|\p{Lo})${nameWord}(?: (?:${nameWord}|von|van|der|den|de|da|di|la|le|bin|al)){0,3}`;
const time = String.raw`[([]?${range}(?: ?[apAP]\.?[mM]\.?)?[)\]]?`;
const nameAndTime = new RegExp(String.raw`^(${properName})(?:[ ,|–—-]{1,3}|(?=[([]))${time}$`, "u");
const timeAndName = new RegExp(String.raw`^${time} ?[-–—]? ?(${properName})$`, "u");
const dash = /^[-–—•] ?/;
// "Dr Lindqvist (quietly): text". A name is short, has a letter, and is no address and no time of day.
const named =
  /^\*{0,3}(\p{L}[\p{L}\p{N} .'’_-]{0,38})\*{0,3} ?(?:[([]([^()[\]]{1,80})[)\]])? ?\*{0,3} ?[:：](?!\/\/)\*{0,3} ?(.*)$/u;

// Words that stand before a colon and are nobody: "Note: bring a coat", "Chapter 2: The Storm".
const labels = [
  "notes?|nb|warning|caution|attention|important|tip|hint|example|for example|see also|in short|reminder|correction|update",
  "subject|date|time|source|summary|conclusion|chapter|p\\.? ?s|p\\.? ?p\\.? ?s|re|fwd?|https?|mailto|www|todo|fixme|e\\.? ?g|i\\.? ?e",
  "hinweise?|anmerkung|notiz|warnung|achtung|vorsicht|wichtig|tipp|beispiel|zum beispiel|siehe auch|kurz gesagt|erinnerung",
  "betreff|datum|uhrzeit|zeit|quelle|zusammenfassung|fazit|korrektur|nachtrag|kapitel|aw|wg|z\\.? ?b|d\\.? ?h",
];
const numbers =
  "\\d[\\d.]{0,6}|[ivxlcdm]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn";
const parts =
  "chapter|part|book|section|act|scene|step|figure|table|note|kapitel|teil|buch|abschnitt|akt|szene|schritt|abbildung|tabelle|hinweis";
const label = new RegExp(`^(?:${labels.join("|")}|(?:${parts}) (?:${numbers}))\\.?$`, "i");

/** Reports whether a name is a word that is no speaker. */
export const isLabel = (name: string): boolean => label.test(name.trim());

export const singleSpaces = (line: string): string => line.trim().replace(/\s+/g, " ");

/** Returns the lines of a text with single spaces. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map(singleSpaces);

/** Returns what stands before and after the colon of a line such as "[00:12] Anna (quietly): text"; null for another line. */
function colonLine(line: string): Line | null {
  for (const part of new Set([line, line.replace(leadingTime, ""), line.replace(dash, "")])) {
    const match = named.exec(part);
    const name = match?.[1]?.trim();
    if (!match || !name || (/\d$/.test(name) && /^\d/.test(match[3] ?? ""))) continue; // "Anna 00:12" has no colon of a name
    const direction = match[2]?.trim() ?? "";
    const text = (match[3] ?? "").trim();
    return { name, text, ...(direction && !onlyTime.test(direction) ? { directions: [direction] } : {}) };
  }
  return null;
}

/** Returns the speaker of a line with a name and a time alone; null for another line. */
function timedLine(line: string): Line | null {
  const name = (nameAndTime.exec(line) ?? timeAndName.exec(line))?.[1];
  return name === undefined ? null : { name, text: "" };
}

/** Returns the speaker and the words of a line; null for a line without a speaker. */
export function namedLine(line: string): Line | null {
  const said = timedLine(line) ?? colonLine(line);
  return said && !isLabel(said.name) ? said : null;
}

/** Returns the time of a line such as "[00:12] Anna: text" or "Anna 00:12"; "" for another line. */
export function timeOf(line: string): string {
  const before = leadingTime.exec(line)?.[0].trim();
  return before ?? line.replace(timedLine(line)?.name ?? line, "").replace(/^[ ,|–—-]+/, "");
}

/** Reports whether a line is something like "Note: bring a coat". */
export const isLabelled = (line: string): boolean => isLabel(colonLine(line)?.name ?? "");

/** Returns the line as it was written, for reading. */
export const written = ({ name, text, directions = [] }: Line): string =>
  `${name}${directions.map((d) => ` (${d})`).join("")}: ${text}`;

/** Returns the lines of speakers who speak only once. */
export function saidOnce(lines: readonly Line[]): Line[] {
  const counts = new Map<string, number>();
  for (const { name } of lines) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return lines.filter(({ name }) => counts.get(fold(name)) === 1);
}

/** Adds words to a line. */
export function append(line: Line, words: string): void {
  line.text = line.text && words ? `${line.text} ${words}` : line.text || words;
}

/** Returns the lines with words, and directions of lines without any among what is left. */
export function withWords({ title, lines, left, doubtful }: Pasted): Pasted {
  return {
    title,
    lines: lines.filter((line) => line.text),
    doubtful,
    left: [
      ...left,
      ...lines.filter((line) => !line.text).map(({ name, directions }) => [name, ...(directions ?? [])].join(" ")),
    ],
  };
}
