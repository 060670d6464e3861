import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import type { Profile } from "@/api/types";
import { sourceSchema, withoutSource, writtenIn } from "@/features/drafts/views";
import { fold } from "@/lib/fold";
import { isHeading } from "@/lib/heading";
import { voiceFor, withTags, type PlaysTag } from "./dialogue";
import { readEntries, spokenOf, type Entry } from "./pasted/entries";
import {
  isDirection,
  isOpener,
  isPartHeading,
  saidOnce,
  singleSpaces,
  timeOf,
  written,
  type Line,
} from "./pasted/names";
import { namesOf, type AsText, type FoundName } from "./pasted/speakers";
import { emptyScript, maxTurns, newId, newSpeaker, type ScriptContent, type Speaker, type Turn } from "./model";
import { parseScript } from "./scriptStore";
import { firstVoice } from "./voices";

const textSchema = v.object({
  text: v.string(),
  profile_id: v.fallback(v.nullable(v.string()), null),
  named: v.fallback(v.boolean(), false),
  source: sourceSchema,
});
interface Options {
  /** The name of the draft. */
  title: string;
  /** The first two speakers of a script. */
  names: readonly [string, string];
  voices: readonly Profile[];
  playsTag: PlaysTag;
  /** The names whose lines are text. */
  asText?: AsText | "all";
}

export interface FromText {
  script: ScriptContent;
  /** The script that the text was before, if it says something else now. */
  before: ScriptContent | null;
  /** Lines whose names may be no speakers. */
  doubtful: string[];
  /** The names of a dialogue. */
  names: FoundName[];
  /** What is not spoken: times, descriptions of noise, headings of parts, and directions that the voices do not play. */
  left: string[];
}

/** Returns the times of the lines of a dialogue, which a script does not have; an empty list without any. */
function timesIn(entries: readonly Entry[]): string[] {
  const times = entries.flatMap(({ line, said }) => (said && timeOf(singleSpaces(line))) || []);
  return times.length > 0 ? [times.join(" ")] : [];
}

const isNotSpoken = ({ line, isLeft }: Entry): boolean =>
  isLeft === true || isDirection(singleSpaces(line)) || isPartHeading(singleSpaces(line));

/** Reports whether a text is a dialogue: at least two lines have names, the first of all or the first below a title. */
function isDialogue(entries: readonly Entry[]): boolean {
  const lines = entries.filter((entry) => entry.line.trim() !== "" && !isNotSpoken(entry));
  const [first] = lines[0]?.line.startsWith("#") ? lines.slice(1) : lines;
  return Boolean(first?.said) && lines.filter(({ said }) => said).length >= 2;
}

/** Returns the lines of a dialogue whose names occur once among lines of prose or in a list, without those of known speakers. */
function doubtfulIn(entries: readonly Entry[], isList: boolean, known: readonly Speaker[]): string[] {
  const hasProse = entries.some(
    (entry) => entry.line.trim() !== "" && !entry.said && !isHeading(entry.line) && !isNotSpoken(entry),
  );
  const isKnown = ({ name }: Line) => known.some((speaker) => fold(speaker.name) === fold(name));
  return saidOnce(passagesOf(entries).filter(({ name }) => name !== ""))
    .filter((line) => !isKnown(line) && (hasProse || isList || isOpener(line.name)))
    .map(firstLine);
}

const firstLine = (line: Line): string => written({ ...line, text: line.text.split("\n")[0] ?? "" });

/** Returns what each speaker of a dialogue says; what comes before the first name is said by no one. */
function passagesOf(entries: readonly Entry[], left: string[] = []): Line[] {
  const passages: Line[] = [];
  for (const entry of entries) {
    const last = passages.at(-1);
    const said = spokenOf(entry.said, left);
    if (isNotSpoken(entry)) left.push(singleSpaces(entry.line));
    else if (said) passages.push({ ...said });
    else if (last) last.text += `\n${entry.line}`;
    else passages.push({ name: "", text: entry.line });
  }
  return passages
    .map((one) => ({ ...one, text: one.text.trim() }))
    .filter(({ name, text }) => name !== "" || text !== "");
}

/** Returns the paragraphs of one speaker, several in one passage where there are more than a script has turns. */
function paragraphsOf(text: string): Line[] {
  const paragraphs = text.split(/\n[ \t]*\n/).map((one) => one.trim());
  return paragraphs.filter((one) => one !== "").map((one) => ({ name: "", text: one }));
}

