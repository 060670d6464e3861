import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** Returns the name of a model on screen, by its id. Most names are those of products; a few are words of a language. */
export function useModelName(): (id: string, name: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (id, name) => (i18n.exists(`common:modelNames.${id}`) ? t(`common:modelNames.${id}`) : name),
    [t, i18n],
  );
}
