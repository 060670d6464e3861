import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import type { Profile } from "@/api/types";
import { sourceSchema, withoutSource, writtenIn } from "@/features/drafts/views";
import { fold } from "@/lib/fold";
import { isHeading } from "@/lib/heading";
import { voiceFor, withTags, type PlaysTag } from "./dialogue";
import { isDirection } from "./pasted/fountain";
import { namedLine, saidOnce, singleSpaces, timeOf, written, type Line } from "./pasted/names";
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
  /** Takes lines with names as text too. */
  asOne?: boolean;
}

export interface FromText {
  script: ScriptContent;
  /** The script that the text was before, if it says something else now. */
  before: ScriptContent | null;
  /** Lines whose names may be no speakers. */
  doubtful: string[];
  /** The times of the lines, and the directions that their voices do not play. */
  left: string[];
}

/** Returns the speaker and the words of a "Name: words" line, also of one with a time; null for another line. */
function nameAt(line: string): Line | null {
  const said = namedLine(line.trim()) ?? namedLine(singleSpaces(line)); // the second for a name and a time alone
  const start = line.replace(/^[\s*]+/, "");
  return said && (start.startsWith(said.name) || timeOf(singleSpaces(line)) !== "") ? said : null;
}

/** Returns the times of the lines of a dialogue, which a script does not have; an empty list without any. */
function timesIn(text: string): string[] {
  const times = text.split("\n").flatMap((line) => (nameAt(line) && timeOf(singleSpaces(line))) || []);
  return times.length > 0 ? [times.join(" ")] : [];
}

/** Reports whether a text is a dialogue: at least two lines have names, the first of all or the first below a title. */
function isDialogue(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first] = lines[0]?.startsWith("#") ? lines.slice(1) : lines;
  return first !== undefined && nameAt(first) !== null && lines.filter(nameAt).length >= 2;
}

/** Returns the lines of a dialogue whose names occur once among lines of prose, without those of known speakers. */
function doubtfulIn(text: string, known: readonly Speaker[]): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const hasProse = lines.some((line) => !nameAt(line) && !isHeading(line) && !isDirection(line.trim()));
  if (!hasProse) return [];
  const isKnown = ({ name }: Line) => known.some((speaker) => fold(speaker.name) === fold(name));
  return saidOnce(passagesOf(text).filter(({ name }) => name !== ""))
    .filter((line) => !isKnown(line))
    .map((line) => written({ ...line, text: line.text.split("\n")[0] ?? "" }));
}

/** Returns what each speaker of a dialogue says; what comes before the first name is said by no one. */
function passagesOf(text: string): Line[] {
  const passages: Line[] = [];
  for (const line of text.split("\n")) {
    const named = nameAt(line);
    const last = passages.at(-1);
    if (named) passages.push(named);
    else if (last) last.text += `\n${line}`;
    else passages.push({ name: "", text: line });
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

/**
 * Returns the script of a text, and the script that it was before, if it was one. "Name: words" lines become turns of
 * that speaker; any other text is a script of one speaker. Null for content that is no text.
 */
export function fromText(content: DraftContent, options: Options): FromText | null {
  const { title, names, voices, asOne = false } = options;
  const result = v.safeParse(textSchema, content);
  if (!result.success) return null;
  const { text, profile_id, named, source } = result.output;
  const before = source ? parseScript(source.content) : null;
  const isSame = before !== null && source?.written === text;
  const lines = text.replaceAll("\r\n", "\n");
  const usesNames = before !== null && new Set(before.turns.map((turn) => turn.speakerId)).size > 1;
  const hasNames = !asOne && (isDialogue(lines) || (usesNames && lines.split("\n").some(nameAt)));
  const passages = hasNames ? passagesOf(lines) : paragraphsOf(lines);
  const start = before ?? emptyScript(names, profile_id ?? firstVoice(voices)?.id ?? "");
  // The two speakers of an empty script are replaced by those of a dialogue.
  const cast = before === null && hasNames && passages[0]?.name !== "" ? { ...start, speakers: [] } : start;
  const { script, left } = isSame
    ? { script: before, left: [] }
    : scriptOf(fit(passages), cast, start.speakers[0]?.profileId, options);
  const times = hasNames && !isSame ? timesIn(lines) : [];
  return {
    script: {
      ...script,
      title: named ? title : "",
      source: { content: withoutSource(content), written: writtenIn(script) },
    },
    before: isSame ? null : before,
    doubtful: hasNames && !isSame ? doubtfulIn(lines, before?.speakers ?? []) : [],
    left: [...times, ...left],
  };
}
