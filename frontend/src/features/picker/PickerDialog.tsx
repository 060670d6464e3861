import { LayoutGrid, List, Search, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMedia } from "@/lib/media";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, EmptyState, ErrorBox, IconButton, Kbd, SegmentedControl, TextField } from "@/ui";
import { canPreview, useFavorite } from "./buttons";
import { byUse, groupOf, modelEntries, voiceEntries, type Entry } from "./entries";
import { filterModels, filterVoices, isFiltered, noFilters, type Filters } from "./filter";
import { FilterPanel } from "./FilterPanel";
import { NeedModel } from "./NeedModel";
import { ToModel } from "./ToModel";
import { stopPreview, togglePreview, usePreviewError } from "./preview";
import { useVoices } from "./useVoices";
import { modelsToGet, type Voice } from "./voice";
import { useListKeys, VoiceList, type View } from "./VoiceList";
import type { VoicePickerProps } from "./VoicePicker";

const viewKey = "voicewright.picker.view";

function useEntries(filters: Filters, value: string | undefined, open: ReadonlySet<string>) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const data = useVoices();
  const { voices, models } = data;
  const found = useMemo(() => filterVoices(voices, filters, format.language).sort(byUse), [voices, filters, format]);
  const toGet = useMemo(() => filterModels(modelsToGet(models), filters, format.language), [models, filters, format]);
  const entries = useMemo((): Entry[] => {
    const here = voiceEntries(found, { open, keep: value, flat: filters.search.trim() !== "" });
    if (toGet.length === 0) return here;
    return [...here, { kind: "heading", key: "heading:get", text: t("getMore"), count: toGet.length }, ...modelEntries(toGet)];
  }, [found, toGet, open, value, filters.search, t]);
  return { ...data, entries, found };
}

/** What waits for a download: a voice whose model is not here, or a model. */
type Wanted = Extract<Entry, { kind: "voice" | "model" }>;

function useHint(voice: Voice | undefined) {
  const { t } = useTranslation("picker");
  const failed = usePreviewError();
  if (failed) return <ErrorBox error={failed} action={<ToModel error={failed} voice={voice} />} />;
  if (voice && !canPreview(voice) && voice.state === "missing") return <span className="text-12 text-ink-2">{t("preview.notHere", { name: voice.profile.name })}</span>;
  return null;
}

