import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, isAudioMissing } from "@/api/errors";
import { useFindingSpeakers } from "@/api/liveTranscripts";
import type { FindingSpeakers, Transcript } from "@/api/types";
import { Button, ErrorBox, ProgressBar } from "@/ui";
import type { TranscriptActions } from "../list/useTranscriptActions";
import { askForSpeakers } from "../state";
import { ChannelsOffer } from "./ChannelsOffer";
import { useFindingErrorText, useFindSpeakers } from "./useFindSpeakers";
import { useFindingProgress } from "./useFindingProgress";

interface Props {
  transcript: Transcript;
  actions: TranscriptActions;
  /** Names the speaker of a line by hand. */
  onName: (() => void) | undefined;
  /** Undoes the newest change of the transcript. */
  onUndo(): void;
}

function Progress({
  transcript,
  finding,
  onCancel,
}: Pick<Props, "transcript"> & { finding: FindingSpeakers; onCancel(): void }) {
  const { t } = useTranslation("finding");
  const { value, text } = useFindingProgress(finding);
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar label={t("progressOf", { name: transcript.title })} value={value} text={text} />
      </div>
      <Button size="small" aria-label={t("stop", { name: transcript.title })} onClick={onCancel}>
        {t("common:cancel")}
      </Button>
    </div>
  );
}

function Failure({ transcript }: Pick<Props, "transcript">) {
  const { t } = useTranslation("finding");
  const { retry, isPending } = useFindSpeakers();
  const words = useFindingErrorText();
  if (!transcript.speakers_error) return null;
  const error = failureOf(transcript.speakers_error);
  const isOfChannels = error.params.reason === "channels"; // the same again cannot help
  return (
    <ErrorBox
      error={error}
      words={words(error)}
      action={
        isAudioMissing(error) ? undefined : (
          <Button
            size="small"
            busy={isPending}
            onClick={() => (isOfChannels ? askForSpeakers({ id: transcript.id }) : retry(transcript.id, error))}
          >
            {t(isOfChannels ? "open" : "common:retry")}
          </Button>
        )
      }
    />
  );
}

/** What a reader should know about the speakers that were found, with what helps. */
function Warnings({ transcript, onName }: Pick<Props, "transcript" | "onName">) {
  const { t } = useTranslation("finding");
  const codes = transcript.warnings.map(({ code }) => code);
  return (
    <>
      {codes.includes("speakers_uncounted") ? (
        <div className="tr-note" role="status">
          <p className="min-w-40 flex-1 text-ink-2">{t("transcribe:warnings.speakers_uncounted")}</p>
          {onName ? (
            <Button size="small" onClick={onName}>
              {t("transcribe:speaker.set")}
            </Button>
          ) : null}
        </div>
      ) : null}
      {codes.includes("speakers_fewer") ? (
        <div className="tr-note" role="status">
          <p className="min-w-40 flex-1 text-ink-2">{t("transcribe:warnings.speakers_fewer")}</p>
          <Button size="small" onClick={() => askForSpeakers({ id: transcript.id })}>
            {t("otherNumber")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Says once, for screen readers, that a search that was seen running has ended by itself. */
function Announcement({
  transcript,
  isFinding,
  isCancelled,
}: Pick<Props, "transcript"> & { isFinding: boolean; isCancelled: boolean }) {
  const { t } = useTranslation("finding");
  const [wasFinding, setWasFinding] = useState(isFinding);
  const [found, setFound] = useState<number | null>(null); // at the end: later edits are not announced
  if (isFinding && !wasFinding) {
    setWasFinding(true);
    setFound(null);
  }
  if (!isFinding && wasFinding && !transcript.finding_speakers) {
    setWasFinding(false);
    setFound(isCancelled || transcript.speakers_error ? null : transcript.speakers.length);
  }
  return (
    <p className="sr-only" role="status">
      {found === null ? "" : t("found", { count: found })}
    </p>
  );
}

/** Above the text: how far its speakers are found, why they were not, and what to know about them. */
export function SpeakersNotices({ transcript, actions, onName, onUndo }: Props) {
  const finding = useFindingSpeakers(transcript);
  const isFinding = finding !== null;
  const [before, setBefore] = useState(isFinding);
  const [isCancelled, setCancelled] = useState(false);
  if (isFinding !== before) {
    setBefore(isFinding);
    if (isFinding) setCancelled(false);
  }
  function cancel() {
    setCancelled(true);
    actions.cancel(transcript.id);
  }
  return (
    <>
      {finding ? <Progress {...{ transcript, finding }} onCancel={cancel} /> : <Failure transcript={transcript} />}
      {finding ? null : <Warnings {...{ transcript, onName }} />}
      {finding ? null : <ChannelsOffer {...{ transcript, onUndo }} />}
      <Announcement {...{ transcript, isFinding, isCancelled }} />
    </>
  );
}
