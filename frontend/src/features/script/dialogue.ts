import { fold } from "@/lib/fold";
import type { Profile } from "@/api/types";
import { firstVoice, sameLanguage } from "./voices";
import { maxTurns, newId, newSpeaker, remainingCharacters, type ScriptContent, type Speaker, type Turn } from "./model";

export interface Line {
  name: string;
  text: string;
}

// "Dr Lindqvist: text". A name is short, has a letter, and is no address and no time of day.
const namedLine = /^\s*\**([\p{L}][\p{L}\p{N} .'’_-]{0,38})\**\s*[:：](?!\/\/)\**\s*(.*)$/u;

/** Splits "Name: text" lines into turns; a line without a name continues the previous turn. Null if no dialogue. */
export function parseDialogue(text: string): Line[] | null {
  const lines: { name: string; parts: string[] }[] = [];
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const match = namedLine.exec(raw);
    const last = lines.at(-1);
    if (match) lines.push({ name: (match[1] ?? "").trim(), parts: [(match[2] ?? "").trim()] });
    else if (raw.trim() && !last)
      return null; // prose before the first name: a later colon does not make it a dialogue
    else if (raw.trim() && last) last.parts.push(raw.trim());
  }
  const spoken = lines
    .map(({ name, parts }) => ({ name, text: parts.filter(Boolean).join(" ") }))
    .filter((line) => line.text);
  return spoken.length >= 2 ? spoken : null;
}

/** Returns the voice of that name, else one of the same language that no one in the cast has yet, else the first. */
function voiceFor(
  name: string,
  speakers: readonly Speaker[],
  voices: readonly Profile[],
  main: Profile | undefined,
): string {
  const usable = voices.filter((voice) => voice.usable);
  const own = usable.find((voice) => fold(voice.name.trim()) === fold(name.trim()));
  const isTaken = (voice: Profile) => speakers.some((s) => s.profileId === voice.id);
  const free = main && !isTaken(main) ? main : usable.find((voice) => !isTaken(voice) && sameLanguage(main, voice));
  return (own ?? free ?? main)?.id ?? speakers[0]?.profileId ?? "";
}

/** Returns the first turns that fit, in number and in characters. */
function linesThatFit(lines: readonly Line[], turns: number, characters: number): Line[] {
  let remaining = characters;
  const end = lines.findIndex((line, i) => i >= turns || (remaining -= line.text.length) < 0);
  return lines.slice(0, end < 0 ? lines.length : end);
}

/** Inserts a dialogue at a turn, replacing it if empty. Speakers of the same name are kept; `left` did not fit. */
export function insertDialogue(
  script: ScriptContent,
  at: string,
  lines: readonly Line[],
  voices: readonly Profile[],
): { script: ScriptContent; focus: string; dropped: number } {
  const index = script.turns.findIndex((turn) => turn.id === at);
  const replaced = script.turns[index]?.text.trim() === "";
  const otherTurns = script.turns.filter((_, i) => !(replaced && i === index));
  const isNew = otherTurns.every((turn) => turn.text.trim() === "");
  const main = voices.find((voice) => voice.usable && voice.id === script.speakers[0]?.profileId) ?? firstVoice(voices);
  let speakers = isNew ? [] : [...script.speakers]; // the two speakers of an empty script are replaced
  const turns: Turn[] = linesThatFit(lines, maxTurns - otherTurns.length, remainingCharacters(script)).map(
    ({ name, text }) => {
      const known = speakers.find((s) => fold(s.name) === fold(name));
      const speaker = known ?? newSpeaker(speakers, name, voiceFor(name, speakers, voices, main));
      if (!known) speakers = [...speakers, speaker];
      return { id: newId(), speakerId: speaker.id, text };
    },
  );
  const before = script.turns.slice(0, replaced ? index : index + 1);
  const after = script.turns.slice(index + 1);
  const allTurns = isNew ? turns : [...before, ...turns, ...after];
  return {
    script: { ...script, speakers, turns: allTurns },
    focus: turns.at(-1)?.id ?? at,
    dropped: lines.length - turns.length,
  };
}
