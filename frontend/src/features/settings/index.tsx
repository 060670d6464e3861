import { Search } from "lucide-react";
import { Fragment, useMemo, useRef, useState, type ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useDescribedSettings } from "@/api/settings";
import { useUpdatesAddress } from "@/api/updates";
import { useShortcut } from "@/lib/commands";
import { useDocumentTitle } from "@/lib/documentTitle";
import { href, navigate, useRoute } from "@/lib/router";
import { useIsAtLeast } from "@/lib/media";
import { Button, EmptyState, ErrorBox, Select, TextField } from "@/ui";
import { PronunciationPanel } from "./pronunciation/PronunciationPanel";
import { allEntries, groupIcons, groups, matches, serverKeys, updatesRow, type Group } from "./entries";
import { About } from "./panels/About";
import { Devices } from "./panels/Devices";
import { Dictation } from "./panels/Dictation";
import { Diagnostics } from "./panels/Diagnostics";
import { General } from "./panels/General";
import { Keyboard } from "./panels/Keyboard";
import { LocalApi } from "./panels/LocalApi";
import { Network } from "./panels/Network";
import { Speakers } from "./panels/Speakers";
import { Storage } from "./panels/Storage";
import { ServerRow } from "./ServerRow";
import { Found, useRowWords } from "./SettingRow";

const panels: Partial<Record<Group, ComponentType>> = {
  general: General,
  keyboard: Keyboard,
  pronunciation: PronunciationPanel,
  speakers: Speakers,
  dictation: Dictation,
  storage: Storage,
  devices: Devices,
  network: Network,
  api: LocalApi,
  about: About,
  diagnostics: Diagnostics,
};

/** A group without controls, such as the licences, must be scrollable by keyboard too. */
const scrolls = { tabIndex: 0 };

/** The rows of this page, then those of the server. */
function GroupPanel({ group }: { group: Group }) {
  const { t } = useTranslation("settings");
  const described = useDescribedSettings();
  const Panel = panels[group];
  return (
    <section aria-label={t(`groups.${group}`)} className="mb-8">
      <h2 className="mb-1 text-17 font-semibold">{t(`groups.${group}`)}</h2>
      {Panel ? <Panel /> : null}
      {serverKeys(described.data, group).map((name) => (
        <ServerRow key={name} name={name} />
      ))}
      {described.error && !Panel ? (
        <ErrorBox
          error={described.error}
          action={
            <Button size="small" onClick={() => void described.refetch()}>
              {t("common:retry")}
            </Button>
          }
        />
      ) : null}
    </section>
  );
}

/** The groups: a list beside the rows, or a select above them in a narrow window. */
function GroupList({ current, onPick }: { current: Group | null; onPick(): void }) {
  const { t } = useTranslation("settings");
  const isWide = useIsAtLeast(900); // the same width as `narrow:`
  if (!isWide) {
    const choices = [
      ...(current ? [] : [{ value: "", label: t("allGroups") }]),
      ...groups.map((group) => ({ value: group as string, label: t(`groups.${group}`) })),
    ];
    return (
      <Select
        className="w-56 max-w-full flex-none"
        label={t("groupsLabel")}
        hideLabel
        value={current ?? ""}
        choices={choices}
        onChange={(group) => {
          onPick();
          navigate(href("settings", [group]));
        }}
      />
    );
  }
  return (
    <nav aria-label={t("groupsLabel")} className="mt-3 flex flex-col gap-1">
      {groups.map((group) => {
        const Icon = groupIcons[group];
        return (
          <a
            key={group}
            onClick={onPick}
            href={href("settings", [group])}
            aria-current={group === current ? "page" : undefined}
            className="flex min-h-8 flex-none items-center gap-3 rounded-r px-3 text-ink-2 hover:bg-fill hover:no-underline aria-[current]:bg-fill-2 aria-[current]:text-ink"
          >
            <Icon size={16} className="flex-none" aria-hidden />
            <span className="truncate" title={t(`groups.${group}`)}>
              {t(`groups.${group}`)}
            </span>
          </a>
        );
      })}
    </nav>
  );
}

function useFound(query: string) {
  const { t } = useTranslation("settings");
  const words = useRowWords();
  const described = useDescribedSettings().data;
  const hasUpdates = useUpdatesAddress() !== "";
  return useMemo(() => {
    if (query.trim() === "") return null;
    const found = allEntries(described).filter(({ id, group }) => {
      if (id === updatesRow && !hasUpdates) return false;
      const { title, hint } = words(id, described?.[id]?.description);
      return matches(query, `${title} ${hint} ${t(`groups.${group}`)} ${id}`);
    });
    return {
      ids: new Set(found.map((e) => e.id)),
      groups: groups.filter((group) => found.some((e) => e.group === group)),
    };
  }, [query, described, hasUpdates, words, t]);
}

export default function Settings() {
  const { t } = useTranslation("settings");
  const { segments } = useRoute();
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const current = groups.find((group) => group === segments[0]) ?? "general";
  const found = useFound(query);
  useDocumentTitle(t(`groups.${current}`));
  useShortcut("/", t("find"), () => field.current?.focus());
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] narrow:grid-cols-[208px_minmax(0,1fr)] narrow:grid-rows-1">
      <div className="min-w-0 border-line p-3 max-narrow:flex max-narrow:flex-wrap max-narrow:gap-2 max-narrow:border-b narrow:overflow-y-auto narrow:border-e">
        <TextField
          className="min-w-40 flex-1"
          ref={field}
          label={t("find")}
          hideLabel
          placeholder={t("find")}
          icon={<Search size={16} aria-hidden />}
          value={query}
          onChange={setQuery}
          type="search"
          onKeyDown={(e) => {
            if (e.key === "Escape") setQuery("");
          }}
        />
        <GroupList current={found ? null : current} onPick={() => setQuery("")} />
      </div>
      <div
        {...scrolls}
        role="region"
        aria-label={t("common:screens.settings")}
        className="overflow-y-auto p-4 -outline-offset-2 narrow:px-8 narrow:py-6"
      >
        <div className="max-w-[696px]">
          <Found value={found?.ids ?? null}>
            {found ? (
              found.groups.map((group) => (
                <Fragment key={group}>
                  <GroupPanel group={group} />
                </Fragment>
              ))
            ) : (
              <GroupPanel key={current} group={current} />
            )}
          </Found>
          {found?.groups.length === 0 ? (
            <EmptyState title={t("nothingFound")} action={<Button onClick={() => setQuery("")}>{t("showAll")}</Button>}>
              {t("nothingFoundHint")}
            </EmptyState>
          ) : null}
        </div>
      </div>
    </div>
  );
}
