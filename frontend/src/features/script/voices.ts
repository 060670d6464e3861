import type { Profile } from "@/api/types";
import { hasWords, type ScriptContent, type Speaker } from "./model";

const base = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";
export const sameLanguage = (a: Profile | undefined, b: Profile): boolean =>
  a === undefined || base(a.language) === base(b.language);

/** The voice that a script begins with: the one that the program speaks with by itself, which came first. */
export function firstVoice(voices: readonly Profile[]): Profile | undefined {
  const usable = voices.filter((voice) => voice.usable);
  const [own] = usable
    .filter((voice) => voice.voice_type === "default")
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  return own ?? usable[0] ?? voices[0];
}

/** The speakers who have words and the voice of another one who has. */
export function sharing(script: ScriptContent): Speaker[] {
  const heard = script.speakers.filter((speaker) =>
    script.turns.some((turn) => turn.speakerId === speaker.id && hasWords(turn)),
  );
  return heard.filter((speaker) => heard.some((other) => other !== speaker && other.profileId === speaker.profileId));
}

export interface Given {
  speaker: Speaker;
  voice: Profile;
}

/** For each who has the voice of one before, another voice of its language that nobody has, as far as there are any. */
export function otherVoices(script: ScriptContent, voices: readonly Profile[]): Given[] {
  const taken = new Set(script.speakers.map((speaker) => speaker.profileId));
  const kept = new Set<string>();
  return sharing(script).flatMap((speaker) => {
    const isFirst = !kept.has(speaker.profileId);
    kept.add(speaker.profileId);
    if (isFirst) return [];
    const present = voices.find((voice) => voice.id === speaker.profileId);
    const voice = voices.find((v) => v.usable && !taken.has(v.id) && sameLanguage(present, v));
    if (voice) taken.add(voice.id);
    return voice ? [{ speaker, voice }] : [];
  });
}

export const setVoices = (
  script: ScriptContent,
  given: readonly { id: string; profileId: string }[],
): ScriptContent => ({
  ...script,
  speakers: script.speakers.map((speaker) => ({
    ...speaker,
    profileId: given.find(({ id }) => id === speaker.id)?.profileId ?? speaker.profileId,
  })),
});
