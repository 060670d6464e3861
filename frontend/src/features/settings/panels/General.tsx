import { useTranslation } from "react-i18next";
import { useAllCommands } from "@/app/commands";
import { languages } from "@/i18n";
import { prefs, usePrefs, type Theme } from "@/lib/prefs";
import { Kbd, SegmentedControl, Select } from "@/ui";
import { SettingRow } from "../SettingRow";

const nameIn = (language: string) => new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;

function ThemeRow() {
  const { t } = useTranslation("settings");
  const { theme } = usePrefs();
  const segments = (["system", "light", "dark"] as const).map((value) => ({ value, label: t(`themes.${value}`) }));
  return (
    <SettingRow id="general.theme" onReset={theme === "system" ? undefined : () => prefs.set({ theme: "system" })}>
      <SegmentedControl<Theme> label={t("rows.general.theme.title")} value={theme} segments={segments} onChange={(next) => prefs.set({ theme: next })} />
    </SettingRow>
  );
}

function LanguageRow() {
  const { t } = useTranslation("settings");
  const { language } = usePrefs();
  const choices = [{ value: "system", label: t("systemLanguage") }, ...languages.map((value) => ({ value: value as string, label: nameIn(value) }))];
  return (
    <SettingRow id="general.language" onReset={language === "system" ? undefined : () => prefs.set({ language: "system" })}>
      <Select className="w-56" label={t("rows.general.language.title")} hideLabel value={language} choices={choices} onChange={(next) => prefs.set({ language: next })} />
    </SettingRow>
  );
}

/** Keys that live in a text and not in the list of commands. */
const inScript = [["tab", "nextSpeaker"], ["enter", "newTurn"], ["shift+enter", "newLine"], ["escape", "leaveTurn"]] as const;

function Shortcuts() {
  const { t } = useTranslation("settings");
  const commands = useAllCommands().filter((c) => c.shortcut);
  const line = (key: string, title: string, keys: string) => <div key={key} className="flex min-h-7 items-center justify-between gap-4 border-b border-line"><dt>{title}</dt><dd><Kbd keys={keys} /></dd></div>;
  return (
    <SettingRow id="general.shortcuts" below={
      <dl className="mt-3 grid gap-x-8 narrow:grid-cols-2">
        {commands.map((c) => line(c.id, c.title, c.shortcut ?? ""))}
        {inScript.map(([keys, name]) => line(name, t(`keys.${name}`), keys))}
      </dl>
    } />
  );
}

export function General() {
  return <><ThemeRow /><LanguageRow /><Shortcuts /></>;
}
