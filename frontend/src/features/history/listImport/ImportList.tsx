import { Download, FileUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { audioFormats, type AudioFormat } from "@/api/formats";
import { toApiError, type ApiError } from "@/api/errors";
import { useProfiles } from "@/api/profiles";
import { useSystem } from "@/api/system";
import { useFormat } from "@/i18n/format";
import { useErrorText } from "@/i18n/errors";
import { useVoiceName } from "@/i18n/voiceName";
import { useStore } from "@/lib/store";
import { exportSound } from "@/player";
import { Button, Dialog, ErrorBox, ProgressBar, Select, VirtualList } from "@/ui";
import { saveMany } from "../files";
import {
  badRows,
  closeList,
  goodRows,
  list,
  openList,
  priceOfList,
  runList,
  startOver,
  stopList,
  type Failure,
  type ListState,
} from "./list";
import { completeIds, type ListOptions } from "./progress";

const lineHeight = 20; // px, of a row or a problem before it is measured

/** Reads a list of texts and generates its rows. Closing the dialog does not stop them. */
export function ImportList({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useTranslation("history");
  const state = useStore(list);
  return (
    <Dialog open={open} onOpenChange={(next) => next || onClose()} title={t("import.title")} width={560}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {state && state.phase !== "ready" ? null : <ChooseFile isOpened={state !== null} />}
        {state ? <Opened key={state.name} state={state} /> : null}
      </div>
    </Dialog>
  );
}

function ChooseFile({ isOpened }: { isOpened: boolean }) {
  const { t } = useTranslation("history");
  const input = useRef<HTMLInputElement>(null);
  const failureText = useFailureText();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<{ name: string; error: unknown } | null>(null);
  const words = useErrorText(["history:import.errors"]);
  async function read(file: File | undefined) {
    if (!file) return;
    setReading(true);
    setFailure(null);
    await openList(file, failureText).catch((error: unknown) => setFailure({ name: file.name, error }));
    setReading(false);
  }
  const reason = failure ? words(toApiError(failure.error)) : null;
  return (
    <div
      className="grid justify-items-start gap-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void read(event.dataTransfer.files[0]);
      }}
    >
      {isOpened ? null : <p className="text-ink-2">{t("import.hint")}</p>}
      <input
        ref={input}
        type="file"
        accept=".csv,.jsonl,.txt"
        className="sr-only"
        tabIndex={-1}
        aria-label={t("import.choose")}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button
        kind={isOpened ? "plain" : "primary"}
        icon={<FileUp size={16} aria-hidden />}
        busy={isReading}
        onClick={() => input.current?.click()}
      >
        {t(isOpened ? "import.other" : "import.choose")}
      </Button>
      {failure && reason ? (
        <ErrorBox
          error={failure.error}
          words={{ ...reason, title: t("import.notRead", { name: failure.name, reason: reason.title }) }}
        />
      ) : null}
    </div>
  );
}

function Opened({ state }: { state: ListState }) {
  const { t } = useTranslation("history");
  const { number } = useFormat();
  const good = goodRows(state);
  const bad = badRows(state);
  return (
    <>
      <p>
        <span className="font-medium wrap-anywhere">{state.name}</span>{" "}
        <span className="text-ink-3">
          {t("import.rows", { count: good.length, number: number(good.length) })}
          {bad.length > 0 ? ` · ${t("import.bad", { count: bad.length, number: number(bad.length) })}` : ""}
        </span>
      </p>
      {state.phase === "ready" ? <Rows state={state} /> : null}
      <Problems
        label={t("import.problems")}
        items={bad.map((row) => ({
          line: row.line,
          text: t(`import.problem.${row.reason ?? ""}`, { ...row.params, defaultValue: row.problem }),
        }))}
        isOpen={state.phase === "ready"}
      />
      <Run state={state} />
    </>
  );
}

function Rows({ state }: { state: ListState }) {
  const { t } = useTranslation("history");
  return (
    <VirtualList
      className="max-h-28 text-12 text-ink-2"
      label={t("import.list")}
      items={goodRows(state)}
      keyOf={(row) => String(row.row)}
      estimate={lineHeight}
      render={(row) => (
        <p className="truncate pb-1" dir="auto">
          {[row.name, row.voice, row.language, row.speed, row.format]
            .filter(Boolean)
            .map(String)
            .concat(row.text)
            .join(" · ")}
        </p>
      )}
    />
  );
}

interface Problem {
  line: number;
  text: string;
}

function Problems({ label, items, isOpen }: { label: string; items: readonly Problem[]; isOpen: boolean }) {
  const { t } = useTranslation("history");
  const { number } = useFormat();
  const [open, setOpen] = useState(isOpen);
  if (items.length === 0) return null;
  return (
    <details open={open} className="text-12" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="font-medium">{label}</summary>
      {open ? (
        <VirtualList
          className="mt-1 max-h-40 text-ink-2"
          label={label}
          items={items}
          keyOf={({ line }) => String(line)}
          estimate={lineHeight}
          render={({ line, text }) => <p className="pb-1">{t("import.line", { line: number(line), text })}</p>}
        />
      ) : null}
    </details>
  );
}

