import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { isLocal, isImported } from "./phase";

/** Returns a model's name without its variant: Kokoro and Kokoro q8 are one model in two sizes. */
function baseName(model: Model): string {
  const name = model.display_name.replace(/ \([^)]*\)$/, "");
  return name.endsWith(` ${model.variant}`) ? name.slice(0, -model.variant.length - 1) : name;
}

const alike = (a: Model, b: Model): boolean =>
  a.engine === b.engine &&
  a.voices === b.voices &&
  a.languages.join() === b.languages.join() &&
  !isImported(a) &&
  !isImported(b);

/** Returns the shortest name of a similar model that starts this one: "Kokoro" for "Kokoro q8 with word times". */
function familyName(model: Model, all: readonly Model[]): string {
  const own = baseName(model);
  return all
    .filter((other) => alike(other, model))
    .map(baseName)
    .filter((name) => own === name || own.startsWith(`${name} `))
    .reduce((short, name) => (name.length < short.length ? name : short), own);
}

/** Returns the variants of a model, itself included, in the order of the list. */
export function familyOf(model: Model, all: readonly Model[]): Model[] {
  const name = familyName(model, all);
  return all.filter((other) => other === model || (alike(other, model) && familyName(other, all) === name));
}

export interface FamilyRow {
  model: Model;
  family: readonly Model[];
}

/** Returns the rows of a list: one per family. Installed models and downloads have their own row and stay visible. */
export function rowsOf(models: readonly Model[], selected: string | undefined): FamilyRow[] {
  const rows: FamilyRow[] = [];
  for (const model of models) {
    if (rows.some((row) => row.family.includes(model))) continue;
    const family = familyOf(model, models);
    const busy = family.filter(isLocal);
    const offer =
      family.find((one) => one.model_name === selected) ??
      family.find((one) => one.default && one.fits !== "no") ??
      family.find((one) => one.fits !== "no") ??
      model;
    rows.push(...(busy.length > 0 ? busy : [offer]).map((one) => ({ model: one, family })));
  }
  return rows;
}

/** Returns the row that represents the chosen model: its own, else one of its family. */
export function rowOf(rows: readonly FamilyRow[], selected: string | undefined): FamilyRow | undefined {
  return (
    rows.find((row) => row.model.model_name === selected) ??
    rows.find((row) => row.family.some((one) => one.model_name === selected))
  );
}

/** Returns the name of a variant within its family: a size or a feature. */
export function useVariantName(): (model: Model) => string {
  const { t, i18n } = useTranslation("models");
  return (model) => {
    const key = [model.model_name, model.variant].find((name) => i18n.exists(`models:variants.${name}`));
    return key ? t(`variants.${key}`) : model.variant;
  };
}
