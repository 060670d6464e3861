import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import type { Profile } from "@/api/types";
import { sourceSchema, withoutSource, writtenIn, type Passage } from "@/features/drafts/views";
import { fold } from "@/lib/fold";
import { voiceFor, withTags } from "./dialogue";
import { namedLine } from "./pasted/names";
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
}

export interface FromText {
  script: ScriptContent;
  /** The script that the text was before, if it says something else now. */
  before: ScriptContent | null;
}

/** Returns the speaker and the words of a "Name: words" line; null for another line, also for one with a time. */
function nameAt(line: string): Passage | null {
  const said = namedLine(line.trim());
  if (!said || !line.replace(/^[\s*]+/, "").startsWith(said.name)) return null;
  return { name: said.name, text: withTags(said) };
}

/** Reports whether a text is a dialogue: at least two lines have names, the first of all or the first below a title. */
function isDialogue(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first] = lines[0]?.startsWith("#") ? lines.slice(1) : lines;
  return first !== undefined && nameAt(first) !== null && lines.filter(nameAt).length >= 2;
}

/** Returns what each speaker of a dialogue says; what comes before the first name is said by no one. */
function passagesOf(text: string): Passage[] {
  const passages: { name: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const named = nameAt(line);
    if (named) passages.push({ name: named.name, lines: [named.text] });
    else if (passages.length === 0) passages.push({ name: "", lines: [line] });
    else passages.at(-1)?.lines.push(line);
  }
  return passages
    .map(({ name, lines }) => ({ name, text: lines.join("\n").trim() }))
    .filter(({ name, text }) => name !== "" || text !== "");
}

/** Returns the paragraphs of one speaker, several in one passage where there are more than a script has turns. */
function paragraphsOf(text: string): Passage[] {
  const paragraphs = text.split(/\n[ \t]*\n/).map((one) => one.trim());
  return paragraphs.filter((one) => one !== "").map((one) => ({ name: "", text: one }));
}

/** Joins neighbours, as few as possible, until a script has place for all; nothing is left out. */
function fit(passages: readonly Passage[]): Passage[] {
  const size = Math.ceil(passages.length / maxTurns);
  const joined: Passage[] = [];
  for (let i = 0; i < passages.length; i += size) {
    const group = passages.slice(i, i + size);
    const name = group[0]?.name ?? "";
    const text = group.map((one) => (one.name === name ? one.text : `${one.name}: ${one.text}`)).join("\n\n");
    joined.push({ name, text });
  }
  return joined;
}

/** Returns the turns of passages, those that were in the script before with their ids and audio. */
function turnsOf(
  passages: readonly Passage[],
  before: ScriptContent,
  voices: readonly Profile[],
  main: Profile | undefined,
): ScriptContent {
  const speakers: Speaker[] = [...before.speakers];
  const left = [...before.turns];
  const turns = passages.map(({ name, text }): Turn => {
    let speaker = name === "" ? speakers[0] : speakers.find((one) => fold(one.name) === fold(name));
    if (!speaker) {
      speaker = newSpeaker(speakers, name, voiceFor(name, speakers, voices, main));
      speakers.push(speaker);
    }
    const speakerId = speaker.id;
    const at = left.findIndex((turn) => turn.speakerId === speakerId && turn.text.trim() === text);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    return same ?? { id: newId(), speakerId, text };
  });
  return { ...before, speakers, turns: turns.length > 0 ? turns : before.turns.slice(0, 1).map(emptied) };
}
const emptied = (turn: Turn): Turn => ({ ...turn, text: "" });

/**
 * Returns the script of a text, and the script that it was before, if it was one. "Name: words" lines become turns of
 * that speaker; any other text is a script of one speaker. Null for content that is no text.
 */
export function fromText(content: DraftContent, { title, names, voices }: Options): FromText | null {
  const result = v.safeParse(textSchema, content);
  if (!result.success) return null;
  const { text, profile_id, named, source } = result.output;
  const before = source ? parseScript(source.content) : null;
  const isSame = before !== null && source?.written === text;
  const lines = text.replaceAll("\r\n", "\n");
  const usesNames = before !== null && new Set(before.turns.map((turn) => turn.speakerId)).size > 1;
  const hasNames = isDialogue(lines) || (usesNames && lines.split("\n").some(nameAt));
  const passages = hasNames ? passagesOf(lines) : paragraphsOf(lines);
  const start = before ?? emptyScript(names, profile_id ?? firstVoice(voices)?.id ?? "");
  const main = voices.find((voice) => voice.id === start.speakers[0]?.profileId) ?? firstVoice(voices);
  // The two speakers of an empty script are replaced by those of a dialogue.
  const cast = before === null && hasNames && passages[0]?.name !== "" ? { ...start, speakers: [] } : start;
  const script = isSame ? before : turnsOf(fit(passages), cast, voices, main);
  return {
    script: {
      ...script,
      title: named ? title : "",
      source: { content: withoutSource(content), written: writtenIn(script) },
    },
    before: isSame ? null : before,
  };
}
