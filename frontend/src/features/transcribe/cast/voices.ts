import type { Profile, Transcript } from "@/api/types";
import { fold } from "@/lib/fold";

const base = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/** Returns the voices that are cast unasked, those of the language first, and of these the default one. Hosted ones cost credits. */
function localFirst(voices: readonly Profile[], language: string): Profile[] {
  const rank = (voice: Profile): number =>
    (base(voice.language) === base(language) ? 2 : 0) + (voice.voice_type === "default" ? 1 : 0);
  return voices.filter(({ voice_type }) => voice_type !== "hosted").sort((a, b) => rank(b) - rank(a));
}

/**
 * Returns the voices (ids of profiles) by the names of the speakers: the chosen one, else that of the same name, else one of the
 * language that nobody else has. Speakers are left out where there is no voice at all.
 */
export function castOf(
  { speakers, language }: Pick<Transcript, "speakers" | "language">,
  voices: readonly Profile[],
  chosen: ReadonlyMap<string, string>,
): Map<string, string> {
  const usable = voices.filter((voice) => voice.usable);
  const local = localFirst(usable, language);
  const speaking = local.filter((voice) => base(voice.language) === base(language));
  const named = (name: string) => usable.find((voice) => fold(voice.name.trim()) === fold(name.trim()));
  const taken = new Set(speakers.flatMap(({ name }) => chosen.get(name) ?? named(name)?.id ?? []));
  const cast = new Map<string, string>();
  for (const { name } of speakers) {
    const free = speaking.find(({ id }) => !taken.has(id)) ?? speaking[0] ?? local[0];
    const id = chosen.get(name) ?? named(name)?.id ?? free?.id;
    if (id === undefined) continue;
    taken.add(id);
    cast.set(name, id);
  }
  return cast;
}
