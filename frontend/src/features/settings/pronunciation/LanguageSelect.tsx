import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Select } from "@/ui";

const tags = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr", "cs", "uk", "ru", "hi", "ja", "zh"];

/** The language of a word; the empty tag means all. */
export function LanguageSelect({
  value,
  onChange,
  hideLabel = false,
  className = "",
}: {
  value: string;
  onChange(tag: string): void;
  hideLabel?: boolean;
  className?: string;
}) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const known = value === "" || tags.includes(value) ? tags : [value, ...tags];
  const choices = [
    { value: "", label: t("pronunciation.allLanguages") },
    ...known.map((tag) => ({ value: tag, label: format.language(tag) })),
  ];
  return (
    <Select
      className={className}
      label={t("pronunciation.language")}
      hideLabel={hideLabel}
      value={value}
      choices={choices}
      onChange={onChange}
    />
  );
}
