import { Copy, MoreHorizontal, PenLine, Search, Trash2, Upload } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { useCommands } from "@/app/commands";
import { href, navigate, useQueryParam, useRoute } from "@/app/router";
import { useInspector } from "@/app/slots";
import { useIsWide } from "@/lib/media";
import { canPreview, useFavorite } from "@/features/picker/buttons";
import { groupOf, type Entry } from "@/features/picker/entries";
import { filterVoices, isFiltered, noFilters, type Filters } from "@/features/picker/filter";
import { ToModel } from "@/features/picker/ToModel";
import { stopPreview, togglePreview, usePreviewError } from "@/features/picker/preview";
import { useVoices } from "@/features/picker/useVoices";
import type { Voice } from "@/features/picker/voice";
import { useListKeys, VoiceList } from "@/features/picker/VoiceList";
import { useFormat } from "@/i18n/format";
import { Button, EmptyState, ErrorBox, IconButton, Menu, Skeleton } from "@/ui";
import { useVoiceActions, type VoiceActions } from "./actions";
import { mixable, type Source } from "./draft";
import { NewVoice } from "./NewVoice";
import { sectionEntries, sorts, type Sort } from "./sections";
import { Toolbar } from "./Toolbar";
import { TopActions } from "./TopActions";
import { VoiceInspector } from "./VoiceInspector";

const show = (profile: Pick<Profile, "id">) => navigate(href("voices", [profile.id]), { replace: true });
const toStudio = (profile: Profile) => navigate(href("studio", [], { voice: profile.id }));

function RowMenu({ voice, actions, tabIndex }: { voice: Voice; actions: VoiceActions; tabIndex: number }) {
  const { t } = useTranslation("voices");
  const { profile } = voice;
  return (
    <Menu groups={[
      profile.usable ? [{ label: t("use"), icon: <PenLine size={16} />, shortcut: "enter", onSelect: () => toStudio(profile) }] : [],
      [{ label: t("duplicate"), icon: <Copy size={16} />, onSelect: () => actions.duplicate(profile) }, { label: t("export"), icon: <Upload size={16} />, onSelect: () => actions.download(profile) }],
      [{ label: t("common:delete"), icon: <Trash2 size={16} />, danger: true, shortcut: "delete", onSelect: () => actions.remove(profile) }],
    ]}><IconButton label={t("moreOf", { name: profile.name })} tabIndex={tabIndex} icon={<MoreHorizontal size={16} />} /></Menu>
  );
}

function Nothing({ narrowed, onClear, onNew }: { narrowed: boolean; onClear(): void; onNew(): void }) {
  const { t } = useTranslation("voices");
  if (narrowed) return <EmptyState icon={<Search size={28} aria-hidden />} title={t("empty.noMatch")} action={<Button onClick={onClear}>{t("empty.clear")}</Button>}>{t("empty.noMatchText")}</EmptyState>;
  return <EmptyState title={t("empty.none")} action={<span className="flex flex-wrap justify-center gap-2"><Button onClick={onNew}>{t("new.title")}</Button><a className="k-btn hover:no-underline" href={href("models")}>{t("empty.models")}</a></span>}>{t("empty.noneText")}</EmptyState>;
}

function Loading() {
  return <div className="grid gap-3 p-4">{[1, 2, 3, 4].map((i) => <Skeleton key={i} className="h-11" />)}</div>;
}

