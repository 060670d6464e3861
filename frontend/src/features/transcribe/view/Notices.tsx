import { Files, Square } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveTranscript } from "@/api/liveTranscripts";
import { hasEnded, type Transcript } from "@/api/types";
import { useStore } from "@/lib/store";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, ProgressBar } from "@/ui";
import type { TranscriptActions } from "../list/useTranscriptActions";
import { SpeakersNotices } from "../finding/SpeakersNotices";
import { Problem } from "../Problem";
import type { Page } from "./usePage";

function Running({ transcript, actions }: { transcript: Transcript; actions: TranscriptActions }) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const live = useLiveTranscript(transcript.id);
  const status = live?.status ?? transcript.status;
  const progress = Math.max(live?.progress ?? 0, transcript.progress);
  const isRunning = status === "transcribing";
  const words = [
    t(transcript.waiting ? "waitingForRun" : `common:status.${status}`),
    ...(isRunning ? [format.percent(progress)] : []),
  ];
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar
          label={t("progressOf", { name: transcript.title })}
          value={isRunning ? progress : null}
          text={words.join(" · ")}
        />
      </div>
      <IconButton
        label={t("common:jobs.stop", { text: transcript.title })}
        icon={<Square size={12} />}
        onClick={() => actions.cancel(transcript.id)}
      />
    </div>
  );
}

function Conflict({ page }: { page: Page }) {
  const { t } = useTranslation("transcribe");
  const { conflict } = useStore(page.editor.state);
  if (!conflict) return null;
  return (
    <div className="tr-note" role="alert">
      <Files size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <p>{t("conflict.text")}</p>
        <p className="text-ink-2">{t("conflict.theirs", { text: conflict.theirs })}</p>
        <p className="text-ink-2">{t("conflict.mine", { text: conflict.mine })}</p>
      </div>
      <Button size="small" onClick={() => page.editor.resolve("theirs")}>
        {t("conflict.useTheirs")}
      </Button>
      <Button size="small" onClick={() => page.editor.resolve("mine")}>
        {t("conflict.useMine")}
      </Button>
    </div>
  );
}

interface Props {
  page: Page;
  actions: TranscriptActions;
  /** Names the speaker of a segment. */
  onName(segment: number): void;
}

/** Above the text: the progress of a running transcript, and what went wrong. */
export function Notices({ page, actions, onName }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { transcript, editor, segments } = page;
  const first = segments[0];
  const { error, saving } = useStore(editor.state);
  const retry = (
    <Button size="small" onClick={() => actions.retry(transcript.id)}>
      {t("common:retry")}
    </Button>
  );
  return (
    <div className="tr-notices">
      {hasEnded(transcript.status) ? null : <Running transcript={transcript} actions={actions} />}
      <Problem />
      {transcript.error ? <ErrorBox error={failureOf(transcript.error)} action={retry} /> : null}
      {transcript.status === "cancelled" ? (
        <div className="tr-note">
          <p className="flex-1">{t("stopped")}</p>
          {retry}
        </div>
      ) : null}
      {transcript.warnings.map(({ code, start }) =>
        code === "repeated_text" ? (
          <p key={`${code} ${start}`} className="text-ink-2" role="status">
            {t(`warnings.${code}`, { time: format.clock(start) })}
          </p>
        ) : null,
      )}
      <SpeakersNotices
        transcript={transcript}
        actions={actions}
        onName={first ? () => onName(first.id) : undefined}
        onUndo={() => void editor.undo()}
      />
      {transcript.audio_missing ? (
        <p className="text-ink-2" role="status">
          {t("audioMissing")}
        </p>
      ) : null}
      {error ? (
        <ErrorBox
          error={error}
          action={
            saving === "refused" ? (
              <Button size="small" onClick={editor.discard}>
                {t("discardChanges")}
              </Button>
            ) : (
              <Button size="small" onClick={() => void editor.retry()}>
                {t("common:tryNow")}
              </Button>
            )
          }
        />
      ) : null}
      <Conflict page={page} />
    </div>
  );
}
