import { useMemo } from "react";
import { useModels } from "@/api/models";
import { languageChoices, useFormat } from "@/i18n/format";
import type { Choice } from "@/ui";

/** Returns the languages that some model speaks, and the current one, each once and by name. */
export function useLanguageChoices(present: string): Choice[] {
  const models = useModels().data;
  const format = useFormat();
  return useMemo(() => {
    const spoken = (models ?? []).filter((model) => model.family === "speech").flatMap((model) => model.languages);
    return languageChoices([present, "en", ...spoken].filter(Boolean), format.language, present);
  }, [models, format, present]);
}
