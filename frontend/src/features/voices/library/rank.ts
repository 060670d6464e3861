import { searchRank } from "@/lib/searchRank";
import { baseLanguage, type LanguageName } from "./language";
import type { Voice } from "./voice";

/** Returns how well a voice matches a search that finds it; 0 is best. */
export function rankOf(voice: Voice, search: string, name: LanguageName): number {
  const languages = voice.languages.flatMap((tag) => [tag, baseLanguage(tag), name(tag), name(baseLanguage(tag))]);
  return searchRank(search, voice.name, languages);
}

/** Returns the voices with the best matches of a search first, else in the same order; without a search the same voices. */
export function bestFirst(voices: readonly Voice[], search: string, name: LanguageName): readonly Voice[] {
  if (search.trim() === "") return voices;
  const ranks = new Map(voices.map((voice) => [voice, rankOf(voice, search, name)]));
  return [...voices].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}
