import { LayoutGrid, List, Search, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { useMedia } from "@/lib/media";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, IconButton, Kbd, SegmentedControl, TextField } from "@/ui";
import {
  byUse,
  canPreview,
  type Entry,
  filterModels,
  type Filters,
  filterVoices,
  groupOf,
  noFilters,
  offerEntries,
  ToModel,
  useFavorite,
  useListKeys,
  useOffers,
  useVoices,
  useVoiceWords,
  type View,
  type Voice,
  voiceEntries,
  VoiceList,
} from "@/features/voices/library";
import { FilterPanel } from "./FilterPanel";
import { KeyHints } from "./KeyHints";
import { Missing } from "./Missing";
import { NoVoices } from "./NoVoices";
import { NeedModel } from "./NeedModel";
import { stopPreview, togglePreview, usePreviewError } from "@/player";
import { useWanted } from "./useWanted";
import type { VoicePickerProps } from "./VoicePicker";

const viewKey = "voicewright.picker.view";

/** The rows of the list: the installed voices, then the downloadable ones. */
function useEntries(filters: Filters, value: string | undefined, open: ReadonlySet<string>) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const data = useVoices();
  const offers = useOffers(data.models);
  const { voices } = data;
  const all = useMemo(() => [...voices, ...offers.flatMap((offer) => offer.voices)], [voices, offers]);
  const found = useMemo(() => filterVoices(voices, filters, format.language).sort(byUse), [voices, filters, format]);
  const toGet = useMemo(
    () =>
      offers.flatMap(({ model, voices: list }) => {
        const fitting = filterVoices(list, filters, format.language);
        return fitting.length > 0 || (list.length === 0 && filterModels([model], filters, format.language).length > 0)
          ? [{ model, voices: fitting }]
          : [];
      }),
    [offers, filters, format],
  );
  const flat = filters.search.trim() !== "";
  const count = toGet.reduce((sum, offer) => sum + (offer.voices.length || offer.model.voices), 0);
  const entries = useMemo((): Entry[] => {
    const here = voiceEntries(found, { open, keep: value, flat });
    if (toGet.length === 0) return here;
    return [
      ...here,
      { kind: "heading", key: "heading:get", text: t("moreToDownload"), count },
      ...offerEntries(toGet, { open, flat }),
    ];
  }, [found, toGet, count, open, value, flat, t]);
  return { ...data, all, entries, count: found.length + count };
}

/** What the active voice requires before its preview can be played, or why the preview failed. */
function useHint(voice: Voice | undefined) {
  const { t } = useTranslation("picker");
  const words = useVoiceWords();
  const format = useFormat();
  const failed = usePreviewError();
  if (failed) return <ErrorBox error={failed} action={<ToModel error={failed} voice={voice} />} />;
  if (voice?.state !== "missing") return null;
  const known = words.some([
    words.facts(voice),
    words.languages(voice),
    engineName(voice.engine),
    format.megabytes(voice.model?.size_mb ?? 0),
  ]);
  return (
    <span className="text-12 text-ink-2 wrap-anywhere">
      {t("preview.later", { name: voice.name })}. <span>{known}</span>
    </span>
  );
}

function Head({
  filters,
  onFilters,
  view,
  onView,
  onClose,
  searchRef,
}: {
  filters: Filters;
  onFilters(filters: Filters): void;
  view: View;
  onView(view: View): void;
  onClose(): void;
  searchRef: Ref<HTMLInputElement>;
}) {
  const { t } = useTranslation("picker");
  return (
    <div className="flex items-center gap-2 border-b border-line p-3">
      <TextField
        ref={searchRef}
        className="min-w-0 flex-1"
        label={t("search")}
        hideLabel
        placeholder={t("search")}
        autoFocus
        icon={<Search size={16} aria-hidden />}
        value={filters.search}
        onChange={(search) => onFilters({ ...filters, search })}
        end={<Kbd keys="escape" />}
      />
      <SegmentedControl
        label={t("view.title")}
        value={view}
        onChange={onView}
        segments={[
          { value: "list", label: t("view.list"), icon: <List size={14} aria-hidden /> },
          { value: "cards", label: t("view.cards"), icon: <LayoutGrid size={14} aria-hidden /> },
        ]}
      />
      <IconButton label={t("common:close")} icon={<X size={16} />} onClick={onClose} />
    </div>
  );
}

