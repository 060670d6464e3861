import { fold } from "@/lib/fold";
import { isHeading } from "@/lib/heading";
import { markupPattern } from "@/lib/markup";
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
  withoutMark,
  type Line,
} from "./names";
import { taggedLines, titleOf } from "./subtitles";
import { readTable, type TableRow } from "./table";

/** A line of a text, and what a speaker says in it. */
export interface Entry {
  line: string;
  said: Line | null;
  /** It is not spoken: a cell of another column, a note of subtitles. */
  isLeft?: boolean;
  /** It names the whole, and is not spoken. */
  isTitle?: boolean;
}
export interface Entries {
  entries: Entry[];
  /** Lists have this form too, and no name comes back. */
  isList: boolean;
}

/** Returns the turn of a line. A name of `known` is one where another would be doubted. */
type Reader = (line: string, known?: ReadonlySet<string>) => Line | null;

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
const onlyAddress = /^<?(?:https?:\/\/|www\.)\S+$/i; // the line of a list of sources
const rowNumber = /^\(?\d{1,4}[.)]?$/;
// What stands in brackets before words and is how they are said; the tags of voices are in markupPattern.
const manner =
  /^(?:(?:soft|quiet|loud|gent|slow|quick|warm|cold|proud|firm|brief|eager|bitter|grave|hopeful|joyful|thoughtful)ly|aufgeregt|traurig|wütend|fröhlich|leise|laut|flüsternd|lachend|weinend|ängstlich|müde|nervös|ruhig|überrascht|ernst|sarkastisch|zögernd)$/iu;
const isManner = (words: string): boolean => manner.test(words) || markupPattern().test(`[${words}]`);

/** Returns a turn of a line, whose words are at its end; null where the name is none. */
function turnOf(line: string, speaker: string | undefined, text: string | undefined, directed?: string): Line | null {
  const words = text?.trim() ?? "";
  if (!speaker || !hasWords(words) || onlyAddress.test(words) || isLabel(speaker) || isOpener(speaker)) return null;
  const lead = line.slice(0, line.lastIndexOf(words));
  return {
    name: speaker,
    text: words,
    lead,
    ...(directed && !onlyTime.test(directed) ? { directions: [directed] } : {}),
  };
}

/** "Anna - Hi". Words between two dashes are an aside, "Anna - the eldest - was late", unless Anna is known to speak. */
function dashLine(line: string, known?: ReadonlySet<string>): Line | null {
  for (const part of unmarked(singleSpaces(line))) {
    const match = withDash.exec(part);
    const isAside = /^\p{Ll}/u.test(match?.[3] ?? "") && / [-–—] /.test(match?.[3] ?? "");
    const isTurn = !isAside || known?.has(fold(match?.[1] ?? ""));
    const turn = match && isTurn ? turnOf(part, match[1], match[3], match[2]) : null;
    if (turn) return turn;
  }
  return null;
}

/** "Anna", a tab and "Hi". A time or the number of the row may stand in a column before; the words of a known speaker may have tabs. */
function tabLine(line: string, known?: ReadonlySet<string>): Line | null {
  const all = line.trim().split(/\t+/).map(singleSpaces);
  const [first = ""] = all;
  const cells = all.length > 2 && (onlyTime.test(first) || rowNumber.test(first)) ? all.slice(1) : all;
  const speaker = withoutMark(cells[0] ?? "");
  const text = cells.slice(1).join(" ");
  const isTurn = cells.length === 2 || (cells.length > 2 && known?.has(fold(speaker)));
  return isTurn && name.test(speaker) && /\p{L}/u.test(text) ? turnOf(singleSpaces(line), speaker, text) : null;
}

/** "[Anna] Hi", and "<Anna> Hi" of chats. */
function bracketLine(line: string): Line | null {
  for (const part of unmarked(singleSpaces(line))) {
    const match = withBrackets.exec(part);
    const speaker = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
    const turn = isNoise(speaker) || isManner(speaker) ? null : turnOf(part, speaker, match?.[4]);
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
  const known = namesIn(form?.turns ?? []);
  const read: Reader = form ? (line) => form.read(line, known) ?? base(line) : base;
  const isNumbered =
    plain.length > 0 && content.filter((line) => /^\s*\(?\d{1,4}[.)]/.test(line)).length >= plain.length;
  return {
    entries: lines.map((line) => ({ line, said: line.trim() ? read(line) : null })),
    isList: form ? !comesBack(content.flatMap((line) => read(line) ?? [])) : isNumbered && !comesBack(plain),
  };
}

/** Returns the entries of a row: its turn, or words that go on, and the cells that are not spoken. */
function entriesOf({ line, name: speaker, text, others }: TableRow): Entry[] {
  const cells = others.map((cell) => ({ line: cell, said: null, isLeft: true }));
  if (!speaker) return [{ line: text, said: null }, ...cells];
  const named = `${speaker.replace(/ ?[:：]$/, "")}: ${singleSpaces(text)}`;
  if (isLabelled(named)) return [{ line, said: null, isLeft: true }, ...cells];
  const said = { name: speaker, ...namedLine(named), text, lead: line.slice(0, Math.max(0, line.lastIndexOf(text))) };
  return [{ line, said }, ...cells];
}

/** Returns lines without the marks of a quotation, if speakers are quoted: "> Anna: Hi". */
function unquoted(lines: string[]): string[] {
  const withoutMarks = (line: string) => line.replace(/^\s*(?:> ?){1,5}/, "");
  const readers: Reader[] = [namedLine, dashLine, bracketLine, tabLine];
  const isTurn = (line: string) => startsWithVoice(line) || readers.some((read) => read(line));
  const isQuoted = lines.some((line) => /^\s*>/.test(line) && isTurn(withoutMarks(line)));
  return isQuoted ? lines.map(withoutMarks) : lines;
}

/** Returns a turn without the noise at its start and end, which is left out. */
export function spokenOf(said: Line | null, left: string[]): Line | null {
  const noise = said ? noiseIn(said.text.trim()) : "";
  if (!said || !noise) return said;
  left.push(`${said.name}: ${noise}`);
  return spokenOf({ ...said, text: said.text.replace(noise, "").trim() }, left);
}

const startsWithVoice = (line: string): boolean => /^<v[ .]/.test(withoutMark(line));

/** Returns the entries of lines with the voice tags of WebVTT; its header, notes and styles are not spoken. */
function taggedEntries(lines: readonly string[]): Entry[] {
  let isNote = false;
  return lines.flatMap((line): Entry[] => {
    if (/^\s*WEBVTT\b/.test(line)) {
      const title = titleOf(line.trim());
      return title ? [{ line: title, said: null, isLeft: true, isTitle: true }] : [];
    }
    isNote = line.trim() !== "" && (isNote || /^\s*(?:NOTE|STYLE|REGION)\b/.test(line));
    if (isNote) return [{ line, said: null, isLeft: true }];
    const tagged = taggedLines(startsWithVoice(line) ? withoutMark(line) : line);
    return tagged.map(({ words, said }) => ({ line: words, said }));
  });
}

/** Returns the lines of a text, and who speaks in them, in any of the forms that scripts are written in. */
export function readEntries(text: string): Entries {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = unquoted(plain.split("\n"));
  if (lines.some(startsWithVoice)) return { entries: taggedEntries(lines), isList: false };
  const table = readTable(lines.join("\n"));
  if (!table) return readLines(lines);
  const entries = table.rows.flatMap(entriesOf);
  return { entries, isList: !table.hasHeader && !comesBack(entries.flatMap(({ said }) => said ?? [])) };
}
