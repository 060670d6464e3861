import { finds } from "@/lib/fold";
import type { Model } from "@/api/types";

export interface Filter {
  search: string;
  language: string;
  engine: string;
}

export const primary = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? tag;

/** Reports whether a model matches the filter; `words` are its visible texts. */
export function fits(model: Model, filter: Filter, words: string): boolean {
  if (filter.engine && model.engine !== filter.engine) return false;
  if (filter.language && !model.languages.some((tag) => primary(tag) === filter.language)) return false;
  return finds(filter.search, [words, model.model_name]);
}

/** Returns the languages of models, by their names in the person's language. */
export function languagesOf(
  models: readonly Model[],
  nameOf: (tag: string) => string,
): { value: string; label: string }[] {
  const tags = [...new Set(models.flatMap((model) => model.languages.map(primary)))];
  return tags.map((value) => ({ value, label: nameOf(value) })).sort((a, b) => a.label.localeCompare(b.label));
}
