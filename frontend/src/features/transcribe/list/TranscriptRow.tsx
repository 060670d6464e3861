import { AudioLines, CircleSlash, File, Mic, MoreHorizontal, Square, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useFindingSpeakers, useLiveTranscript } from "@/api/liveTranscripts";
import { hasEnded, type Failure, type FindingSpeakers, type TranscriptRow as RowData } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { href } from "@/lib/router";
import { Button, ErrorBox, Highlight, IconButton, Menu, Row } from "@/ui";
import { useFindingErrorText } from "../finding/useFindSpeakers";
import { useFindingProgress } from "../finding/useFindingProgress";
import { rowMenu } from "./menu";
import { RowProgress } from "./RowProgress";
import type { TranscriptActions } from "./useTranscriptActions";

const icons = { file: File, recording: Mic, generation: AudioLines } as const;

interface Props {
  row: RowData;
  isActive: boolean;
  isMenuOpen: boolean;
  actions: TranscriptActions;
  onActive(): void;
  onMenu(open: boolean): void;
  onRemove(): void;
}

interface StateProps {
  row: RowData;
  name: string;
  /** Returns the button that cancels what is in progress. */
  stop(label: string): ReactNode;
}

function Finding({ finding, name, stop }: { finding: FindingSpeakers } & Pick<StateProps, "name" | "stop">) {
  const { t } = useTranslation("finding");
  const { value, text } = useFindingProgress(finding);
  return <RowProgress label={t("progressOf", { name })} value={value} text={text} end={stop(t("stop", { name }))} />;
}

function State({ row, name, stop }: StateProps) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const live = useLiveTranscript(row.id);
  const status = live?.status ?? row.status;
  const progress = Math.max(live?.progress ?? 0, row.progress);
  const finding = useFindingSpeakers(row);
  if (finding && hasEnded(status)) return <Finding finding={finding} name={name} stop={stop} />;
  if (hasEnded(status))
    return (
      <span
        className="w-36 flex-none text-end text-12 whitespace-nowrap text-ink-3 @max-[520px]/main:hidden"
        title={format.dateTime(row.created_at)}
      >
        {format.ago(row.created_at)}
      </span>
    );
  const isRunning = status === "transcribing";
  return (
    <RowProgress
      label={t("progressOf", { name })}
      value={isRunning ? progress : null}
      text={isRunning ? format.percent(progress) : t(`common:status.${status}`)}
      end={stop(t("common:jobs.stop", { text: name }))}
    />
  );
}

/** The mark of a transcript whose speakers could not be found; its page says what helps. */
function SpeakersFailed({ failure }: { failure: Failure }) {
  const wordsOf = useFindingErrorText();
  const { title, remedy } = wordsOf(failureOf(failure));
  const text = `${title} ${remedy}`;
  return (
    <span role="img" aria-label={text} title={text}>
      <UserX size={14} className="text-warn" aria-hidden />
    </span>
  );
}

export function TranscriptRow({ row, isActive, isMenuOpen, actions, onActive, onMenu, onRemove }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const Icon = icons[row.source];
  const name = row.title || row.file_name || t("untitled");
  const tabIndex = isActive ? 0 : -1;
  return (
    <div className="tr-row" data-failed={row.status === "failed" ? "" : undefined}>
      <Row>
        <Icon size={16} className="flex-none text-ink-3" aria-hidden />
        <a
          href={href("transcribe", [row.id])}
          data-transcript={row.id}
          tabIndex={tabIndex}
          onFocus={onActive}
          className="tr-link min-w-0 flex-1 truncate"
          dir="auto"
        >
          <span className="text-ink">{name}</span>
          {row.highlight ? (
            <span className="text-12 text-ink-2">
              {" · "}
              <Highlight html={row.highlight} />
            </span>
          ) : null}
        </a>
        {row.status === "cancelled" ? (
          <span role="img" aria-label={t("common:status.cancelled")} title={t("common:status.cancelled")}>
            <CircleSlash size={14} className="text-ink-3" aria-hidden />
          </span>
        ) : null}
        {row.speakers_error && !row.finding_speakers ? <SpeakersFailed failure={row.speakers_error} /> : null}
        <span className="w-24 flex-none truncate text-end text-12 text-ink-3 @max-[640px]/main:hidden">
          {row.language ? format.language(row.language) : ""}
        </span>
        <span className="w-14 flex-none text-end text-12 text-ink-2">
          {row.duration > 0 ? format.clock(row.duration) : ""}
        </span>
        <State
          row={row}
          name={name}
          stop={(label) => (
            <IconButton
              label={label}
              className="relative"
              icon={<Square size={12} />}
              tabIndex={tabIndex}
              onFocus={onActive}
              onClick={() => actions.cancel(row.id)}
            />
          )}
        />
        <Menu isOfRow groups={rowMenu(t, row, actions, onRemove)} open={isMenuOpen} onOpenChange={onMenu}>
          <IconButton
            label={t("moreOf", { name })}
            className="k-later relative" // above the link, which covers the row
            icon={<MoreHorizontal size={16} />}
            tabIndex={tabIndex}
            onFocus={onActive}
          />
        </Menu>
      </Row>
      {row.status === "failed" ? (
        <div className="px-4 pb-2">
          <ErrorBox
            error={row.error ? failureOf(row.error) : new Error(t("failed"))}
            action={
              <Button size="small" tabIndex={tabIndex} onClick={() => actions.retry(row.id)}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
    </div>
  );
}