/** Returns why a row failed. A voice that its list names may never have existed. */
function useFailureText(): (failure: Failure) => string {
  const { t } = useTranslation("history");
  const words = useErrorText();
  const isUnknown = (error: ApiError) =>
    ["profile_not_found", "model_unknown"].includes(error.code) || error.field("voice") !== undefined;
  return ({ row, error }) =>
    row.voice && isUnknown(error) ? t("import.noVoice", { name: row.voice }) : words(error).title;
}

/** Returns the complete generations of a list in the order of its rows. */
function useMade({ rows, progress }: ListState, options: ListOptions | undefined): string[] {
  const { profile, format } = options ?? {};
  return useMemo(() => {
    if (!profile || !format) return [];
    return completeIds(goodRows({ rows }), progress, { profile, format }).filter((id) => id !== undefined);
  }, [rows, progress, profile, format]);
}

/** The voice and format of rows without one, and the progress. */
function Run({ state }: { state: ListState }) {
  const { t } = useTranslation("history");
  const { number } = useFormat();
  const voiceName = useVoiceName();
  const failureText = useFailureText();
  const profiles = useProfiles().items.filter((profile) => profile.usable);
  const encoders = useSystem().data?.encoders;
  const [id, setId] = useState(state.progress.profile);
  const [format, setFormat] = useState<AudioFormat>(state.progress.format);
  const [price, setPrice] = useState<number | null | undefined>(undefined);
  const [error, setError] = useState<unknown>(null);
  const profile = profiles.find((one) => one.id === id) ?? profiles[0];
  const made = useMade(state, profile && { profile, format });
  const total = goodRows(state).length;
  const isRunning = state.phase === "running";
  const isContinued = state.phase === "ready" && made.length > 0;
  const isFinished = state.phase === "done" ? state.failures.length === 0 : isContinued && made.length === total;

  async function start(options: ListOptions) {
    setError(null);
    try {
      const cost = await priceOfList(options);
      if (cost !== undefined && cost !== price) return setPrice(cost); // shown on the button, which starts the next time
      void runList(options, cost ?? (cost === null ? 0 : undefined));
    } catch (problem) {
      setError(problem);
    }
  }
  const begin = () => {
    if (profile) void start({ profile, format });
  };
  const name = state.name.replace(/\.\w+$/, "");
  const save = () =>
    exportSound(
      {
        name,
        save: ({ format: as, ...options }) => {
          if (as !== "txt") void saveMany(made, { format: as, ...options }, name).catch(setError);
        },
      },
      encoders,
    );
  const label =
    state.phase === "stopped" || state.failures.length > 0 || isContinued
      ? t("import.continue")
      : t("import.generate", { count: total, number: number(total) });
  return (
    <>
      {state.phase === "ready" || state.phase === "stopped" ? (
        <div className="grid grid-cols-2 gap-3">
          <Select
            label={t("import.voice")}
            value={profile?.id ?? ""}
            choices={profiles.map((one) => ({ value: one.id, label: voiceName(one.name) }))}
            onChange={(next) => {
              setId(next);
              setPrice(undefined);
            }}
          />
          <Select<AudioFormat>
            label={t("common:export.format")}
            value={format}
            choices={audioFormats.map((one) => ({
              value: one,
              label: one.toUpperCase(),
              disabled: !(encoders?.includes(one) ?? true),
            }))}
            onChange={setFormat}
          />
        </div>
      ) : null}
      {state.phase === "ready" ? null : (
        <ProgressBar
          label={t("import.title")}
          value={total > 0 ? state.done / total : 1}
          text={t("import.progress", { done: number(state.done), total: number(total) })}
        />
      )}
      {isContinued ? (
        <p role="status">{t("import.made", { count: total, done: number(made.length), total: number(total) })}</p>
      ) : null}
      {isRunning ? <p className="k-hint">{t("import.keepOpen")}</p> : null}
      <Problems
        label={t("import.failed", { count: state.failures.length, number: number(state.failures.length) })}
        items={state.failures.map((failure) => ({ line: failure.row.line, text: failureText(failure) }))}
        isOpen
      />
      {state.error ? <ErrorBox error={state.error} /> : null}
      {error ? <ErrorBox error={toApiError(error)} /> : null}
      {price === undefined || isRunning ? null : (
        <p role="status">
          {price === null ? t("import.priceUnknown") : t("import.price", { count: price, number: number(price) })}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {made.length > 0 && !isRunning ? (
          <Button icon={<Download size={16} aria-hidden />} onClick={save}>
            {t("import.zip")}
          </Button>
        ) : null}
        {isRunning ? (
          <Button onClick={stopList}>{t("common:stop")}</Button>
        ) : (
          <Button onClick={closeList}>{t("import.discard")}</Button>
        )}
        {isContinued ? (
          <Button kind={isFinished ? "primary" : "plain"} onClick={startOver}>
            {t("import.startOver")}
          </Button>
        ) : null}
        {isRunning || isFinished ? null : (
          <Button kind="primary" disabled={total === 0 || !profile} onClick={begin}>
            {label}
          </Button>
        )}
      </div>
    </>
  );
}