/** Joins neighbours, as few as possible, until a script has place for all; nothing is left out. */
function fit(passages: readonly Line[]): Line[] {
  const size = Math.ceil(passages.length / maxTurns);
  const joined: Line[] = [];
  for (let i = 0; i < passages.length; i += size) {
    const group = passages.slice(i, i + size);
    const name = group[0]?.name ?? "";
    const text = group.map((one) => (one.name === name ? one.text : `${one.name}: ${one.text}`)).join("\n\n");
    joined.push({ name, text, directions: group.flatMap((one) => one.directions ?? []) });
  }
  return joined;
}

/** Returns the script of passages, and what of them is left out. Turns that were in it before keep their ids and audio. */
function scriptOf(
  passages: readonly Line[],
  before: ScriptContent,
  mainVoice: string | undefined,
  { voices, playsTag }: Options,
): { script: ScriptContent; left: string[] } {
  const main = voices.find((voice) => voice.id === mainVoice) ?? firstVoice(voices);
  const left: string[] = [];
  const speakers: Speaker[] = [...before.speakers];
  const oldTurns = [...before.turns];
  const turns = passages.map((passage): Turn => {
    const { name } = passage;
    let speaker = name === "" ? speakers[0] : speakers.find((one) => fold(one.name) === fold(name));
    if (!speaker) {
      speaker = newSpeaker(speakers, name, voiceFor(name, speakers, voices, main));
      speakers.push(speaker);
    }
    const { id: speakerId, profileId } = speaker;
    const voice = voices.find(({ id }) => id === profileId);
    const { text, left: unplayed } = withTags(passage, (direction) => playsTag(voice, direction));
    left.push(...unplayed);
    const at = oldTurns.findIndex((turn) => turn.speakerId === speakerId && turn.text.trim() === text);
    const [same] = at < 0 ? [] : oldTurns.splice(at, 1);
    return same ?? { id: newId(), speakerId, text };
  });
  const script = { ...before, speakers, turns: turns.length > 0 ? turns : before.turns.slice(0, 1).map(emptied) };
  return { script, left };
}
const emptied = (turn: Turn): Turn => ({ ...turn, text: "" });

/** A text as a dialogue, or as the paragraphs of one speaker. */
function readText(text: string, before: ScriptContent | null, asText: AsText | "all") {
  const { entries: all, isList } = readEntries(text);
  const usesNames = before !== null && new Set(before.turns.map((turn) => turn.speakerId)).size > 1;
  const hasNames = (entries: readonly Entry[]) =>
    isDialogue(entries) || (usesNames && entries.some(({ said }) => said));
  if (asText === "all" || !hasNames(all))
    return {
      hasNames: false,
      passages: paragraphsOf(text.replaceAll("\r\n", "\n")),
      doubtful: [],
      names: [],
      left: [],
    };
  const entries = all.map((entry) =>
    entry.said && asText.has(fold(entry.said.name)) ? { ...entry, said: null } : entry,
  );
  const left: string[] = [];
  const passages = passagesOf(entries, left);
  const doubtful = doubtfulIn(all, isList, before?.speakers ?? []);
  const named = passagesOf(all).filter(({ name }) => name !== "");
  const names = namesOf(
    named.map((line) => ({ ...line, text: line.text.split("\n")[0] ?? "" })),
    doubtful,
  );
  return { hasNames: true, passages, doubtful, names, left: [...timesIn(entries), ...left] };
}

/**
 * Returns the script of a text, and the script that it was before, if it was one. "Name: words" lines become turns of
 * that speaker; any other text is a script of one speaker. Null for content that is no text.
 */
export function fromText(content: DraftContent, options: Options): FromText | null {
  const { title, names, voices, asText = new Set() } = options;
  const result = v.safeParse(textSchema, content);
  if (!result.success) return null;
  const { text, profile_id, named, source } = result.output;
  const before = source ? parseScript(source.content) : null;
  const isSame = before !== null && source?.written === text;
  const found = readText(text, before, asText);
  const { passages, hasNames } = found;
  const start = before ?? emptyScript(names, profile_id ?? firstVoice(voices)?.id ?? "");
  // The two speakers of an empty script are replaced by those of a dialogue.
  const cast = before === null && hasNames && passages[0]?.name !== "" ? { ...start, speakers: [] } : start;
  const { script, left } = isSame
    ? { script: before, left: [] }
    : scriptOf(fit(passages), cast, start.speakers[0]?.profileId, options);
  return {
    script: {
      ...script,
      title: named ? title : "",
      source: { content: withoutSource(content), written: writtenIn(script) },
    },
    before: isSame ? null : before,
    doubtful: isSame ? [] : found.doubtful,
    names: found.names,
    left: isSame ? [] : [...found.left, ...left],
  };
}