export default function PickerDialog({ onClose, value, onChoose }: VoicePickerProps) {
  const { t } = useTranslation("picker");
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState<View>(() => (localStorage.getItem(viewKey) === "cards" ? "cards" : "list"));
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const columns = useMedia("(min-width: 900px)") ? 3 : 2;
  const search = useRef<HTMLInputElement>(null);
  const { entries, found, voices, models, isLoading, error, refetch } = useEntries(filters, value, opened);
  const favorite = useFavorite();
  useEffect(() => stopPreview, []);

  const choose = useCallback((voice: Voice) => { onChoose(voice.profile); onClose(); }, [onChoose, onClose]);
  function enter(entry: Entry): void {
    if (entry.kind === "group") setOpened((before) => { const next = new Set(before); if (!next.delete(groupOf(entry))) next.add(groupOf(entry)); return next; });
    else if (entry.kind === "model" || (entry.kind === "voice" && entry.voice.state === "missing")) setWanted(entry);
    else if (entry.kind === "voice") choose(entry.voice);
  }
  const keys = useListKeys({
    entries, first: value ?? "", columns: view === "cards" ? columns : 1, onEnter: enter, onFavorite: favorite,
    onSpace: (voice) => canPreview(voice) && togglePreview(voice.profile.id), onType: () => search.current?.focus(),
  });
  const active = keys.active;
  const marked = active?.kind === "voice" ? active.voice : undefined;
  const hint = useHint(marked);
  const wantedModel = wanted && models.find((model) => model.model_name === (wanted.kind === "model" ? wanted.model : wanted.voice.model)?.model_name);
  const back = useCallback(() => { setWanted(null); search.current?.focus(); }, []);
  const ready = useCallback(() => {
    if (wanted?.kind === "voice") choose(wanted.voice);
    back();
  }, [wanted, choose, back]);
  const changeView = (next: View) => { localStorage.setItem(viewKey, next); setView(next); };

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("title")} hideTitle bare width={920} className="h-[min(640px,calc(100dvh-32px))]!">
      {/* The keys of the whole dialog; each control in it has its own role. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex min-h-0 flex-1 flex-col" onKeyDown={keys.onKeyDown}>
        <div className="flex items-center gap-2 border-b border-line p-3">
          <TextField ref={search} className="min-w-0 flex-1" label={t("search")} hideLabel placeholder={t("search")} autoFocus icon={<Search size={16} aria-hidden />} value={filters.search} onChange={(text) => setFilters({ ...filters, search: text })} end={<Kbd keys="escape" />} />
          <SegmentedControl label={t("view.title")} value={view} onChange={changeView} segments={[{ value: "list", label: t("view.list"), icon: <List size={14} aria-hidden /> }, { value: "cards", label: t("view.cards"), icon: <LayoutGrid size={14} aria-hidden /> }]} />
          <IconButton label={t("common:close")} icon={<X size={16} />} onClick={onClose} />
        </div>
        <div className="flex min-h-0 flex-1">
          <div className="w-40 flex-none overflow-y-auto border-e border-line bg-side p-4 sm:w-52" role="region" aria-label={t("filter.title")}><FilterPanel voices={voices} filters={filters} onChange={setFilters} /></div>
          {error ? <div className="flex-1 p-6"><ErrorBox error={error} action={<Button size="small" onClick={() => void refetch()}>{t("common:retry")}</Button>} /></div>
            : !isLoading && entries.length === 0 ? <div className="flex-1"><Nothing filters={filters} onClear={() => setFilters(noFilters)} /></div>
            : <VoiceList label={t("list")} entries={entries} view={view} columns={columns} keys={keys} markActive isSelected={(entry) => entry.kind === "voice" && entry.voice.profile.id === value} onEnter={enter} />}
        </div>
        <div className="border-t border-line p-3" role="status">
          {wanted && wantedModel ? (
            <NeedModel key={wanted.key} model={wantedModel} name={wanted.kind === "voice" ? wanted.voice.profile.name : undefined} onReady={ready} onBack={back}
              onUseAnyway={wanted.kind === "voice" ? () => choose(wanted.voice) : undefined} />
          ) : (
            <div className="flex flex-wrap items-center gap-2">
              <div className="min-w-0 flex-1">{hint ?? <Keys />}</div>
              <span className="text-12 text-ink-2">{t("voices", { count: found.length })}</span>
              <Button kind="primary" disabled={!active || active.kind === "group"} onClick={() => active && enter(active)}>{active?.kind === "model" ? t("get", { name: active.model.display_name }) : marked ? t("use", { name: marked.profile.name }) : t("useNone")}</Button>
            </div>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Keys() {
  const { t } = useTranslation("picker");
  const keys: [string[], string][] = [[["arrowup", "arrowdown"], t("keys.move")], [["space"], t("keys.listen")], [["enter"], t("keys.choose")], [["*"], t("keys.favorite")]];
  return <span className="hidden flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-2 sm:flex">{keys.map(([caps, word]) => <span key={word} className="inline-flex items-center gap-1.5">{caps.map((cap) => <Kbd key={cap} keys={cap} />)}{word}</span>)}</span>;
}

function Nothing({ filters, onClear }: { filters: Filters; onClear(): void }) {
  const { t } = useTranslation("picker");
  const narrowed = isFiltered(filters) || filters.search !== "";
  return <EmptyState icon={<Search size={28} aria-hidden />} title={narrowed ? t("empty.title") : t("empty.none")} action={narrowed ? <Button onClick={onClear}>{t("filter.clear")}</Button> : undefined}>{narrowed ? t("empty.text") : t("empty.noneText")}</EmptyState>;
}
