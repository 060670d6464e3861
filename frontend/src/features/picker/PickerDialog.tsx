import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { engineName } from "@/api/models";
import type { Profile } from "@/api/types";
import { useIsAtLeast } from "@/lib/media";
import { storedValue } from "@/lib/storedValue";
import { DownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox } from "@/ui";
import {
  canPreview,
  type Entry,
  type Filters,
  groupOf,
  isBuiltInOffer,
  isHosted,
  noFilters,
  previewId,
  ToModel,
  useFavorite,
  useListKeys,
  useVoiceWords,
  type View,
  type Voice,
  VoiceList,
  VoiceItemsMenu,
} from "@/features/voices/library";
import { awaitVoice, forgetAwaited } from "./awaited";
import { FilterPanel } from "./FilterPanel";
import { Head } from "./Head";
import { canUse, HostedChoice, HostedNote } from "./HostedChoice";
import { KeyHints } from "./KeyHints";
import { Missing } from "./Missing";
import { NoVoices } from "./NoVoices";
import { NeedModel } from "./NeedModel";
import { stopPreview, togglePreview, usePreviewError } from "@/player";
import { useAddBuiltIn } from "./useAddBuiltIn";
import { type AddHosted, useAddHosted } from "./useAddHosted";
import { usePickerEntries } from "./usePickerEntries";
import { useWanted } from "./useWanted";

export interface VoicePickerProps {
  open: boolean;
  onClose(): void;
  /** Where the voice is used: a voice whose model is still being downloaded when the picker closes is chosen there later. */
  place?: string | undefined;
  /** The id of the profile in use. */
  value?: string | undefined;
  /** The filters at the beginning. */
  filters?: Partial<Filters> | undefined;
  /** Called with the chosen voice; the picker closes by itself. */
  onChoose(profile: Profile): void;
}

const storedView = storedValue("voicewright.picker.view", v.picklist(["list", "cards"]), "list");

/** What the active voice requires before its preview can be played, or why the preview failed. */
function useHint(voice: Voice | undefined) {
  const { t } = useTranslation("picker");
  const words = useVoiceWords();
  const format = useFormat();
  const failed = usePreviewError();
  if (failed) return <ErrorBox error={failed} action={<ToModel error={failed} voice={voice} />} />;
  if (voice?.state === "unusable") return <span className="text-12 text-ink-2 wrap-anywhere">{words.line(voice)}</span>;
  if (voice?.state !== "missing") return null;
  const known = words.some([
    words.facts(voice),
    words.languages(voice),
    engineName(voice.engine),
    format.megabytes(voice.model?.size_mb ?? 0),
  ]);
  return (
    <span className="text-12 text-ink-2 wrap-anywhere">
      {t(canPreview(voice) ? "preview.sample" : "preview.later", { name: voice.name })}. <span>{known}</span>
    </span>
  );
}

/** The footer: the active row, the number of rows, and the button that chooses it. */
function Actions({
  active,
  count,
  adding,
  onTake,
}: {
  active: Entry | undefined;
  count: number;
  adding: AddHosted;
  onTake(entry: Entry): void;
}) {
  const { t } = useTranslation("picker");
  const voice = active?.kind === "voice" ? active.voice : undefined;
  const hint = useHint(voice);
  const toGet = active?.kind === "model" ? active.model : active?.kind === "group" ? active.toGet : undefined;
  const words = toGet
    ? t("download", { name: toGet.display_name })
    : active?.kind === "voice"
      ? t(active.voice.state === "missing" && active.voice.offered ? "download" : "use", { name: active.voice.name })
      : t("useNone");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">
        {hint ?? (voice && isHosted(voice) ? <HostedChoice voice={voice} adding={adding} /> : <KeyHints />)}
      </div>
      <span className="text-12 text-ink-2">{t("voices", { count })}</span>
      <Button
        kind="primary"
        disabled={!active || (active.kind === "group" && !toGet) || (voice !== undefined && !canUse(voice))}
        busy={adding.isPending}
        onClick={() => active && onTake(active)}
      >
        {words}
      </Button>
    </div>
  );
}