/** The footer: the active row, the number of rows, and the button that chooses it. */
function Actions({ active, count, onTake }: { active: Entry | undefined; count: number; onTake(entry: Entry): void }) {
  const { t } = useTranslation("picker");
  const hint = useHint(active?.kind === "voice" ? active.voice : undefined);
  const toGet = active?.kind === "model" ? active.model : active?.kind === "group" ? active.toGet : undefined;
  const words = toGet
    ? t("download", { name: toGet.display_name })
    : active?.kind === "voice"
      ? t(active.voice.offered ? "download" : "use", { name: active.voice.name })
      : t("useNone");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">{hint ?? <KeyHints />}</div>
      <span className="text-12 text-ink-2">{t("voices", { count })}</span>
      <Button
        kind="primary"
        disabled={!active || (active.kind === "group" && !toGet)}
        onClick={() => active && onTake(active)}
      >
        {words}
      </Button>
    </div>
  );
}

export default function PickerDialog({ onClose, value, onChoose }: VoicePickerProps) {
  const { t } = useTranslation("picker");
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState<View>(() => (localStorage.getItem(viewKey) === "cards" ? "cards" : "list"));
  const columns = useMedia("(min-width: 900px)") ? 3 : 2;
  const search = useRef<HTMLInputElement>(null);
  const { entries, all, count, voices, models, isLoading, error, refetch } = useEntries(filters, value, opened);
  const favorite = useFavorite();
  useEffect(() => stopPreview, []);

  const choose = useCallback(
    (voice: Voice) => {
      onChoose(voice.profile);
      onClose();
    },
    [onChoose, onClose],
  );
  const onBack = useCallback(() => search.current?.focus(), []);
  const { wanted, model, want, ready, back, missing, giveUp } = useWanted({
    models,
    voices,
    error,
    choose,
    refetch,
    onBack,
  });
  function take(entry: Entry): void {
    if (entry.kind === "voice" && entry.voice.state !== "missing") choose(entry.voice);
    else if (entry.kind === "voice" && entry.voice.model)
      want({ key: entry.key, model: entry.voice.model, voice: entry.voice });
    else if (entry.kind === "model") want(entry);
    else if (entry.kind === "group" && entry.toGet) want({ key: entry.key, model: entry.toGet });
  }
  function chooseEntry(entry: Entry): void {
    if (entry.kind === "group")
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(groupOf(entry))) next.add(groupOf(entry));
        return next;
      });
    else take(entry);
  }
  const keys = useListKeys({
    entries,
    first: value ?? "",
    columns: view === "cards" ? columns : 1,
    onEnter: chooseEntry,
    onFavorite: favorite,
    onSpace: (voice) => canPreview(voice) && togglePreview(voice.profile.id),
    onType: () => search.current?.focus(),
  });
  const changeView = (next: View) => {
    localStorage.setItem(viewKey, next);
    setView(next);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title")}
      hideTitle
      bare
      width={920}
      className="h-[min(640px,calc(100dvh-32px))]!"
    >
      {/* The keys of the whole dialog; each control inside has its own role. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex min-h-0 flex-1 flex-col" onKeyDown={keys.onKeyDown}>
        <Head
          filters={filters}
          onFilters={setFilters}
          view={view}
          onView={changeView}
          onClose={onClose}
          searchRef={search}
        />
        <div className="flex min-h-0 flex-1">
          <div
            className="w-44 flex-none overflow-y-auto border-e border-line bg-side p-4 sm:w-46"
            role="region"
            aria-label={t("filter.title")}
          >
            <FilterPanel voices={all} filters={filters} onChange={setFilters} />
          </div>
          {error ? (
            <div className="flex-1 p-6">
              <ErrorBox
                error={error}
                action={
                  <Button size="small" onClick={() => void refetch()}>
                    {t("common:retry")}
                  </Button>
                }
              />
            </div>
          ) : !isLoading && entries.length === 0 ? (
            <div className="flex-1">
              <NoVoices filters={filters} onClear={() => setFilters(noFilters)} />
            </div>
          ) : (
            <VoiceList
              label={t("list")}
              entries={entries}
              view={view}
              columns={columns}
              keys={keys}
              current={value}
              isSelected={(entry) => entry.key === keys.active?.key}
              onEnter={chooseEntry}
            />
          )}
        </div>
        <div className="border-t border-line p-3" role="status">
          {wanted && model ? (
            <NeedModel
              key={wanted.key}
              model={model}
              name={wanted.voice?.name}
              onReady={ready}
              onBack={back}
              onUseAnyway={wanted.voice?.offered === false ? () => wanted.voice && choose(wanted.voice) : undefined}
            />
          ) : missing ? (
            <Missing voice={missing} onMade={(profile) => choose({ ...missing, profile })} onBack={giveUp} />
          ) : (
            <Actions active={keys.active} count={count} onTake={take} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
