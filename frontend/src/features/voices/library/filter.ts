import type { Model } from "@/api/types";
import { engineName } from "@/api/models";
import { finds } from "@/lib/fold";
import type { Voice } from "./voice";

export interface Filters {
  search: string;
  /** Returns tags without their region. */
  language: readonly string[];
  engine: readonly string[];
  gender: readonly string[];
  kind: readonly string[];
  favorite: boolean;
  ready: boolean;
}
/** The filters with several values. */
export type Facet = "language" | "engine" | "gender" | "kind";

export const noFilters: Filters = {
  search: "",
  language: [],
  engine: [],
  gender: [],
  kind: [],
  favorite: false,
  ready: false,
};

export const isFiltered = (filters: Filters): boolean =>
  filters.favorite ||
  filters.ready ||
  [filters.language, filters.engine, filters.gender, filters.kind].some((list) => list.length > 0);

export const baseLanguage = (tag: string): string => tag.split("-")[0] ?? tag;

/** The kind of a voice: of a model, mixed from two, or following the default. */
export const kindOf = (voice: Voice): string => (voice.shares.length > 0 ? "mixed" : voice.profile.voice_type);

const valuesOf: Record<Facet, (voice: Voice) => string[]> = {
  language: (voice) => [...new Set(voice.languages.map(baseLanguage))],
  engine: (voice) => [voice.engine],
  gender: (voice) => (voice.gender ? [voice.gender] : []),
  kind: (voice) => [kindOf(voice)],
};
const facets = Object.keys(valuesOf) as Facet[];

export type LanguageName = (tag: string) => string;

function found(voice: Voice, search: string, name: LanguageName): boolean {
  const { profile } = voice;
  return finds(search, [
    voice.name,
    profile.name,
    profile.description,
    ...voice.languages.flatMap((tag) => [tag, name(tag)]),
    engineName(voice.engine),
    voice.model?.display_name ?? "",
  ]);
}

function fits(voice: Voice, filters: Filters, except?: Facet): boolean {
  if (filters.favorite && !voice.profile.favorite) return false;
  if (filters.ready && voice.state !== "ready" && voice.state !== "memory") return false;
  return facets.every(
    (facet) =>
      facet === except ||
      filters[facet].length === 0 ||
      valuesOf[facet](voice).some((value) => filters[facet].includes(value)),
  );
}

export function filterVoices(voices: readonly Voice[], filters: Filters, name: LanguageName): Voice[] {
  return voices.filter((voice) => fits(voice, filters) && found(voice, filters.search, name));
}

export const countOf = (voices: readonly Voice[], filters: Filters, name: LanguageName): number =>
  filterVoices(voices, filters, name).length;

/** Models with unknown voices have fewer attributes than voices, so any other filter excludes them. */
export function filterModels(models: readonly Model[], filters: Filters, name: LanguageName): Model[] {
  if (filters.favorite || filters.ready || filters.gender.length > 0 || filters.kind.length > 0) return [];
  return models.filter(
    (model) =>
      (filters.engine.length === 0 || filters.engine.includes(model.engine)) &&
      (filters.language.length === 0 || model.languages.some((tag) => filters.language.includes(baseLanguage(tag)))) &&
      finds(filters.search, [
        model.display_name,
        model.note,
        engineName(model.engine),
        ...model.languages.flatMap((tag) => [tag, name(tag)]),
      ]),
  );
}

export interface Option {
  value: string;
  count: number;
}

/** Returns the values of a filter and how many voices each would leave, most first; chosen ones stay even at 0. */
export function optionsOf(facet: Facet, voices: readonly Voice[], filters: Filters, name: LanguageName): Option[] {
  const counts = new Map<string, number>(filters[facet].map((value) => [value, 0]));
  for (const voice of voices) {
    if (!fits(voice, filters, facet) || !found(voice, filters.search, name)) continue;
    for (const value of valuesOf[facet](voice)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
