import { type ComponentProps, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { useIsAtLeast } from "@/lib/media";
import { storedValue } from "@/lib/storedValue";
import { DownloadsOff } from "@/features/downloads";
import { ProgramHelp } from "@/features/programs";
import { Button, Dialog, ErrorBox } from "@/ui";
import {
  canPreview,
  type Entry,
  type Filters,
  groupOf,
  noFilters,
  previewId,
  useEspeakMissing,
  useFavorite,
  useListKeys,
  type View,
  VoiceList,
  VoiceItemsMenu,
} from "@/features/voices/library";
import { FilterPanel } from "./FilterPanel";
import { Footer } from "./Footer";
import { Head } from "./Head";
import { HostedNote } from "./HostedChoice";
import { NoVoices } from "./NoVoices";
import { stopPreview, togglePreview } from "@/player";
import type { VoicePickerProps } from "./props";
import { useChoosing } from "./useChoosing";
import { usePickerEntries } from "./usePickerEntries";

const storedView = storedValue("voicewright.picker.view", v.picklist(["list", "cards"]), "list");

function Failed({ error, retry }: { error: unknown; retry(): void }) {
  const { t } = useTranslation("picker");
  return (
    <div className="flex-1 p-6">
      <ErrorBox
        error={error}
        action={
          <Button size="small" onClick={retry}>
            {t("common:retry")}
          </Button>
        }
      />
    </div>
  );
}

type NotesProps = ComponentProps<typeof HostedNote> & {
  /** Of the built-in voice that was chosen. */
  error: unknown;
  /** Why nothing can be downloaded; null if it can. */
  off: ComponentProps<typeof DownloadsOff>["reason"] | null;
};

/** What is to be said above the list. */
function Notes({ error, off, ...hosted }: NotesProps) {
  const isEspeakMissing = useEspeakMissing();
  return (
    <>
      {error ? (
        <div className="border-b border-line p-3">
          <ErrorBox error={error} />
        </div>
      ) : null}
      {off === null ? null : (
        <div className="border-b border-line px-3 py-1.5">
          <DownloadsOff reason={off} />
        </div>
      )}
      {isEspeakMissing ? (
        <div className="border-b border-line p-3">
          <ProgramHelp name="espeak-ng" />
        </div>
      ) : null}
      <HostedNote {...hosted} />
    </>
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

  const onBack = useCallback(() => search.current?.focus(), []);
  const choosing = useChoosing({ models, voices, error, refetch, onBack, onChoose, onClose, place, value });
  function chooseEntry(entry: Entry): void {
    if (entry.kind === "group")
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(groupOf(entry))) next.add(groupOf(entry));
        return next;
      });
    else choosing.take(entry);
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
            <Notes
              error={choosing.addingBuiltIn.error}
              off={off}
              hosted={hosted}
              isAsked={filters.where.includes("hosted")}
            />
            {error ? (
              <Failed error={error} retry={() => void refetch()} />
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
        <Footer choosing={choosing} active={keys.active} count={count} onLeave={onClose} />
      </div>
    </Dialog>
  );
}
