import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { audioFormats, type AudioFormat } from "@/api/formats";
import { toApiError, type ApiError } from "@/api/errors";
import { useProfiles } from "@/api/profiles";
import { useSystem } from "@/api/system";
import { useFormat } from "@/i18n/format";
import { useErrorText } from "@/i18n/errors";
import { useVoiceName } from "@/i18n/voiceName";
import { exportSound } from "@/player";
import { Button, ErrorBox, ProgressBar, Select } from "@/ui";
import { saveMany } from "../files";
import { closeList, goodRows, priceOfList, runList, startOver, stopList, type ListState } from "./list";
import type { Failure } from "./listVoices";
import { completeIds, type ListOptions } from "./progress";
import { Problems } from "./Problems";

/** Returns why a row failed. A voice that its list names may never have existed. */
export function useFailureText(): (failure: Failure) => string {
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
export function Run({ state }: { state: ListState }) {
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
