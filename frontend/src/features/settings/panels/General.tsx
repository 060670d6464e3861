import { useTranslation } from "react-i18next";
import { languages } from "@/i18n";
import { prefs, usePrefs, type Theme } from "@/lib/prefs";
import { SegmentedControl, Select, Switch } from "@/ui";
import { SettingRow } from "../SettingRow";
import { OutputRow } from "./OutputRow";

const nameIn = (language: string) => new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;

function ThemeRow() {
  const { t } = useTranslation("settings");
  const { theme } = usePrefs();
  const segments = (["system", "light", "dark"] as const).map((value) => ({ value, label: t(`themes.${value}`) }));
  return (
    <SettingRow id="general.theme" onReset={theme === "system" ? undefined : () => prefs.set({ theme: "system" })}>
      <SegmentedControl<Theme>
        label={t("rows.general.theme.title")}
        value={theme}
        segments={segments}
        onChange={(next) => prefs.set({ theme: next })}
      />
    </SettingRow>
  );
}

function LanguageRow() {
  const { t } = useTranslation("settings");
  const { language } = usePrefs();
  const choices = [
    { value: "system", label: t("systemLanguage") },
    ...languages.map((value) => ({ value: value as string, label: nameIn(value) })),
  ];
  return (
    <SettingRow
      id="general.language"
      onReset={language === "system" ? undefined : () => prefs.set({ language: "system" })}
    >
      <Select
        className="w-56"
        label={t("rows.general.language.title")}
        hideLabel
        value={language}
        choices={choices}
        onChange={(next) => prefs.set({ language: next })}
      />
    </SettingRow>
  );
}

function AutoplayRow() {
  const { t } = useTranslation("settings");
  const { autoplay } = usePrefs();
  return (
    <SettingRow id="general.autoplay" onReset={autoplay ? undefined : () => prefs.set({ autoplay: true })}>
      <Switch
        label={t("rows.general.autoplay.title")}
        checked={autoplay}
        onChange={(next) => prefs.set({ autoplay: next })}
      />
    </SettingRow>
  );
}

export function General() {
  return (
    <>
      <ThemeRow />
      <LanguageRow />
      <AutoplayRow />
      <OutputRow />
    </>
  );
}