export default function Voices() {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const selected = useRoute().rest[0];
  const [sortWish, setSort] = useQueryParam("sort");
  const [allWish, setAll] = useQueryParam("all");
  const sort: Sort = sorts.find((one) => one === sortWish) ?? "name";
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [making, setMaking] = useState<Source | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const { voices, models, isLoading, error, refetch } = useVoices({ all: allWish === "1" });
  const actions = useVoiceActions(show);
  const favorite = useFavorite();
  const unheard = usePreviewError();
  const wide = useIsWide();
  const { setOpen: setInspector } = useInspector();
  useEffect(() => stopPreview, []);

  const entries = useMemo(() => {
    const found = filterVoices(voices, filters, format.language);
    return sectionEntries(found, { sort, own: t("own"), open: opened, keep: selected, flat: filters.search.trim() !== "" });
  }, [voices, filters, format, sort, opened, selected, t]);
  const voice = voices.find((one) => one.profile.id === selected);

  function enter(entry: Entry): void {
    if (entry.kind === "group") setOpened((before) => { const next = new Set(before); if (!next.delete(groupOf(entry))) next.add(groupOf(entry)); return next; });
    else if (entry.kind === "voice" && entry.voice.profile.usable) toStudio(entry.voice.profile);
  }
  const keys = useListKeys({
    entries, first: selected ?? "", columns: 1, onEnter: enter, onFavorite: favorite, onSpace: (one) => canPreview(one) && togglePreview(one.profile.id), onType: () => search.current?.focus(),
  });
  const active = keys.active?.kind === "voice" ? keys.active.voice : undefined;
  function select(entry: Entry): void {
    if (entry.kind !== "voice") return;
    show(entry.voice.profile);
    setInspector(true);
  }
  function onKeyDown(event: React.KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    if (event.key === "Delete" && active && target.matches("[data-key]")) { event.preventDefault(); actions.remove(active.profile); }
    else keys.onKeyDown(event);
  }
  useCommands([
    { id: "voices:new", title: t("new.title"), shortcut: "n", run: () => setMaking("preset") },
    ...(mixable(voices).length > 1 ? [{ id: "voices:mix", title: t("newMix"), run: () => setMaking("mix") }] : []),
    { id: "voices:import", title: t("import"), run: () => file.current?.click() },
    { id: "voices:restore", title: t("restore"), run: actions.restore },
    { id: "voices:find", title: t("search"), shortcut: "/", run: () => search.current?.focus(), hidden: true },
  ]);
  const narrowed = isFiltered(filters) || filters.search !== "";

  return (
    <div className="flex min-h-0 flex-col">
      <TopActions canMix={mixable(voices).length > 1} all={allWish === "1"} isImporting={actions.isImporting} onNew={setMaking} onImport={() => file.current?.click()} onRestore={actions.restore} onAll={(all) => setAll(all ? "1" : "")} />
      <input ref={file} type="file" accept=".zip,application/zip" hidden aria-label={t("import")} onChange={(event) => { const chosen = event.target.files?.[0]; event.target.value = ""; if (chosen) actions.bring(chosen); }} />
      {/* The keys of the list work from the search field too; each control in here has its own role. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
        <Toolbar voices={voices} filters={filters} onFilters={setFilters} sort={sort} onSort={setSort} searchRef={search} />
        {actions.problem ?? unheard ? <div className="px-3 py-2"><ErrorBox error={actions.problem ?? unheard} action={<span className="flex flex-wrap gap-2"><ToModel error={actions.problem ?? unheard} voice={active} /><Button size="small" onClick={() => { actions.dismiss(); stopPreview(); }}>{t("common:close")}</Button></span>} /></div> : null}
        {error ? <div className="p-4"><ErrorBox error={error} action={<Button size="small" onClick={() => void refetch()}>{t("common:retry")}</Button>} /></div>
          : isLoading ? <Loading />
          : entries.length === 0 ? <Nothing narrowed={narrowed} onClear={() => setFilters(noFilters)} onNew={() => setMaking("preset")} />
          : <VoiceList label={t("title")} entries={entries} view="list" columns={1} keys={keys} isSelected={(entry) => entry.key === selected} onEnter={enter} onActive={select} end={(one, tabIndex) => <RowMenu voice={one} actions={actions} tabIndex={tabIndex} />} />}
      </div>
      {voice ? <VoiceInspector voice={voice} voices={voices} actions={actions} /> : null}
      {making ? <NewVoice source={making} voices={voices} models={models} onClose={() => setMaking(null)} onMade={(profile) => { setMaking(null); setFilters(noFilters); show(profile); if (wide) setInspector(true); }} /> : null}
    </div>
  );
}
