import { finds } from "@/lib/fold";
import type { Model } from "@/api/types";

export interface Filter {
  search: string;
  language: string;
  engine: string;
}

export const primary = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? tag;

/** Reports whether a model works in a language; one without languages works in any. */
const knows = ({ languages }: Model, language: string): boolean =>
  languages.length === 0 || languages.some((tag) => primary(tag) === primary(language));

/** Reports whether a model matches the filter; `words` are its visible texts. */
export function fits(model: Model, filter: Filter, words: string): boolean {
  if (filter.engine && model.engine !== filter.engine) return false;
  if (filter.language && !knows(model, filter.language)) return false;
  return finds(filter.search, [words, model.model_name]);
}

const fit: Record<Model["fits"], number> = { yes: 0, unknown: 0, tight: 1, no: 2 };

/** Returns models in an order: "small" or "size" by size, else those for this machine and language first. */
export function sorted(models: readonly Model[], sort: string, language: string): Model[] {
  const speaks = (model: Model) => (knows(model, language) ? 0 : 1);
  const bySize = sort === "small" ? 1 : -1;
  return models.toSorted((a, b) =>
    sort === "small" || sort === "size"
      ? bySize * (a.size_mb - b.size_mb)
      : fit[a.fits] - fit[b.fits] || speaks(a) - speaks(b),
  );
}

/** Returns the languages of models, by their names in the person's language. */
export function languagesOf(
  models: readonly Model[],
  nameOf: (tag: string) => string,
): { value: string; label: string }[] {
  const tags = [...new Set(models.flatMap((model) => model.languages.map(primary)))];
  return tags.map((value) => ({ value, label: nameOf(value) })).sort((a, b) => a.label.localeCompare(b.label));
}