export default function PickerDialog({ onClose, value, onChoose, place, filters: given }: VoicePickerProps) {
  const { t } = useTranslation("picker");
  const [filters, setFilters] = useState<Filters>({ ...noFilters, ...given });
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState<View>(storedView.read);
  const columns = useIsAtLeast(900) ? 3 : 2;
  const search = useRef<HTMLInputElement>(null);
  const { entries, all, count, off, voices, models, hosted, isLoading, error, refetch } = usePickerEntries(
    filters,
    value,
    opened,
  );
  const favorite = useFavorite();
  useEffect(() => stopPreview, []);

  const chooseProfile = useCallback(
    (profile: Profile) => {
      if (place !== undefined) forgetAwaited(place);
      onChoose(profile);
      onClose();
    },
    [onChoose, onClose, place],
  );
  const choose = useCallback(({ profile }: Voice) => chooseProfile(profile), [chooseProfile]);
  const onBack = useCallback(() => search.current?.focus(), []);
  const { wanted, model, want, ready, back, missing, giveUp } = useWanted({
    models,
    voices,
    error,
    choose,
    refetch,
    onBack,
  });
  const adding = useAddHosted(chooseProfile);
  const addingBuiltIn = useAddBuiltIn(chooseProfile);
  /** The voice of the running download is chosen, also when the picker is closed by then. */
  function remember(): void {
    if (place === undefined || !wanted?.voice) return;
    awaitVoice(place, {
      model: wanted.model.model_name,
      voice: wanted.voice,
      language: wanted.voice.profile.language,
      inUse: value,
      before: wanted.before,
    });
  }
  function take(entry: Entry): void {
    if (entry.kind === "voice" && !canUse(entry.voice)) return;
    if (entry.kind === "voice" && isHosted(entry.voice)) {
      if (entry.voice.hosted && entry.voice.offered) adding.add(entry.voice.hosted);
      else choose(entry.voice);
    } else if (entry.kind === "voice" && isBuiltInOffer(entry.voice)) addingBuiltIn.add(entry.voice);
    else if (entry.kind === "voice" && entry.voice.state !== "missing") choose(entry.voice);
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
    onSpace: (voice) => canPreview(voice) && togglePreview(previewId(voice)),
    onType: () => search.current?.focus(),
  });
  /** A changed search marks its best match, not the row that was marked before. */
  function changeFilters(next: Filters): void {
    if (next.search !== filters.search) keys.setActive("");
    setFilters(next);
  }
  const isNarrow = !useIsAtLeast(560); // the filters take the place of the list
  const [filtering, setFiltering] = useState(false);
  const changeView = (next: View) => {
    storedView.write(next);
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
      className="h-[min(640px,calc(100%-32px))]!"
    >
      {/* The keys of the whole dialog; each control inside has its own role. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex min-h-0 flex-1 flex-col" onKeyDown={keys.onKeyDown}>
        <Head
          filters={filters}
          onFilters={changeFilters}
          view={view}
          onView={changeView}
          onClose={onClose}
          searchRef={search}
          filtering={isNarrow ? filtering : undefined}
          onFiltering={setFiltering}
        />
        <div className="flex min-h-0 flex-1">
          <div
            hidden={isNarrow && !filtering}
            className="w-44 flex-none overflow-y-auto border-line bg-side p-4 max-[559px]:w-full sm:w-46 min-[560px]:border-e"
            role="region"
            aria-label={t("filter.title")}
          >
            <FilterPanel voices={all} filters={filters} onChange={setFilters} />
          </div>
          <div hidden={isNarrow && filtering} className="flex min-h-0 min-w-0 flex-1 flex-col">
            {addingBuiltIn.error ? (
              <div className="border-b border-line p-3">
                <ErrorBox error={addingBuiltIn.error} />
              </div>
            ) : null}
            {off === null ? null : (
              <div className="border-b border-line px-3 py-1.5">
                <DownloadsOff reason={off} />
              </div>
            )}
            <HostedNote hosted={hosted} isAsked={filters.where.includes("hosted")} />
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
                end={(voice, tabIndex) => <VoiceItemsMenu voice={voice} tabIndex={tabIndex} />}
              />
            )}
          </div>
        </div>
        <div className="border-t border-line p-3" role="status" aria-atomic="false">
          {wanted && model ? (
            <NeedModel
              key={wanted.key}
              model={model}
              name={wanted.voice?.name}
              onReady={ready}
              onBack={back}
              onStart={remember}
              onStop={() => place !== undefined && forgetAwaited(place)}
              onLeave={onClose}
              onUseAnyway={wanted.voice?.offered === false ? () => wanted.voice && choose(wanted.voice) : undefined}
            />
          ) : missing ? (
            <Missing voice={missing} onMade={(profile) => choose({ ...missing, profile })} onBack={giveUp} />
          ) : (
            <Actions active={keys.active} count={count} adding={adding} onTake={take} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
