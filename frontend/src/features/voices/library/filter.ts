import type { Model } from "@/api/types";
import { engineName } from "@/api/models";
import { finds } from "@/lib/fold";
import { baseLanguage, type LanguageName } from "./language";
import { rowKeys } from "./providers";
import type { Voice } from "./voice";

export interface Filters {
  search: string;
  /** Returns tags without their region. */
  language: readonly string[];
  engine: readonly string[];
  gender: readonly string[];
  kind: readonly string[];
  /** On this machine or hosted. */
  where: readonly string[];
  /** Of hosted voices. */
  provider: readonly string[];
  category: readonly string[];
  favorite: boolean;
  ready: boolean;
}
/** The filters with several values. */
export type Facet = "where" | "language" | "engine" | "provider" | "category" | "gender" | "kind";

export const noFilters: Filters = {
  search: "",
  language: [],
  engine: [],
  gender: [],
  kind: [],
  where: [],
  provider: [],
  category: [],
  favorite: false,
  ready: false,
};

/** The kind of a voice: of a model, mixed from two, or following the default. */
export const kindOf = (voice: Voice): string => (voice.shares.length > 0 ? "mixed" : voice.profile.voice_type);

export const isHosted = (voice: Voice): boolean => voice.profile.voice_type === "hosted";

const valuesOf: Record<Facet, (voice: Voice) => string[]> = {
  where: (voice) => [isHosted(voice) ? "hosted" : "local"],
  provider: ({ hosted }) => (hosted ? [hosted.provider] : []),
  category: ({ hosted }) => (hosted?.category ? [hosted.category] : []),
  language: (voice) => [...new Set(voice.languages.map(baseLanguage))],
  engine: (voice) => (isHosted(voice) ? [] : [voice.engine]), // `where` has them
  gender: (voice) => (voice.gender ? [voice.gender] : []),
  kind: (voice) => (isHosted(voice) ? [] : [kindOf(voice)]),
};
const facets = Object.keys(valuesOf) as Facet[];

export const isFiltered = (filters: Filters): boolean =>
  filters.favorite || filters.ready || facets.some((facet) => filters[facet].length > 0);

/** Reports whether the voice is the person's favourite, or in the service's list of favourites. */
export const isFavorite = ({ profile, hosted }: Voice): boolean => profile.favorite || (hosted?.favorite ?? false);

function found(voice: Voice, search: string, name: LanguageName): boolean {
  if (search.trim() === "") return true;
  const { profile, hosted } = voice;
  return finds(search, [
    voice.name,
    profile.name,
    profile.description,
    ...voice.languages.flatMap((tag) => [tag, name(tag)]),
    engineName(voice.engine),
    voice.model?.display_name ?? "",
    ...(hosted ? [hosted.provider, hosted.category, hosted.accent] : []),
  ]);
}

function fits(voice: Voice, filters: Filters, except?: Facet): boolean {
  if (filters.favorite && !isFavorite(voice)) return false;
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
  const others = [filters.gender, filters.kind, filters.provider, filters.category];
  if (filters.favorite || filters.ready || others.some((list) => list.length > 0)) return [];
  if (filters.where.length > 0 && !filters.where.includes("local")) return [];
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
  const rows = new Map<string, Set<string>>(filters[facet].map((value) => [value, new Set()]));
  const keyOf = rowKeys();
  for (const voice of voices) {
    if (!fits(voice, filters, facet) || !found(voice, filters.search, name)) continue;
    const row = keyOf(voice);
    for (const value of valuesOf[facet](voice)) rows.set(value, (rows.get(value) ?? new Set()).add(row));
  }
  return [...rows]
    .map(([value, { size }]) => ({ value, count: size }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
