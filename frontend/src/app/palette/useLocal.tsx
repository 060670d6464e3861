import type { TFunction } from "i18next";
import {
  AudioLines,
  Box,
  Command as CommandIcon,
  Download,
  FileText,
  FolderOpen,
  Languages,
  MessagesSquare,
  SunMoon,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { kindOf, useDrafts } from "@/api/drafts";
import { useHostedStatus } from "@/api/hosted";
import { engineName, useModels } from "@/api/models";
import { exportFormats, fileCopier, fileShower, saveAs } from "@/api/save";
import { toApiError } from "@/api/errors";
import { useDescribedSettings } from "@/api/settings";
import { useSystem } from "@/api/system";
import { isTranscript } from "@/api/transcriptions";
import { features } from "../screens";
import { allEntries, groupIcons, wordsOf as settingWords } from "@/features/settings/entries";
import { languages } from "@/i18n";
import { useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { prefs } from "@/lib/prefs";
import { usePlayer } from "@/player/state";
import { useToast } from "@/ui";
import { runCommand, useAllCommands } from "@/lib/commands";
import { draftHref } from "@/lib/draftLink";
import { href, navigate, useRoute } from "@/lib/router";
import type { PaletteEntry } from "./entries";

type T = TFunction<["common", "settings"]>;

const icon = (Icon: LucideIcon) => <Icon size={16} aria-hidden />;
const iconOf = (id: string): LucideIcon =>
  features.find((f) => id === `go:${f.id}` || id.startsWith(`${f.id}:`))?.icon ?? CommandIcon;

/** Actions of other screens that are useful from everywhere; those of Account depend on the sign-in. */
const always = [
  "studio:new",
  "studio:open",
  "books:new",
  "voices:new",
  "transcribe:choose",
  "models:add",
  "models:move",
] as const;

function useGlobalCommandIds(): readonly string[] {
  const status = useHostedStatus().data;
  if (!status?.configured || !status.enabled) return always;
  return [...always, status.signed_in ? "account:sign-out" : "account:sign-in"];
}

function useCommandEntries(t: T): PaletteEntry[] {
  const { screen } = useRoute();
  const all = useAllCommands();
  const commands = all.filter((c) => !c.hidden);
  const here: PaletteEntry[] = commands.map((c) => ({
    id: c.id.startsWith("key:") ? `${screen}:${c.id}` : c.id,
    group: c.id.startsWith("go:") ? "screens" : "commands",
    title: c.title,
    words: c.keywords ?? "",
    icon: icon(iconOf(c.id.startsWith("key:") ? `${screen}:` : c.id)),
    run: c.run,
    ...(c.shortcut ? { shortcut: c.shortcut } : {}),
  }));
  const there = useGlobalCommandIds()
    .filter((id) => !all.some((c) => c.id === id))
    .map((id): PaletteEntry => ({
      id,
      group: "commands",
      title: t(`palette.actions.${id.replace(":", "-")}`),
      icon: icon(iconOf(id)),
      run: () => {
        navigate(href(id.split(":")[0] ?? ""));
        runCommand(id);
      },
    }));
  return [...here.filter(({ id }) => id !== "help"), ...there, ...here.filter(({ id }) => id === "help")];
}

function useExports(t: T): PaletteEntry[] {
  const { generation } = usePlayer();
  const encoders = useSystem().data?.encoders;
  const toast = useToast();
  const errorText = useErrorText();
  if (!generation || isTranscript(generation.id)) return []; // its screen exports its text
  const failed = (error: unknown) => toast({ text: errorText(toApiError(error)).title });
  const words = `${t("export.title")} ${generation.title}`;
  const saves = [...exportFormats(encoders).flat(), "txt" as const].map((format): PaletteEntry => ({
    id: `export:${format}`,
    group: "commands",
    title: t("export.saveAs", { format: format.toUpperCase() }),
    words,
    icon: icon(Download),
    run: () => void saveAs(generation, { format }, t("export.file")).catch(failed),
  }));
  const withFile = (
    name: "copyFile" | "showFile",
    kind: LucideIcon,
    work: ReturnType<typeof fileCopier>,
    said: string,
  ): PaletteEntry[] =>
    work
      ? [
          {
            id: `export:${name}`,
            group: "commands",
            title: t(`export.${name}`),
            words,
            icon: icon(kind),
            run: () =>
              void work(generation.audio_path).then(() => {
                if (said) toast({ text: said });
              }, failed),
          },
        ]
      : [];
  return [
    ...saves,
    ...withFile("copyFile", AudioLines, fileCopier(), t("export.copiedFile")),
    ...withFile("showFile", FolderOpen, fileShower(), ""),
  ];
}

function useAppearanceEntries(t: T): PaletteEntry[] {
  const nameIn = (language: string) => new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
  const format = useFormat();
  const themes = (["system", "light", "dark"] as const).map((theme): PaletteEntry => ({
    id: `theme:${theme}`,
    group: "settings",
    title: `${t("settings:rows.general.theme.title")}: ${t(`settings:themes.${theme}`)}`,
    icon: icon(SunMoon),
    run: () => prefs.set({ theme }),
  }));
  const all = [
    { id: "system", name: t("settings:systemLanguage"), words: "" },
    ...languages.map((id) => ({
      id: id as string,
      name: nameIn(id),
      words: `${format.language(id)} ${new Intl.DisplayNames("en", { type: "language" }).of(id) ?? ""}`,
    })),
  ];
  return [
    ...themes,
    ...all.map(({ id, name, words }): PaletteEntry => ({
      id: `language:${id}`,
      group: "settings",
      title: `${t("settings:rows.general.language.title")}: ${name}`,
      words,
      icon: icon(Languages),
      run: () => prefs.set({ language: id }),
    })),
  ];
}

function useSettingEntries(t: T): PaletteEntry[] {
  const described = useDescribedSettings().data;
  return allEntries(described).map(({ id, group }) => {
    const english = described?.[id]?.description ?? "";
    return {
      id: `setting:${id}`,
      group: "settings",
      title: t(`settings:rows.${id}.title`, { defaultValue: settingWords(id) }),
      note: t(`settings:groups.${group}`),
      icon: icon(groupIcons[group]),
      words: `${t(`settings:rows.${id}.hint`, { defaultValue: english })} ${t(`settings:groups.${group}`)} ${t("screens.settings")} ${id}`,
      run: () => navigate(href("settings", [group, id])),
    };
  });
}

function useDraftEntries(t: T): PaletteEntry[] {
  const format = useFormat();
  return useDrafts().items.map((draft) => {
    const isScript = kindOf(draft) === "script";
    return {
      id: `draft:${draft.id}`,
      group: "drafts",
      title: draft.name,
      note: format.ago(draft.updated_at),
      words: isScript ? t("screens.script") : "",
      icon: icon(isScript ? MessagesSquare : FileText),
      run: () => navigate(isScript ? href("script", [draft.id]) : draftHref(draft.id)),
    };
  });
}

function useModelEntries(): PaletteEntry[] {
  return (useModels().data ?? []).map((model) => ({
    id: `model:${model.model_name}`,
    group: "models",
    title: model.display_name,
    note: engineName(model.engine),
    words: `${model.model_name} ${model.note} ${engineName(model.engine)}`,
    icon: icon(Box),
    run: () => navigate(href("models", [model.model_name], { tab: model.downloaded ? "" : "more" })),
  }));
}

/** All entries that need no request to the server. */
export function useLocalEntries(): PaletteEntry[] {
  const { t } = useTranslation(["common", "settings"]);
  return [
    ...useCommandEntries(t),
    ...useExports(t),
    ...useAppearanceEntries(t),
    ...useSettingEntries(t),
    ...useDraftEntries(t),
    ...useModelEntries(),
  ];
}
