import { Mic, Pause, Play, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, toApiError, type ApiError } from "@/api/errors";
import { recorder, useRecording, useRecordingDevices } from "@/api/recordings";
import type { Sound } from "@/api/samples";
import type { Recording } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, LevelMeter, Select } from "@/ui";
import { textToRead } from "./sentences";

interface Props {
  language: string;
  onRecorded(sound: Sound): void;
}

/** Runs one request at a time and stores its error. */
function useRequest() {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(toApiError(thrown));
    }
    setBusy(false);
  }
  return { error, isBusy, run };
}

/** The text that the person reads aloud, so that the sample has most sounds of the language. */
function ReadAloud({ language }: { language: string }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const text = textToRead(language);
  return (
    <div className="grid gap-1">
      <p className="text-12 text-ink-2">
        {t(text ? "read.this" : "read.anything", { language: format.language(language) })}
      </p>
      {text ? (
        <blockquote className="text-17 text-ink" lang={language} dir="auto">
          {text}
        </blockquote>
      ) : null}
    </div>
  );
}

/** The recording that is open: its length and level, and the ways to pause and end it. */
function Running({ recording, language, onRecorded }: Props & { recording: Recording }) {
  const { t } = useTranslation(["samples", "transcribe"]);
  const format = useFormat();
  const { error, isBusy, run } = useRequest();
  const { id, status, seconds } = recording;
  const isOpen = status === "recording" || status === "paused";
  const isOn = status === "recording";
  async function use(): Promise<void> {
    const ended = isOpen ? await recorder.stop(id) : recording;
    recorder.done();
    onRecorded({ kind: "recording", id, seconds: ended.seconds });
  }
  const problem = error ?? (recording.error ? failureOf(recording.error) : null);
  return (
    <section className="grid gap-3" aria-label={t("transcribe:record.bar")}>
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">
          {t(isOn ? "transcribe:record.on" : isOpen ? "transcribe:record.paused" : "record.ended")}
        </span>
        <time className="tabular-nums">{format.clock(seconds)}</time>
        {isOpen ? (
          <LevelMeter label={t("transcribe:record.level")} level={recording.level_db} peak={recording.peak_db} />
        ) : null}
        <span className="flex-1" />
        {isOpen ? (
          <Button
            icon={isOn ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
            disabled={isBusy}
            onClick={() => void run(() => (isOn ? recorder.pause(id) : recorder.resume(id)))}
          >
            {t(isOn ? "transcribe:record.pause" : "transcribe:record.resume")}
          </Button>
        ) : null}
        <Button kind="quiet" disabled={isBusy} onClick={() => void run(() => recorder.discard(id))}>
          {t("transcribe:record.discard")}
        </Button>
        <Button
          kind="primary"
          autoFocus
          icon={<Square size={12} aria-hidden />}
          disabled={isBusy}
          onClick={() => void run(use)}
        >
          {t(isOpen ? "record.stop" : "record.use")}
        </Button>
      </div>
      {recording.clipped ? <p className="text-12 text-warn">{t("transcribe:record.clipped")}</p> : null}
      {recording.dropped > 0 ? (
        <p className="text-12 text-warn">
          {t("transcribe:record.dropped", { time: format.duration(recording.dropped) })}
        </p>
      ) : null}
      {problem ? <ErrorBox error={problem} /> : null}
      <ReadAloud language={language} />
    </section>
  );
}

/** Records a voice from a microphone, with a text to read aloud. */
export function Recorder(props: Props) {
  const { t } = useTranslation(["samples", "transcribe"]);
  const recording = useRecording();
  const devices = useRecordingDevices(true);
  const [device, setDevice] = useState("");
  const { error, isBusy, run } = useRequest();
  if (recording) return <Running recording={recording} {...props} />;
  const list = devices.data ?? [];
  const problem = error ?? devices.error;
  return (
    <section className="grid gap-3" aria-label={t("transcribe:record.title")}>
      {problem ? <ErrorBox error={problem} /> : null}
      {devices.data && list.length === 0 ? <p role="status">{t("transcribe:record.none")}</p> : null}
      <div className="flex flex-wrap items-end gap-3">
        <Select
          className="min-w-48 flex-1"
          label={t("transcribe:record.device")}
          value={device}
          choices={[
            { value: "", label: t("transcribe:record.defaultDevice") },
            ...list.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setDevice}
        />
        <Button
          icon={<Mic size={16} aria-hidden />}
          busy={isBusy}
          disabled={list.length === 0}
          onClick={() => void run(() => recorder.start(device, "sample"))}
        >
          {t("transcribe:record.start")}
        </Button>
      </div>
      <ReadAloud language={props.language} />
    </section>
  );
}
