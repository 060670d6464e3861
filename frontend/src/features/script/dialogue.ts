import { fold } from "@/lib/fold";
import type { Profile } from "@/api/types";
import type { Line } from "./pasted/names";
import { firstVoice, sameLanguage } from "./voices";
import { maxTurns, newId, newSpeaker, remainingCharacters, type ScriptContent, type Speaker, type Turn } from "./model";

/** Returns the voice of that name, else one of the same language that no one in the cast has yet, else the first. */
export function voiceFor(
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

interface Inserted {
  script: ScriptContent;
  focus: string;
  /** The number of turns that did not fit. */
  dropped: number;
  /** The directions that their voices do not play. */
  directions: string[];
}

/** Reports whether a voice plays a direction in square brackets. */
export type PlaysTag = (voice: Profile | undefined, direction: string) => boolean;

/** Returns the text of a line with the directions that its voice plays as tags, "[laughing] Hi!", and the others. */
export function withTags({ name, text, directions = [] }: Line, plays: (direction: string) => boolean) {
  const tags = directions.filter(plays).map((direction) => `[${direction}]`);
  const left = directions.filter((direction) => !plays(direction)).map((direction) => `${name}: (${direction})`);
  return { text: [...tags, text].join(" "), left };
}

/** Inserts a dialogue at a turn, replacing it if empty. Speakers of the same name are kept. */
export function insertDialogue(
  script: ScriptContent,
  at: string,
  lines: readonly Line[],
  voices: readonly Profile[],
  playsTag: PlaysTag,
): Inserted {
  const index = script.turns.findIndex((turn) => turn.id === at);
  const replaced = script.turns[index]?.text.trim() === "";
  const otherTurns = script.turns.filter((_, i) => !(replaced && i === index));
  const isNew = otherTurns.every((turn) => turn.text.trim() === "");
  const main = voices.find((voice) => voice.usable && voice.id === script.speakers[0]?.profileId) ?? firstVoice(voices);
  let speakers = isNew ? [] : [...script.speakers]; // the two speakers of an empty script are replaced
  const directions: string[] = [];
  const turns: Turn[] = linesThatFit(lines, maxTurns - otherTurns.length, remainingCharacters(script)).map((line) => {
    const { name } = line;
    const known = speakers.find((s) => fold(s.name) === fold(name));
    const speaker = known ?? newSpeaker(speakers, name, voiceFor(name, speakers, voices, main));
    if (!known) speakers = [...speakers, speaker];
    const voice = voices.find(({ id }) => id === speaker.profileId);
    const { text, left } = withTags(line, (direction) => playsTag(voice, direction));
    directions.push(...left);
    return { id: newId(), speakerId: speaker.id, text };
  });
  const before = script.turns.slice(0, replaced ? index : index + 1);
  const after = script.turns.slice(index + 1);
  const allTurns = isNew ? turns : [...before, ...turns, ...after];
  return {
    script: { ...script, speakers, turns: allTurns },
    focus: turns.at(-1)?.id ?? at,
    dropped: lines.length - turns.length,
    directions,
  };
}
