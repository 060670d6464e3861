import { bestFirst, type Compare, type Entry, type LanguageName, type Voice, voiceEntries } from "./library";
import { engineName } from "@/api/models";

export const sorts = ["name", "newest", "changed", "language"] as const;
export type Sort = (typeof sorts)[number];

const byName: Compare = (a, b) => a.name.localeCompare(b.name);
const compares: Record<Sort, Compare> = {
  name: (a, b) => Number(b.profile.favorite) - Number(a.profile.favorite) || byName(a, b),
  newest: (a, b) => b.profile.created_at.localeCompare(a.profile.created_at) || byName(a, b),
  changed: (a, b) => b.profile.updated_at.localeCompare(a.profile.updated_at) || byName(a, b),
  language: (a, b) => a.profile.language.localeCompare(b.profile.language) || byName(a, b),
};

/** Reports whether a person made the voice, as far as that is known: presets come with their model. */
const isOwn = ({ profile, shares }: Voice): boolean => profile.voice_type !== "preset" || shares.length > 0;

/** The sections of the page: the person's own voices, then those of each engine; of a search, those with the best match first. */
export function sectionEntries(
  voices: readonly Voice[],
  options: {
    sort: Sort;
    own: string;
    open: ReadonlySet<string>;
    keep?: string | undefined;
    search: string;
    language: LanguageName;
  },
): Entry[] {
  const flat = options.search.trim() !== "";
  const sections = new Map<string, Voice[]>(flat ? [] : [["", []]]);
  for (const voice of bestFirst([...voices].sort(compares[options.sort]), options.search, options.language)) {
    const key = isOwn(voice) ? "" : voice.engine;
    sections.set(key, [...(sections.get(key) ?? []), voice]);
  }
  const byEngine = (a: string, b: string): number =>
    Number(b === "") - Number(a === "") || engineName(a).localeCompare(engineName(b));
  const keys = flat ? [...sections.keys()] : [...sections.keys()].sort(byEngine); // a search shows its best match first
  return keys.flatMap((key): Entry[] => {
    const list = sections.get(key) ?? [];
    if (list.length === 0) return [];
    return [
      { kind: "heading", key: `heading:${key}`, text: key ? engineName(key) : options.own, count: list.length },
      ...voiceEntries(list, { ...options, flat }),
    ];
  });
}
