import type { Model } from "@/api/types";

const primary = (tag: string): string => (tag.split(/[-_]/)[0] ?? "").toLowerCase();
const comfort = 200; // MB: up to here a larger model is better, beyond it a smaller one

/** Returns how well a model speaks a language: 2 with this country's accent, 1 at all, 0 not. */
function speaks(model: Model, language: string): number {
  if (model.languages.some((tag) => tag.toLowerCase() === language.toLowerCase())) return 2;
  return model.languages.some((tag) => primary(tag) === primary(language)) ? 1 : 0;
}

const fit: Record<Model["fits"], number> = { yes: 3, unknown: 2, tight: 1, no: 0 };

/** Compares by the first rank that differs. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

function ranks(model: Model, language: string): number[] {
  const free = model.license.accept_required && !model.license.accepted ? 0 : 1;
  const country = speaks(model, language);
  const size = model.size_mb <= comfort ? model.size_mb : -model.size_mb;
  return [fit[model.fits], model.default ? 1 : 0, free, country, model.cloning ? 0 : 1, size];
}

/** Returns the model with ready voices that suits this machine and language best; undefined if none does. */
export function bestModel(models: readonly Model[], language: string): Model | undefined {
  const fitting = models.filter(
    (m) =>
      m.family === "speech" &&
      m.supported &&
      m.voices > 0 &&
      m.size_mb > 0 &&
      m.fits !== "no" &&
      speaks(m, language) > 0,
  );
  return [...fitting].sort((a, b) => compare(ranks(a, language), ranks(b, language)))[0];
}

/** Returns the models with only the languages that they speak without espeak-ng. */
export const withoutEspeak = (models: readonly Model[]): Model[] =>
  models.map((model) => ({
    ...model,
    languages: model.languages.filter((tag) => !model.espeak_languages.includes(tag)),
  }));

/** Reports whether a model cannot speak a language where espeak-ng is missing. */
export const needsEspeak = (model: Model, language: string): boolean =>
  speaks(withoutEspeak([model])[0] ?? model, language) === 0;

/** Returns the best model of at most half the size; undefined if there is none. */
export function smallerModel(models: readonly Model[], language: string, than: Model): Model | undefined {
  return bestModel(
    models.filter((model) => model.size_mb <= than.size_mb / 2),
    language,
  );
}

/** Reports whether a voice better than the built-in one is already installed. */
export const hasVoices = (models: readonly Model[]): boolean =>
  models.some((m) => m.family === "speech" && m.downloaded);
