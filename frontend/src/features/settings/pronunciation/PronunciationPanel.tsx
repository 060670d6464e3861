import { Download, Search, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  exportPronunciations,
  useDeletePronunciation,
  useImportPronunciations,
  usePronunciations,
} from "@/api/pronunciations";
import { href } from "@/lib/router";
import type { Pronunciation as Entry, PronunciationImport } from "@/api/types";
import { Button, EmptyState, ErrorBox, FileInput, Menu, Skeleton, TextField, useUndo } from "@/ui";
import { SettingRow, useSearching } from "../SettingRow";
import { AddPronunciation } from "./AddPronunciation";
import { TryPronunciation } from "./TryPronunciation";
import { PronunciationRow } from "./PronunciationRow";

function ImportResult({ result, onClose }: { result: PronunciationImport; onClose(): void }) {
  const { t } = useTranslation("settings");
  return (
    <div className="mt-3 rounded-r bg-fill p-3" role="status">
      <div className="flex items-center justify-between gap-3">
        <p>{t("pronunciation.imported", { added: result.added, replaced: result.replaced })}</p>
        <Button kind="quiet" size="small" onClick={onClose}>
          {t("common:close")}
        </Button>
      </div>
      {result.skipped.length > 0 ? (
        <>
          <p className="mt-2 font-medium">{t("pronunciation.skipped", { count: result.skipped_total })}</p>
          <ul className="mt-1 max-h-40 overflow-y-auto text-12 text-ink-2">
            {result.skipped.map((s) => (
              <li key={s.line}>{t("pronunciation.skippedLine", { line: s.line, reason: s.reason })}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** Import and export of the words, and the lines that an import skipped. */
function Exchange({ empty }: { empty: boolean }) {
  const { t } = useTranslation("settings");
  const file = useRef<HTMLInputElement>(null);
  const take = useImportPronunciations();
  const [failed, setFailed] = useState<unknown>(null);
  const save = (format: "csv" | "json") =>
    exportPronunciations(format, t("pronunciation.fileName")).then(() => setFailed(null), setFailed);
  const problem = take.error ?? failed;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <FileInput
          ref={file}
          label={t("pronunciation.import")}
          accept=".csv,.json,text/csv,application/json"
          onChoose={([chosen]) => take.mutate(chosen)}
        />
        <Button icon={<Upload size={16} aria-hidden />} busy={take.isPending} onClick={() => file.current?.click()}>
          {t("pronunciation.import")}
        </Button>
        {empty ? null : (
          <Menu
            groups={[
              [
                { label: t("pronunciation.asCsv"), onSelect: () => void save("csv") },
                { label: t("pronunciation.asJson"), onSelect: () => void save("json") },
              ],
            ]}
          >
            <Button icon={<Download size={16} aria-hidden />}>{t("pronunciation.export")}</Button>
          </Menu>
        )}
      </div>
      {take.data ? <ImportResult result={take.data} onClose={() => take.reset()} /> : null}
      {problem ? (
        <div className="mt-3">
          <ErrorBox error={problem} />
        </div>
      ) : null}
    </>
  );
}

function WordList({
  search,
  words,
  hide,
}: {
  search: string;
  words: ReturnType<typeof usePronunciations>;
  hide: { ids: ReadonlySet<string>; remove(entry: Entry): void };
}) {
  const { t } = useTranslation("settings");
  if (words.error)
    return (
      <ErrorBox
        error={words.error}
        action={
          <Button size="small" onClick={() => void words.refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    );
  if (words.isLoading) return <Skeleton className="h-24" />;
  const shown = words.items.filter((entry) => !hide.ids.has(entry.id));
  if (shown.length === 0)
    return search ? (
      <EmptyState title={t("pronunciation.noneFound")} />
    ) : (
      <EmptyState title={t("pronunciation.none")}>{t("pronunciation.noneHint")}</EmptyState>
    );
  return (
    <>
      <ul aria-label={t("pronunciation.title")} className="border-t border-line">
        {shown.map((entry) => (
          <PronunciationRow key={entry.id} entry={entry} onDelete={() => hide.remove(entry)} />
        ))}
      </ul>
      {words.hasMore ? (
        <Button className="mt-3" busy={words.isLoadingMore} onClick={() => void words.loadMore()}>
          {t("pronunciation.more")}
        </Button>
      ) : null}
    </>
  );
}

/** Rows that are hidden until their undo bar ends. */
function useHidden() {
  const { t } = useTranslation("settings");
  const undo = useUndo();
  const forget = useDeletePronunciation();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const show = (id: string) => setIds((all) => new Set([...all].filter((other) => other !== id)));
  function remove(entry: Entry) {
    setIds((all) => new Set(all).add(entry.id));
    undo({
      text: t("pronunciation.deleted", { word: entry.word }),
      undo: () => show(entry.id),
      commit: () => forget.mutate(entry.id, { onError: () => show(entry.id) }),
    });
  }
  return { ids, remove, error: forget.error };
}

export function PronunciationPanel() {
  const { t } = useTranslation("settings");
  const searching = useSearching();
  const [search, setSearch] = useState("");
  const words = usePronunciations(search.trim() ? { search: search.trim() } : {});
  const hide = useHidden();
  if (searching)
    return (
      <SettingRow id="pronunciation.words">
        <a className="k-btn" href={href("settings", ["pronunciation"])}>
          {t("pronunciation.open")}
        </a>
      </SettingRow>
    );
  return (
    <>
      <p className="mb-4 max-w-[60ch] text-12 text-ink-3">{t("rows.pronunciation.words.hint")}</p>
      <AddPronunciation />
      <TryPronunciation />
      <div className="mt-6 mb-3 flex flex-wrap items-start justify-between gap-2">
        <TextField
          className="min-w-40 flex-[0_1_240px]"
          label={t("pronunciation.find")}
          hideLabel
          placeholder={t("pronunciation.find")}
          icon={<Search size={16} aria-hidden />}
          value={search}
          onChange={setSearch}
          type="search"
        />
        <div>
          <Exchange empty={words.total === 0 && !search} />
        </div>
      </div>
      {hide.error ? <ErrorBox error={hide.error} /> : null}
      <WordList search={search} words={words} hide={hide} />
    </>
  );
}
