import { fold } from "@/lib/fold";
import { isHeading } from "@/lib/heading";
import {
  isDirection,
  isLabel,
  isLabelled,
  isNoise,
  isOpener,
  namedLine,
  noiseIn,
  onlyTime,
  properName,
  singleSpaces,
  unmarked,
  type Line,
} from "./names";
import { taggedLines } from "./subtitles";
import { readTable, type TableRow } from "./table";

/** A line of a text, and what a speaker says in it. */
export interface Entry {
  line: string;
  said: Line | null;
  /** It is not spoken: a cell of another column. */
  isLeft?: boolean;
}
export interface Entries {
  entries: Entry[];
  /** Lists have this form too, and no name comes back. */
  isList: boolean;
}

type Reader = (line: string) => Line | null;

const direction = String.raw`(?: ?[([]([^()[\]]{1,80})[)\]])?`;
const withDash = new RegExp(
  String.raw`^[*_]{0,3}(${properName})[*_]{0,3}${direction}(?: (?:--|[-–—―]) ?|[–—―] )(.+)$`,
  "u",
);
const withBrackets = new RegExp(
  String.raw`^(?:\[(${properName})\]|【(${properName})】|<(${properName})>) ?[-–—:：]? ?(.+)$`,
  "u",
);
const name = new RegExp(`^${properName}$`, "u");
const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns a turn of a line, whose words are at its end; null where the name is none. */
function turnOf(line: string, speaker: string | undefined, text: string | undefined, directed?: string): Line | null {
  const words = text?.trim() ?? "";
  if (!speaker || !hasWords(words) || isLabel(speaker) || isOpener(speaker)) return null;
  const lead = line.slice(0, line.lastIndexOf(words));
  return {
    name: speaker,
    text: words,
    lead,
    ...(directed && !onlyTime.test(directed) ? { directions: [directed] } : {}),
  };
}

/** "Anna - Hi". Words between two dashes are an aside: "Anna - the eldest - was late". */
function dashLine(line: string): Line | null {
  for (const part of unmarked(singleSpaces(line))) {
    const match = withDash.exec(part);
    const isAside = /^\p{Ll}/u.test(match?.[3] ?? "") && / [-–—] /.test(match?.[3] ?? "");
    const turn = match && !isAside ? turnOf(part, match[1], match[3], match[2]) : null;
    if (turn) return turn;
  }
  return null;
}

/** "Anna", a tab and "Hi". A time may stand in a column before. */
function tabLine(line: string): Line | null {
  const cells = line.trim().split(/\t+/).map(singleSpaces);
  const [speaker, text] = cells.length === 3 && onlyTime.test(cells[0] ?? "") ? cells.slice(1) : cells;
  const isTurn = cells.length <= 3 && name.test(speaker ?? "") && /\p{L}/u.test(text ?? "");
  return isTurn && (cells.length === 2 || speaker !== cells[0]) ? turnOf(singleSpaces(line), speaker, text) : null;
}

/** "[Anna] Hi", and "<Anna> Hi" of chats. */
function bracketLine(line: string): Line | null {
  for (const part of unmarked(singleSpaces(line))) {
    const match = withBrackets.exec(part);
    const speaker = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
    const turn = isNoise(speaker) ? null : turnOf(part, speaker, match?.[4]);
    if (turn) return turn;
  }
  return null;
}

const namesIn = (turns: readonly Line[]): Set<string> => new Set(turns.map((turn) => fold(turn.name)));
const comesBack = (turns: readonly Line[]): boolean => namesIn(turns).size < turns.length;

/**
 * Reports whether turns of a form that prose and lists have too are a dialogue: two speakers who come back, or a form that all
 * lines have but a title.
 */
function isConsistent(turns: readonly Line[], lines: readonly string[]): boolean {
  if (turns.length < 2) return false;
  const isDialogue = namesIn(turns).size >= 2 && namesIn(turns).size * 2 <= turns.length + 1;
  return isDialogue ? turns.length * 3 >= lines.length : turns.length >= lines.length;
}

/** Returns the entries of lines, each read in the form that most turns of the text have. */
function readLines(lines: readonly string[]): Entries {
  const base: Reader = (line) => namedLine(line.trim()) ?? namedLine(singleSpaces(line));
  const content = lines.filter((line) => {
    const words = singleSpaces(line);
    return words && !isDirection(words) && !isLabelled(words) && !isHeading(words);
  });
  const plain = content.flatMap((line) => base(line) ?? []);
  const forms = [bracketLine, tabLine, dashLine].map((read) => {
    const [first = "", ...others] = content;
    const spoken = read(first) ? content : others; // the first line may be a title
    return { read, turns: spoken.flatMap((line) => read(line) ?? []), lines: spoken };
  });
  const form = forms.find(({ turns, lines: spoken }) => turns.length >= plain.length && isConsistent(turns, spoken));
  const read: Reader = form ? (line) => form.read(line) ?? base(line) : base;
  const isNumbered =
    plain.length > 0 && content.filter((line) => /^\s*\(?\d{1,4}[.)]/.test(line)).length >= plain.length;
  return {
    entries: lines.map((line) => ({ line, said: line.trim() ? read(line) : null })),
    isList: form ? !comesBack(form.turns) : isNumbered && !comesBack(plain),
  };
}

/** Returns the entries of a row: its turn, or words that go on, and the cells that are not spoken. */
function entriesOf({ line, name: speaker, text, others }: TableRow): Entry[] {
  const said = speaker ? { name: speaker, text, lead: line.slice(0, Math.max(0, line.lastIndexOf(text))) } : null;
  return [{ line: said ? line : text, said }, ...others.map((cell) => ({ line: cell, said: null, isLeft: true }))];
}

/** Returns lines without the marks of a quotation, if speakers are quoted: "> Anna: Hi". */
function unquoted(lines: string[]): string[] {
  const withoutMarks = (line: string) => line.replace(/^\s*(?:> ?){1,5}/, "");
  const isQuoted = lines.some((line) => /^\s*>/.test(line) && [namedLine, dashLine].some((r) => r(withoutMarks(line))));
  return isQuoted ? lines.map(withoutMarks) : lines;
}

/** Returns a turn without the noise at its start or end, which is left out. */
export function spokenOf(said: Line | null, left: string[]): Line | null {
  const noise = said ? noiseIn(said.text.trim()) : "";
  if (!said || !noise) return said;
  left.push(`${said.name}: ${noise}`);
  return { ...said, text: said.text.replace(noise, "").trim() };
}

/** Returns the lines of a text, and who speaks in them, in any of the forms that scripts are written in. */
export function readEntries(text: string): Entries {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = plain.split("\n");
  if (lines.some((line) => /^\s*<v[ .]/.test(line))) {
    const tagged = lines.filter((line) => !/^\s*WEBVTT\b/.test(line)).flatMap(taggedLines);
    return { entries: tagged.map(({ words, said }) => ({ line: words, said })), isList: false };
  }
  const table = readTable(plain);
  if (!table) return readLines(unquoted(lines));
  const entries = table.rows.flatMap(entriesOf);
  return { entries, isList: !table.hasHeader && !comesBack(entries.flatMap(({ said }) => said ?? [])) };
}
