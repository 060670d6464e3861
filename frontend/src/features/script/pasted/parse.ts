import { fold } from "@/lib/fold";
import { asRead } from "@/lib/heading";
import { readEntries, spokenOf, type Entries } from "./entries";
import { isSceneHeading, parseFountain } from "./fountain";
import {
  append,
  isDirection,
  isLabel,
  isLabelled,
  isOpener,
  isPartHeading,
  linesOf,
  saidOnce,
  singleSpaces,
  withWords,
  written,
  type Line,
  type Pasted,
} from "./names";
import { parseSubtitles } from "./subtitles";

const longestTitle = 100;
// "Anna: Hi. Ben (laughing): Hello." A name within a line begins a sentence and has capitals.
const within =
  /(^|[.!?…]["”»’)]? )((?:\p{Lu}[\p{L}\p{N}'’-]{0,30}(?: (?=\p{Lu})|(?=[:： (]))){1,3}) ?(?:\(([^()]{1,80})\))? ?[:：] /gu;

/** Returns the turns of a dialogue on a single line; null for another line. */
function parseSingleLine(line: string): Pasted | null {
  const starts = [...line.matchAll(within)].filter((start) => !isLabel(start[2] ?? ""));
  if (starts.length < 2 || starts[0]?.index !== 0) return null;
  const lines = starts.map((start, i): Line => {
    const next = starts[i + 1];
    const text = line.slice(start.index + start[0].length, next ? next.index + (next[1] ?? "").length : undefined);
    return { name: (start[2] ?? "").trim(), text: text.trim(), ...(start[3] ? { directions: [start[3]] } : {}) };
  });
  const found = withWords({ title: "", lines, left: [], doubtful: [] });
  const once = saidOnce(found.lines);
  // Sentences may begin like that too; a speaker who comes back is one.
  return once.length < found.lines.length ? found : { ...found, doubtful: once.map(written) };
}

/** Reports whether a line before the first speaker is a title: it is short and no sentence. */
const isTitle = (line: string): boolean =>
  line.length <= longestTitle && (line.startsWith("#") || !/[.,;:!?…。]["”]?$/.test(line));

const withoutEmphasis = (line: string): string => line.replace(/^([*_]{1,3})([^*_]{1,100})\1$/, "$2");

const mostLead = 4; // lines between a title and the first speaker: an author, a place, a sentence about the play

/** Reports whether the first line may be a title with a colon: "The Lighthouse: A Play". It is no sentence of one who speaks again. */
const mayBeTitle = (first: Line, others: readonly Line[]): boolean =>
  others.length > 1 &&
  !/[.,;!?…。！？]["”»’)]?$/.test(first.text) &&
  !others.some((line) => fold(line.name) === fold(first.name));

const isRule = (line: string): boolean => /^(?:[-–—_*=~] ?){3,}$/.test(line);
const singleSpaced = (said: Line | null): Line | null => said && { ...said, text: singleSpaces(said.text) };

/** Returns the turns of "Name: text" lines; a line without a name continues the turn. Null for another text. */
function parseNamedLines({ entries, isList }: Entries): Pasted | null {
  const out: Pasted = { title: "", lines: [], left: [], doubtful: [] };
  let hasProse = false;
  let lead = 0;
  for (const entry of entries) {
    const line = singleSpaces(entry.line);
    const said = singleSpaced(spokenOf(entry.said, out.left));
    const last = out.lines.at(-1);
    if (entry.isTitle) out.title = line;
    else if (entry.isLeft) out.left.push(line);
    else if (said && !last && !out.title && /^tit(le|el)$/i.test(said.name)) out.title = said.text;
    else if (said) out.lines.push(said);
    else if (!line || isRule(line)) continue;
    else if (!last && !out.title && isPartHeading(line) && isTitle(line)) out.title = withoutEmphasis(asRead(line));
    else if (isSceneHeading(line) || isDirection(line) || isLabelled(line)) out.left.push(line);
    else if (last) {
      hasProse = true;
      append(last, line);
    } else if (!out.title && isTitle(line)) out.title = withoutEmphasis(asRead(line));
    else if ((lead += 1) <= mostLead) out.left.push(line);
    else return null; // prose before the first name: a later colon does not make it a dialogue
  }
  const found = withWords(out);
  const [first, ...others] = found.lines;
  if (!first || others.length === 0) return null;
  const once = saidOnce(found.lines);
  if (hasProse || lead > 0 || isList) return { ...found, doubtful: once.map(written) };
  const openers = once.filter(({ name }) => isOpener(name));
  if (openers.length > 0) return { ...found, doubtful: openers.map(written) };
  return mayBeTitle(first, others) ? { ...found, doubtful: [written(first)] } : found;
}

/**
 * Returns the one turn of a line "Name: words", which is doubtful unless a speaker has that name. Null where it is more likely a
 * sentence with a colon: the words begin with a small letter, or the name has more than three words.
 */
function parseOneTurn(said: Line | null | undefined, speakers: readonly string[]): Pasted | null {
  if (!said?.text) return null;
  const isKnown = speakers.some((name) => fold(name) === fold(said.name));
  const isLikely = /^(?:[^\p{Ll}\p{N}]{0,3})(?:\p{Lu}|\p{Lo})/u.test(said.text) && said.name.split(" ").length <= 3;
  if (!isKnown && !isLikely) return null;
  return { title: "", lines: [said], left: [], doubtful: isKnown ? [] : [written(said)] };
}

/**
 * Returns the script in a pasted text: "Name: text" lines, a screenplay or subtitles. Null for any other text. `speakers` are the
 * names of the cast.
 */
export function parsePasted(text: string, speakers: readonly string[] = []): Pasted | null {
  const [line = "", ...more] = linesOf(text.replace(/^\uFEFF/, "")).filter(Boolean);
  const read = readEntries(text);
  const [first, ...others] = read.entries.filter((entry) => entry.line.trim() !== "");
  if (others.length === 0)
    return (
      parseSingleLine(line.replace(/^\[[\d:.,]{4,12}\] ?/, "")) ??
      parseOneTurn(singleSpaced(spokenOf(first?.said ?? null, [])), speakers)
    );
  if (more.length === 0) return parseNamedLines(read); // several tags in one line
  return parseSubtitles(text) ?? parseFountain(text) ?? parseNamedLines(read);
}
