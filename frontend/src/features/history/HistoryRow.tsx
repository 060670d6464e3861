import { Check, FileX, Pause, Play } from "lucide-react";
import { memo, type MouseEvent } from "react";
import type { TFunction } from "i18next";
import { hasEnded } from "@/api/types";
import { voiceName } from "@/i18n/voiceName";
import { cx, Highlight, Portrait } from "@/ui";
import { heightOfRow } from "./entries";
import { FailureLine } from "./FailureLine";
import { PartialLine } from "./PartialLine";
import { LiveLine } from "./LiveLine";
import { RowMenuButton } from "./RowMenuButton";
import { hasSound, type HistoryRow as RowData } from "./rows";
import type { RowTexts } from "./rowTexts";
import type { Actions } from "./useActions";
import { marksOf } from "./rowMarks";

export const rowId = (id: string): string => `history-row-${id}`;

interface Props {
  row: RowData;
  t: TFunction<"history">;
  words: RowTexts;
  /** Formats length and time in the user's language. */
  length: string;
  when: string;
  /** The position among all rows, from 1 for screen readers, and in pixels. */
  position: number;
  top: number;
  isActive: boolean;
  isSelected: boolean;
  isMenuOpen: boolean;
  sound: "playing" | "paused" | "other";
  /** Where the missing audio file is reported: nowhere, in this row, or already in the details. */
  missing: "no" | "row" | "details";
  actions: Actions;
  onPress(id: string, event: MouseEvent): void;
  /** Selects the row or deselects it; `extend` selects all from the last one. */
  onToggle(id: string, extend: boolean): void;
  onMenu(id: string | null): void;
  onDetails(id: string): void;
}

function Words({ row }: { row: RowData }) {
  const text = row.highlight ? <Highlight html={row.highlight} /> : row.text;
  return row.title ? (
    <>
      <span className="me-2 font-medium">{row.title}</span>
      <span className="text-ink-3">{text}</span>
    </>
  ) : (
    text
  );
}

function MissingMark({ row, missing, words, actions }: Pick<Props, "row" | "missing" | "words" | "actions">) {
  if (missing === "details")
    return (
      <span role="img" aria-label={words.missing} title={words.missing}>
        <FileX size={14} className="text-danger" aria-hidden />
      </span>
    );
  return (
    <>
      <FileX size={14} className="text-danger" aria-hidden />
      <span title={words.missingRemedy} className="text-12 text-danger @max-[760px]/main:sr-only">
        {words.missing}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className="k-btn"
        data-size="small"
        onClick={() => void actions.restoreRow(row.id)}
      >
        {words.regenerate}
      </button>
    </>
  );
}

const playIcon = <Play size={14} fill="currentColor" aria-hidden />;
const pauseIcon = <Pause size={14} fill="currentColor" aria-hidden />;
const checkIcon = <Check size={12} strokeWidth={3} aria-hidden />;

function PlayButton({ row, sound, words, actions }: Pick<Props, "row" | "sound" | "words" | "actions">) {
  const name = sound === "playing" ? words.pause : words.play;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={name}
      title={name}
      className={cx(
        "grid size-7 place-items-center rounded-full hover:bg-fill-2",
        sound === "other" ? "text-ink-2" : "bg-fill-2 text-accent-text",
      )}
      onClick={() => void actions.play(row.id)}
    >
      {sound === "playing" ? pauseIcon : playIcon}
    </button>
  );
}

/** The text of a row, with what is made or missing of one that is not complete. */
function TextCell({ row, actions }: Pick<Props, "row" | "actions">) {
  const isPlain = hasEnded(row.status) && (row.status === "failed" || !row.partial);
  if (isPlain)
    return (
      <div role="gridcell" dir="auto" lang={row.language} className="min-w-0 flex-1 truncate">
        <Words row={row} />
      </div>
    );
  return (
    <div role="gridcell" className="min-w-0 flex-1">
      <div dir="auto" lang={row.language} className="truncate">
        <Words row={row} />
      </div>
      {row.partial ? (
        <PartialLine id={row.id} partial={row.partial} onRetry={(id) => void actions.retry(id)} />
      ) : (
        <LiveLine
          key={row.id}
          id={row.id}
          status={row.status}
          progress={row.progress}
          onStop={(id) => void actions.stop(id)}
        />
      )}
    </div>
  );
}

