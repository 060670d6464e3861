import { Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useBook, useGeneratingBooks, useStopBook } from "@/api/books";
import { useStopGeneration, useGeneration } from "@/api/generations";
import { cancelExport, useRunningExports, type RunningExport } from "@/api/exports";
import { useLiveDownloads, useOwnGenerations, type LiveGeneration } from "@/api/live";
import { useLiveFinding, useLiveTranscripts } from "@/api/liveTranscripts";
import type { BookRow } from "@/api/types";
import { useCancelTranscript, useTranscript } from "@/api/transcriptions";
import { useFormat } from "@/i18n/format";
import { titleOrWords } from "@/lib/heading";
import { href } from "@/lib/router";
import { Button, IconButton, Popover, ProgressBar } from "@/ui";
import { useWaitText } from "@/features/hosted";
import { DownloadJob, useCancelled } from "@/features/downloads";

function Speaking({ job, onStop }: { job: LiveGeneration; onStop(): void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const made = useGeneration(job.id).data;
  const waiting = useWaitText(made?.wait ?? null);
  const words = made ? titleOrWords(made, 60) : t("jobs.generation");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        {made ? (
          <p className="truncate" dir="auto">
            {words}
          </p>
        ) : null}
        <ProgressBar
          label={words}
          value={job.progress}
          text={waiting || `${t(`status.${job.status}`)} · ${format.percent(job.progress)}`}
        />
      </div>
      <IconButton label={t("jobs.stop", { text: words })} icon={<Square size={12} />} onClick={onStop} />
    </div>
  );
}

interface TranscriptJob {
  id: string;
  /** 0 to 1; null while it is unknown. */
  progress: number | null;
  /** What is being done. */
  text: string;
  onStop(): void;
}

function Transcribing({ id, progress, text, onStop }: TranscriptJob) {
  const { t } = useTranslation();
  const format = useFormat();
  const title = useTranscript(id).data?.title;
  const words = title ?? t("jobs.transcript");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        {title ? (
          <p className="truncate" dir="auto">
            {title}
          </p>
        ) : null}
        <ProgressBar
          label={words}
          value={progress}
          text={[text, ...(progress === null ? [] : [format.percent(progress)])].join(" · ")}
        />
      </div>
      <IconButton label={t("jobs.stop", { text: words })} icon={<Square size={12} />} onClick={onStop} />
    </div>
  );
}

/** A book that is generated, all its chapters as one. */
function Book({ row }: { row: BookRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const book = useBook(row.id).data;
  const stop = useStopBook(row.id);
  const { progress, eta_seconds } = book ?? row;
  const left = eta_seconds ? t("jobs.left", { time: format.duration(Math.ceil(eta_seconds)) }) : "";
  const text = [t("status.generating"), format.percent(progress), left].filter(Boolean).join(" · ");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <a className="block truncate text-ink" dir="auto" href={href("books", [row.id])}>
          {row.title}
        </a>
        <ProgressBar label={row.title} value={progress} text={text} />
      </div>
      <IconButton
        label={t("jobs.stop", { text: row.title })}
        icon={<Square size={12} />}
        onClick={() => stop.mutate(undefined)}
      />
    </div>
  );
}

function Exporting({ job }: { job: RunningExport }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate" dir="auto">
          {job.name}
        </p>
        <ProgressBar
          label={job.name}
          value={job.progress}
          text={`${t("jobs.exporting")} · ${format.percent(job.progress)}`}
        />
      </div>
      <IconButton
        label={t("jobs.stop", { text: job.name })}
        icon={<Square size={12} />}
        onClick={() => cancelExport(job.id)}
      />
    </div>
  );
}

/** The transcripts that are being made, and those whose speakers are being found. */
function useTranscriptJobs(): Omit<TranscriptJob, "onStop">[] {
  const { t } = useTranslation();
  const finding = useLiveFinding().map(({ id, status, progress }) => ({
    id,
    progress: status === "listening" ? progress : null,
    text: t(`finding.${status}`),
  }));
  const running = useLiveTranscripts().map(({ id, status, progress }) => ({
    id,
    progress: status === "transcribing" ? progress : null,
    text: t(`status.${status}`),
  }));
  return [...running, ...finding];
}

/** Running generations, transcripts, downloads and exports: a number in the top bar, and the list on a click. */
export function Jobs() {
  const { t } = useTranslation();
  const generations = useOwnGenerations();
  const books = useGeneratingBooks();
  const cancelled = useCancelled();
  const downloads = useLiveDownloads().filter((job) => !cancelled.has(job.model_name));
  const transcripts = useTranscriptJobs();
  const stop = useStopGeneration();
  const cancelTranscript = useCancelTranscript();
  const exports = useRunningExports();
  const count = generations.length + books.length + transcripts.length + downloads.length + exports.length;
  if (count === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button kind="quiet" size="small">
          {t("jobs.count", { count })}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float grid w-80 gap-3 p-4"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("jobs.title")}
        >
          {generations.map((job) => (
            <Speaking key={job.id} job={job} onStop={() => stop.mutate(job.id)} />
          ))}
          {books.map((row) => (
            <Book key={row.id} row={row} />
          ))}
          {transcripts.map((job) => (
            <Transcribing key={job.id} {...job} onStop={() => cancelTranscript.mutate(job.id)} />
          ))}
          {exports.map((job) => (
            <Exporting key={job.id} job={job} />
          ))}
          {downloads.map((job) => (
            <DownloadJob key={job.model_name} job={job} />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
