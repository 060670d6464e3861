import { Search } from "lucide-react";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { href, useQueryParam } from "@/lib/router";
import { useInspector } from "@/lib/slots";
import {
  canPreview,
  type Entry,
  type Filters,
  filterVoices,
  groupOf,
  isFiltered,
  noFilters,
  previewId,
  ToModel,
  useFavorite,
  useListKeys,
  type Voice,
  VoiceList,
} from "./library";
import { stopPreview, togglePreview, usePreviewError } from "@/player";
import { useFormat } from "@/i18n/format";
import { Button, EmptyState, ErrorBox } from "@/ui";
import type { VoiceActions } from "./actions";
import { enough, MoreVoices } from "./MoreVoices";
import { sectionEntries, sorts, type Sort } from "./sections";
import { Toolbar } from "./Toolbar";
import { toStudio, VoiceMenu } from "./VoiceMenu";

function Nothing({ narrowed, onClear, onNew }: { narrowed: boolean; onClear(): void; onNew(): void }) {
  const { t } = useTranslation("voices");
  if (narrowed)
    return (
      <EmptyState
        icon={<Search size={28} aria-hidden />}
        title={t("empty.noMatch")}
        action={<Button onClick={onClear}>{t("empty.clear")}</Button>}
      >
        {t("empty.noMatchText")}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t("empty.none")}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Button onClick={onNew}>{t("new.title")}</Button>
          <a className="k-btn hover:no-underline" href={href("models")}>
            {t("empty.models")}
          </a>
        </span>
      }
    >
      {t("empty.noneText")}
    </EmptyState>
  );
}

/** The error of an action or of a preview. */
function Problem({ actions, voice }: { actions: VoiceActions; voice: Voice | undefined }) {
  const { t } = useTranslation("voices");
  const unheard = usePreviewError();
  const error = actions.problem ?? unheard;
  if (!error) return null;
  return (
    <div className="px-3 py-2">
      <ErrorBox
        error={error}
        action={
          <span className="flex flex-wrap gap-2">
            <ToModel error={error} voice={voice} />
            <Button
              size="small"
              onClick={() => {
                actions.dismiss();
                stopPreview();
              }}
            >
              {t("common:close")}
            </Button>
          </span>
        }
      />
    </div>
  );
}

interface Props {
  voices: readonly Voice[];
  models: readonly Model[];
  selected: string | undefined;
  filters: Filters;
  onFilters(filters: Filters): void;
  actions: VoiceActions;
  onShow(voice: Voice): void;
  onNew(): void;
  /** Rendered in place of the rows while there are none. */
  instead: ReactNode;
}

/** The rows in the chosen order, and the number of voices. */
function useEntries({ voices, filters, selected }: Props, sort: Sort, open: ReadonlySet<string>) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  return useMemo(() => {
    const found = filterVoices(voices, filters, format.language);
    return {
      count: found.length,
      entries: sectionEntries(found, {
        sort,
        own: t("yours"),
        open,
        keep: selected,
        search: filters.search,
        language: format.language,
      }),
    };
  }, [voices, filters, format, sort, open, selected, t]);
}

/** The voices of this machine with search, filters and order, and suggestions where there are few. */
export function VoiceBrowser(props: Props) {
  const { voices, models, selected, filters, onFilters, actions, onShow, onNew, instead } = props;
  const { t, i18n } = useTranslation("voices");
  const [requestedSort, setSort] = useQueryParam("sort");
  const sort: Sort = sorts.find((one) => one === requestedSort) ?? "name";
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { entries, count } = useEntries(props, sort, opened);
  const search = useRef<HTMLInputElement>(null);
  const favorite = useFavorite();
  const { setOpen: setInspector } = useInspector();
  function chooseEntry(entry: Entry): void {
    if (entry.kind === "group")
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(groupOf(entry))) next.add(groupOf(entry));
        return next;
      });
    else if (entry.kind === "voice" && entry.voice.profile.usable) toStudio(entry.voice.profile);
  }
  const keys = useListKeys({
    entries,
    first: selected ?? "",
    columns: 1,
    onEnter: chooseEntry,
    onFavorite: favorite,
    onSpace: (one) => canPreview(one) && togglePreview(previewId(one)),
    onType: () => search.current?.focus(),
  });
  const active = keys.active?.kind === "voice" ? keys.active.voice : undefined;
  function select(entry: Entry): void {
    if (entry.kind !== "voice") return;
    onShow(entry.voice);
    setInspector(true);
  }
  function onKeyDown(event: React.KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    if (event.key === "Delete" && active && target.matches("[data-key]")) {
      event.preventDefault();
      if (keys.active) keys.leave(keys.active);
      actions.remove(active);
    } else keys.onKeyDown(event);
  }
  useCommands([
    { id: "voices:find", title: t("search"), shortcut: "/", run: () => search.current?.focus(), hidden: true },
  ]);
  const narrowed = isFiltered(filters) || filters.search !== "";
  const more =
    count <= enough && filters.search === "" && !filters.favorite ? (
      <MoreVoices models={models} language={filters.language[0] ?? i18n.language} />
    ) : null;
  return (
    // The keys of the list work from the search field too; each control inside has its own role.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <Toolbar
        voices={voices}
        filters={filters}
        onFilters={(next) => {
          if (next.search !== filters.search) keys.setActive("");
          onFilters(next);
        }}
        sort={sort}
        onSort={setSort}
        searchRef={search}
      />
      <Problem actions={actions} voice={active} />
      {instead ??
        (entries.length === 0 ? (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <Nothing narrowed={narrowed} onClear={() => onFilters(noFilters)} onNew={onNew} />
            {more}
          </div>
        ) : (
          <VoiceList
            label={t("title")}
            entries={entries}
            view="list"
            columns={1}
            keys={keys}
            isSelected={(entry) => entry.key === selected}
            onEnter={chooseEntry}
            onActive={select}
            end={(one, tabIndex) => <VoiceMenu isOfRow voice={one} actions={actions} tabIndex={tabIndex} />}
            after={more}
          />
        ))}
    </div>
  );
}