/** One row of the list. Scrolling mounts hundreds of them in a second, so it has few elements and calls no hooks. */
export const HistoryRow = memo(function HistoryRow(props: Props) {
  const { row, isActive, isSelected, actions, words } = props;
  const done = row.status === "complete";
  return (
    // The grid has the focus and handles the keys of its rows.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={rowId(row.id)}
      aria-selected={isSelected}
      aria-rowindex={props.position}
      data-row=""
      data-active={isActive ? "" : undefined}
      tabIndex={-1}
      draggable={done}
      className={cx(
        "k-row absolute! inset-x-0 top-0 cursor-default ps-5! select-none",
        row.status === "failed" && "flex-wrap content-center gap-y-0!",
        isActive &&
          "bg-fill group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-accent",
      )}
      style={{ height: heightOfRow(row), transform: `translateY(${props.top}px)` }}
      onDragStart={(event) => actions.drag(row, event.dataTransfer)}
      onPointerDown={done ? () => actions.readyToDrag(row) : undefined}
      onClick={(event) => props.onPress(row.id, event)}
      onDoubleClick={hasSound(row) ? () => void actions.play(row.id) : undefined}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(row.id);
      }}
    >
      <div role="gridcell" className="absolute inset-s-1 flex">
        <button
          type="button"
          tabIndex={-1}
          role="checkbox"
          aria-checked={isSelected}
          aria-label={words.select}
          className="k-check k-later"
          data-state={isSelected ? "checked" : "unchecked"}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row.id, event.shiftKey);
          }}
        >
          {isSelected ? checkIcon : null}
        </button>
      </div>
      <div role="gridcell" className="w-7 shrink-0">
        {hasSound(row) ? <PlayButton row={row} sound={props.sound} words={words} actions={actions} /> : null}
      </div>
      <TextCell row={row} actions={actions} />
      <div role="gridcell" className="flex shrink-0 items-center gap-1.5 text-ink-3">
        {props.missing === "no" ? null : (
          <MissingMark row={row} missing={props.missing} words={words} actions={actions} />
        )}
        {marksOf(row, words)}
      </div>
      <div
        role="gridcell"
        className="flex w-32 shrink-0 items-center gap-2 text-12 text-ink-2 @max-[640px]/main:hidden"
      >
        <Portrait id={row.voiceId} size={20} />
        <span className="truncate">{voiceName(row.voice, words.builtInVoice)}</span>
      </div>
      <div role="gridcell" className="w-12 shrink-0 text-end text-12 text-ink-2">
        {props.length}
      </div>
      <div
        role="gridcell"
        className="w-18 shrink-0 text-end text-12 whitespace-nowrap text-ink-3 @max-[520px]/main:hidden"
      >
        {props.when}
      </div>
      <div role="gridcell" className="shrink-0">
        <RowMenuButton
          row={row}
          isMissing={props.missing !== "no"}
          isPlaying={props.sound === "playing"}
          isMenuOpen={props.isMenuOpen}
          actions={actions}
          t={props.t}
          words={words}
          onMenu={props.onMenu}
          onSelect={props.onToggle}
          onDetails={props.onDetails}
        />
      </div>
      {row.status === "failed" ? (
        <div role="gridcell" className="min-w-0 basis-full ps-10 @max-[520px]/main:ps-0">
          <FailureLine
            key={row.id}
            id={row.id}
            error={row.error}
            partial={row.partial}
            model={row.model}
            onRetry={(id) => void actions.retry(id)}
          />
        </div>
      ) : null}
    </div>
  );
});
