import { Pause, Play, Square, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, toApiError, type ApiError } from "@/api/errors";
import { deleteRecording, recorder, useRecording } from "@/api/recordings";
import { useCreateTranscript } from "@/api/transcriptions";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { href, navigate } from "@/lib/router";
import { Button, ErrorBox, LevelMeter, useUndo } from "@/ui";
import { useRequest, useTranscribers } from "./models";

/** The open recording: its length and level, and the ways to pause and end it. */
export function RecordingBar() {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const recording = useRecording();
  const { chosen } = useTranscribers();
  const requestOf = useRequest();
  const create = useCreateTranscript();
  const undo = useUndo();
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!recording) return null;
  const { id, status, seconds, clipped, dropped } = recording;
  const isOpen = status === "recording" || status === "paused";

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(toApiError(thrown));
    }
    setBusy(false);
  }
  async function transcribe(model: Model) {
    if (isOpen) await recorder.stop(id);
    const made = await create.mutateAsync({ ...requestOf(model), recording_id: id });
    recorder.done();
    navigate(href("transcribe", [made.id]));
  }
  async function discard() {
    if (isOpen) await recorder.stop(id);
    recorder.done();
    undo({
      text: t("record.discarded"),
      undo: () => void recorder.reopen(id),
      commit: () => void deleteRecording(id).catch(() => undefined), // it is deleted after a day
    });
  }
  const problem = error ?? (recording.error ? failureOf(recording.error) : null);
  return (
    <section className="tr-recording" aria-label={t("record.bar")}>
      <span className="tr-light" data-on={status === "recording" ? "" : undefined} aria-hidden />
      <span role="status">{t(status === "recording" ? "record.on" : isOpen ? "record.paused" : "record.failed")}</span>
      <time className="tabular-nums">{format.clock(seconds)}</time>
      {isOpen ? <LevelMeter label={t("record.level")} level={recording.level_db} peak={recording.peak_db} /> : null}
      <span className="flex-1" />
      {isOpen ? (
        <Button
          size="small"
          icon={status === "recording" ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          disabled={isBusy}
          onClick={() => void run(() => (status === "recording" ? recorder.pause(id) : recorder.resume(id)))}
        >
          {t(status === "recording" ? "record.pause" : "record.resume")}
        </Button>
      ) : null}
      <Button
        size="small"
        icon={<Square size={12} aria-hidden />}
        disabled={isBusy || !chosen}
        onClick={() => (chosen ? void run(() => transcribe(chosen)) : undefined)}
      >
        {t(isOpen ? "record.stop" : "record.transcribe")}
      </Button>
      <Button
        kind="quiet"
        size="small"
        icon={<Trash2 size={14} aria-hidden />}
        disabled={isBusy}
        onClick={() => void run(discard)}
      >
        {t("record.discard")}
      </Button>
      {clipped || dropped > 0 || problem ? (
        <div className="grid basis-full gap-2">
          {clipped ? <p className="text-12 text-warn">{t("record.clipped")}</p> : null}
          {dropped > 0 ? (
            <p className="text-12 text-warn">{t("record.dropped", { time: format.duration(dropped) })}</p>
          ) : null}
          {problem ? <ErrorBox error={problem} /> : null}
        </div>
      ) : null}
    </section>
  );
}
