import { fold } from "./fold";

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/**
 * Returns how well a named thing matches a search that finds it, 0 is best: its name begins with the search, its words do, one of
 * its languages is the search, its name contains it, or something else does, such as what stands in brackets behind the name.
 */
export function searchRank(search: string, name: string, languages: readonly string[]): number {
  const wanted = fold(search.trim()).replace(/\s+/g, " ");
  const full = fold(name);
  const bare = full.replace(/[([{（【].*?[)\]}）】]/gu, " ").trim();
  if (bare.startsWith(wanted) || (wanted.length > bare.length && full.startsWith(wanted))) return 0;
  const words = wordsOf(bare);
  const searched = wanted.split(" ");
  if (searched.every((word) => words.some((one) => one.startsWith(word)))) return 1;
  if (languages.some((one) => fold(one) === wanted)) return 2;
  return searched.every((word) => bare.includes(word)) ? 3 : 4;
}
