import { useTranslation } from "react-i18next";

/** Returns the language of the page, with the accent that the browser prefers. */
export function useLanguage(): string {
  const { i18n } = useTranslation();
  return navigator.languages.find((tag) => tag.split("-")[0] === i18n.language.split("-")[0]) ?? i18n.language;
}
