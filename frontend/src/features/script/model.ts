import type { Generation, ScriptRequest } from "@/api/types";
import { nameOf } from "@/features/drafts/name";
import { asRead } from "@/lib/heading";
import { passagesIn, writePassages, type Source } from "@/features/drafts/views";

/** A speaker of the script: a name, a voice, one of the eight hues. */
export interface Speaker {
  id: string;
  name: string;
  profileId: string;
  hue: number;
}
/** The text and voice that a turn was last generated with, and the generation. */
export interface Spoken {
  generationId: string;
  text: string;
  profileId: string;
}
export interface Turn {
  id: string;
  speakerId: string;
  text: string;
  spoken?: Spoken | undefined;
}
export interface ScriptContent {
  kind: "script";
  title: string;
  gapMs: number;
  speakers: Speaker[];
  turns: Turn[];
  /** The script on the server with which the turns were last generated. */
  scriptId?: string;
  /** The takes in its joined file, and the state of the script on the server that has this file. */
  joined?: { takes: string; at: string } | undefined;
  /** The text that the script was made from. */
  source?: Source;
}

export const hues = 8;
export const maxTurns = 200;
/** The limit for all turns together. */
export const maxCharacters = 200_000;

let idCount = 0;
/** Creates an id that is unique within a draft; the time distinguishes those of two sessions. */
export const newId = (): string => `${Date.now().toString(36)}-${(idCount += 1).toString(36)}`;

/** Returns the least used hue, the first of them. */
export function nextHue(speakers: readonly Speaker[]): number {
  const uses = Array.from({ length: hues }, (_, i) => speakers.filter((s) => s.hue === i + 1).length);
  return uses.indexOf(Math.min(...uses)) + 1;
}

export function newSpeaker(speakers: readonly Speaker[], name: string, profileId: string): Speaker {
  return { id: newId(), name, profileId, hue: nextHue(speakers) };
}

export function emptyScript(names: readonly [string, string], profileId = ""): ScriptContent {
  const first = newSpeaker([], names[0], profileId);
  const second = newSpeaker([first], names[1], profileId);
  return {
    kind: "script",
    title: "",
    gapMs: 300,
    speakers: [first, second],
    turns: [{ id: newId(), speakerId: first.id, text: "" }],
  };
}

export const speakerOf = (script: ScriptContent, turn: Turn): Speaker | undefined =>
  script.speakers.find((s) => s.id === turn.speakerId);

/** Returns the title of a script that was given none: the first words of its text; empty without text. */
export const derivedTitle = (script: ScriptContent): string => nameOf(writePassages(passagesIn(script)), "");
export const titleOf = (script: ScriptContent): string => script.title.trim() || derivedTitle(script);

const change = (script: ScriptContent, id: string, part: Partial<Turn>): ScriptContent => ({
  ...script,
  turns: script.turns.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)),
});

export const setText = (script: ScriptContent, id: string, text: string): ScriptContent => change(script, id, { text });
export const setSpeaker = (script: ScriptContent, id: string, speakerId: string): ScriptContent =>
  change(script, id, { speakerId });

/** Tab: the next speaker of the cast, or the previous one. */
export function cycleSpeaker(script: ScriptContent, id: string, step: 1 | -1): ScriptContent {
  const turn = script.turns.find((t) => t.id === id);
  const at = script.speakers.findIndex((s) => s.id === turn?.speakerId);
  const next = script.speakers[(at + step + script.speakers.length) % script.speakers.length];
  return next ? setSpeaker(script, id, next.id) : script;
}

/** Enter: the text after the cursor becomes a new turn of the other speaker, as in a dialogue. */
export function splitTurn(script: ScriptContent, id: string, caret: number): { script: ScriptContent; focus: string } {
  const at = script.turns.findIndex((t) => t.id === id);
  const turn = script.turns[at];
  if (!turn || script.turns.length >= maxTurns) return { script, focus: id };
  const afterCaret = turn.text.slice(caret).trimStart();
  const before = script.turns
    .slice(0, at)
    .reverse()
    .find((t) => t.speakerId !== turn.speakerId);
  const other = before?.speakerId ?? script.speakers.find((s) => s.id !== turn.speakerId)?.id ?? turn.speakerId;
  const next: Turn = { id: newId(), speakerId: afterCaret ? turn.speakerId : other, text: afterCaret };
  const turns = [
    ...script.turns.slice(0, at),
    { ...turn, text: turn.text.slice(0, caret).trimEnd() },
    next,
    ...script.turns.slice(at + 1),
  ];
  return { script: { ...script, turns }, focus: next.id };
}

/** Backspace at the start: joins the turn with the previous one; `caret` is where they meet. */
export function joinTurn(
  script: ScriptContent,
  id: string,
): { script: ScriptContent; focus: string; caret: number } | null {
  const at = script.turns.findIndex((t) => t.id === id);
  const [before, turn] = [script.turns[at - 1], script.turns[at]];
  if (!before || !turn) return null;
  const space = before.text && turn.text && !/\s$/.test(before.text) ? " " : "";
  const text = before.text + space + turn.text;
  const turns = script.turns.filter((t) => t.id !== id).map((t) => (t.id === before.id ? { ...t, text } : t));
  return { script: { ...script, turns }, focus: before.id, caret: before.text.length + space.length };
}

/** Moves a turn up or down by one; returns the same script at the ends. */
export function moveTurn(script: ScriptContent, id: string, step: 1 | -1): ScriptContent {
  const at = script.turns.findIndex((t) => t.id === id);
  const [turn, other] = [script.turns[at], script.turns[at + step]];
  if (!turn || !other) return script;
  return { ...script, turns: script.turns.map((t) => (t === turn ? other : t === other ? turn : t)) };
}

