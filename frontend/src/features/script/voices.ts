import type { Profile } from "@/api/types";
import { hasWords, type ScriptContent, type Speaker } from "./model";

const base = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";
export const sameLanguage = (a: Profile | undefined, b: Profile): boolean =>
  a === undefined || base(a.language) === base(b.language);

/** Returns the voice that a script begins with: the program's default, which is the oldest. */
export function firstVoice(voices: readonly Profile[]): Profile | undefined {
  const usable = voices.filter((voice) => voice.usable);
  const [defaultVoice] = usable
    .filter((voice) => voice.voice_type === "default")
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  return defaultVoice ?? usable[0] ?? voices[0];
}

/** Returns the speakers with text who share their voice with another one. */
export function speakersSharingVoice(script: ScriptContent): Speaker[] {
  const withText = script.speakers.filter((speaker) =>
    script.turns.some((turn) => turn.speakerId === speaker.id && hasWords(turn)),
  );
  return withText.filter((speaker) =>
    withText.some((other) => other !== speaker && other.profileId === speaker.profileId),
  );
}

export interface VoiceAssignment {
  speaker: Speaker;
  voice: Profile;
}

/** Returns, for each speaker with a voice already used, an unused voice of its language, as far as there are any. */
export function otherVoices(script: ScriptContent, voices: readonly Profile[]): VoiceAssignment[] {
  const taken = new Set(script.speakers.map((speaker) => speaker.profileId));
  const seen = new Set<string>();
  return speakersSharingVoice(script).flatMap((speaker) => {
    const isFirst = !seen.has(speaker.profileId);
    seen.add(speaker.profileId);
    if (isFirst) return [];
    const present = voices.find((voice) => voice.id === speaker.profileId);
    const voice = voices.find((v) => v.usable && !taken.has(v.id) && sameLanguage(present, v));
    if (voice) taken.add(voice.id);
    return voice ? [{ speaker, voice }] : [];
  });
}

export const setVoices = (
  script: ScriptContent,
  assignments: readonly { id: string; profileId: string }[],
): ScriptContent => ({
  ...script,
  speakers: script.speakers.map((speaker) => ({
    ...speaker,
    profileId: assignments.find(({ id }) => id === speaker.id)?.profileId ?? speaker.profileId,
  })),
});
