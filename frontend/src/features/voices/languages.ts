import { useMemo } from "react";
import { useModels } from "@/api/models";
import { useFormat } from "@/i18n/format";
import type { Choice } from "@/ui";

/** The languages that some model speaks, and the one that is set, by name. */
export function useLanguageChoices(present: string): Choice[] {
  const models = useModels().data;
  const format = useFormat();
  return useMemo(() => {
    const tags = new Set([present, "en", ...(models ?? []).filter((model) => model.family === "speech").flatMap((model) => model.languages)]);
    return [...tags].filter(Boolean).map((value) => ({ value, label: format.language(value) })).sort((a, b) => a.label.localeCompare(b.label));
  }, [models, format, present]);
}