/** Removes a speaker from the cast; the turns go to the first of the others. */
export function removeSpeaker(script: ScriptContent, id: string): ScriptContent {
  const speakers = script.speakers.filter((s) => s.id !== id);
  const replacement = speakers[0];
  if (!replacement) return script;
  return {
    ...script,
    speakers,
    turns: script.turns.map((turn) => (turn.speakerId === id ? { ...turn, speakerId: replacement.id } : turn)),
  };
}

/** Reports whether a turn has no audio, that of an older text or voice, or current audio. */
export function soundOf(script: ScriptContent, turn: Turn): "none" | "changed" | "made" {
  if (!turn.spoken) return "none";
  const same = turn.spoken.text === turn.text.trim() && turn.spoken.profileId === speakerOf(script, turn)?.profileId;
  return same ? "made" : "changed";
}

export const hasWords = (turn: Turn): boolean => /[\p{L}\p{N}]/u.test(turn.text);
/** Returns the turns that will be generated. */
export const speakable = (script: ScriptContent): Turn[] => script.turns.filter(hasWords);

/** Returns the body of POST /script and PUT /scripts/{id}: turns with current audio name their generation. */
export function toScriptRequest(script: ScriptContent): ScriptRequest {
  const title = titleOf(script);
  const turns = speakable(script).map((turn) => {
    const speaker = speakerOf(script, turn);
    const name = speaker?.name.trim().slice(0, 100) ?? "";
    return {
      profile_id: speaker?.profileId ?? "",
      text: turn.text,
      ...(name ? { speaker: name } : {}),
      ...(turn.spoken && soundOf(script, turn) === "made" ? { generation_id: turn.spoken.generationId } : {}),
    };
  });
  return { turns, gap_ms: script.gapMs, ...(title ? { title } : {}) };
}

/**
 * Returns the turn that is heard when a part, 0 to 1, of a generation has been heard, and how much of it: the turns of a
 * dialogue share a generation, and are taken to last as long as their texts.
 */
export function turnAt(turns: readonly Turn[], part: number): { turn: Turn | undefined; part: number } {
  const lengths = turns.map((turn) => Math.max(1, (turn.spoken?.text ?? turn.text).length));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  const at = lengths.findIndex((length, i) => {
    if (left < length || i === lengths.length - 1) return true;
    left -= length;
    return false;
  });
  return { turn: turns[at], part: Math.min(1, left / (lengths[at] ?? 1)) };
}

/** Records what a turn was generated with. */
export const markTurn = (script: ScriptContent, id: string, spoken: Spoken): ScriptContent =>
  change(script, id, { spoken });

/** Reports whether these generations, in this order, are the audio of the current script. */
export function isSpokenAs(script: ScriptContent, turns: readonly Generation[]): boolean {
  const turnsToSpeak = speakable(script);
  return (
    turnsToSpeak.length === turns.length &&
    turnsToSpeak.every((turn, i) => soundOf(script, turn) === "made" && turn.spoken?.generationId === turns[i]?.id)
  );
}

/** Returns the takes of the generations that a file joined now would have. */
export const takesOf = (turns: readonly Generation[]): string =>
  turns.map((g) => `${g.id}:${g.chunks.map((c) => c.take).join(".")}`).join(" ");

const nameWords = 6;

/** Returns the file names of turns: number, speaker and first words. */
export function fileNames(script: ScriptContent, generations: readonly Generation[]): string[] {
  const turns = speakable(script);
  return generations.map((generation) => {
    const at = turns.findIndex((turn) => turn.spoken?.generationId === generation.id);
    const turn = turns[at];
    const number = String(at + 1).padStart(String(turns.length).length, "0");
    const words = asRead(generation.text).trim().split(/\s+/).slice(0, nameWords).join(" ");
    return [number, turn ? speakerOf(script, turn)?.name.trim() : "", words].filter(Boolean).join(" ").slice(0, 80);
  });
}

export const remainingCharacters = (script: ScriptContent): number =>
  Math.max(0, maxCharacters - script.turns.reduce((sum, turn) => sum + turn.text.length, 0));

export const wordCount = (script: ScriptContent): number =>
  script.turns.reduce((sum, turn) => sum + (turn.text.match(/\S+/g)?.length ?? 0), 0);

/** Undoes the removal of a turn, in a script that was edited since. */
export function restoreTurn(script: ScriptContent, before: readonly Turn[], id: string): ScriptContent {
  const at = before.findIndex((turn) => turn.id === id);
  const turn = before[at];
  if (!turn || script.turns.some((other) => other.id === id)) return script;
  const speakerId = script.speakers.some((speaker) => speaker.id === turn.speakerId)
    ? turn.speakerId
    : (script.speakers[0]?.id ?? "");
  return { ...script, turns: [...script.turns.slice(0, at), { ...turn, speakerId }, ...script.turns.slice(at)] };
}

/** Undoes the removal of a speaker, in a script that was edited since. */
export function restoreSpeaker(script: ScriptContent, before: ScriptContent, speaker: Speaker): ScriptContent {
  if (script.speakers.some(({ id }) => id === speaker.id)) return script;
  const at = before.speakers.findIndex(({ id }) => id === speaker.id);
  const ownTurns = new Set(before.turns.filter((turn) => turn.speakerId === speaker.id).map((turn) => turn.id));
  return {
    ...script,
    speakers: [...script.speakers.slice(0, at), speaker, ...script.speakers.slice(at)],
    turns: script.turns.map((turn) => (ownTurns.has(turn.id) ? { ...turn, speakerId: speaker.id } : turn)),
  };
}
