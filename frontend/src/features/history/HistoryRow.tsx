import { Check, CircleSlash, Cloud, FileX, MoreHorizontal, Pause, Play, Star } from "lucide-react";
import { memo, type MouseEvent, type ReactElement, type ReactNode } from "react";
import type { TFunction } from "i18next";
import { saveFormats } from "@/api/save";
import { useSystem } from "@/api/system";
import { hasEnded } from "@/api/types";
import { saveGroups } from "@/player";
import { cx, Menu, Portrait } from "@/ui";
import { heightOfRow } from "./entries";
import { FailureLine } from "./FailureLine";
import { Highlight } from "./highlight";
import { LiveLine } from "./LiveLine";
import { rowMenu } from "./menus";
import type { HistoryRow as RowData } from "./rows";
import type { Actions } from "./useActions";

export const rowId = (id: string): string => `history-row-${id}`;

/** The words that every row has. Asked for in each row, they would be much of the cost of scrolling. */
export interface RowWords {
  select: string;
  play: string;
  pause: string;
  more: string;
  favorite: string;
  cancelled: string;
  hosted: string;
  lost: string;
  lostRemedy: string;
  again: string;
}

export function rowWords(t: TFunction<"history">): RowWords {
  return {
    select: t("history:select"),
    more: t("common:more"),
    play: t("common:player.play"),
    pause: t("common:player.pause"),
    favorite: t("history:marks.favorite"),
    cancelled: t("history:marks.cancelled"),
    hosted: t("history:marks.hosted"),
    lost: t("history:marks.missing"),
    lostRemedy: t("history:missing.remedy"),
    again: t("history:regenerate"),
  };
}

interface Props {
  row: RowData;
  t: TFunction<"history">;
  words: RowWords;
  /** Length and time in the words of the person's language. */
  length: string;
  when: string;
  /** Its place among all lines, from 1, for screen readers, and in pixels. */
  position: number;
  top: number;
  isActive: boolean;
  isSelected: boolean;
  isMenuOpen: boolean;
  sound: "playing" | "paused" | "other";
  /** Its file is gone: "told" where the details say so. */
  lost: "no" | "yes" | "told";
  actions: Actions;
  onPress(id: string, event: MouseEvent): void;
  onToggle(id: string, event: MouseEvent): void;
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

function marksOf(row: RowData, words: RowWords): ReactNode {
  if (!row.favorite && !row.hosted && row.status !== "cancelled") return null;
  const mark = (icon: ReactNode, name: string) => (
    <span role="img" aria-label={name} title={name}>
      {icon}
    </span>
  );
  return (
    <>
      {row.favorite ? mark(<Star size={14} fill="currentColor" aria-hidden />, words.favorite) : null}
      {row.status === "cancelled" ? mark(<CircleSlash size={14} aria-hidden />, words.cancelled) : null}
      {row.hosted ? mark(<Cloud size={14} aria-hidden />, words.hosted) : null}
    </>
  );
}

function Lost({ row, lost, words, actions }: Pick<Props, "row" | "lost" | "words" | "actions">) {
  if (lost === "told")
    return (
      <span role="img" aria-label={words.lost} title={words.lost}>
        <FileX size={14} className="text-danger" aria-hidden />
      </span>
    );
  return (
    <>
      <FileX size={14} className="text-danger" aria-hidden />
      <span title={words.lostRemedy} className="text-12 text-danger @max-[760px]/main:sr-only">
        {words.lost}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className="k-btn"
        data-size="small"
        onClick={() => void actions.restoreRow(row.id)}
      >
        {words.again}
      </button>
    </>
  );
}

const playIcon = <Play size={14} fill="currentColor" aria-hidden />;
const pauseIcon = <Pause size={14} fill="currentColor" aria-hidden />;
const checkIcon = <Check size={12} strokeWidth={3} aria-hidden />;
const moreIcon = <MoreHorizontal size={16} aria-hidden />;

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

function More({
  row,
  lost,
  isMenuOpen,
  actions,
  t,
  words,
  onMenu,
  onDetails,
}: Pick<Props, "row" | "lost" | "isMenuOpen" | "actions" | "t" | "words" | "onMenu" | "onDetails">) {
  const button = (
    <button
      type="button"
      tabIndex={-1}
      aria-label={words.more}
      aria-haspopup="menu"
      className="k-btn"
      data-kind="quiet"
      data-size="small"
      data-icon=""
      onClick={isMenuOpen ? undefined : () => onMenu(row.id)}
    >
      {moreIcon}
    </button>
  );
  // A menu in each row would make scrolling slow, so it is there only while it is open.
  return isMenuOpen ? (
    <OpenMenu row={row} isLost={lost !== "no"} actions={actions} t={t} onMenu={onMenu} onDetails={onDetails}>
      {button}
    </OpenMenu>
  ) : (
    button
  );
}

function OpenMenu({
  row,
  isLost,
  actions,
  t,
  onMenu,
  onDetails,
  children,
}: Pick<Props, "row" | "actions" | "t" | "onMenu" | "onDetails"> & { isLost: boolean; children: ReactElement }) {
  const encoders = useSystem().data?.encoders;
  const saves = saveGroups(t, saveFormats(encoders), (format) => void actions.save(row.id, format));
  return (
    <Menu
      groups={rowMenu(t, { ...row, lost: isLost }, actions, saves, () => onDetails(row.id))}
      open
      onOpenChange={(open) => open || onMenu(null)}
    >
      {children}
    </Menu>
  );
}

/** One line of the list. Hundreds of them come and go in a second of scrolling, so it has few elements and asks nobody. */
export const HistoryRow = memo(function HistoryRow(props: Props) {
  const { row, isActive, isSelected, actions, words } = props;
  const done = row.status === "complete";
  return (
    // The grid has the focus and the keys of its rows.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={rowId(row.id)}
      aria-selected={isSelected}
      aria-rowindex={props.position}
      tabIndex={-1}
      draggable={done}
      className={cx(
        "k-row absolute! inset-x-0 top-0 cursor-default px-4! select-none",
        row.status === "failed" && "flex-wrap content-center gap-y-0!",
        isActive &&
          "bg-fill group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-accent",
      )}
      style={{ height: heightOfRow(row), transform: `translateY(${props.top}px)` }}
      onDragStart={(event) => actions.drag(row, event.dataTransfer)}
      onPointerDown={done ? () => actions.readyToDrag(row) : undefined}
      onClick={(event) => props.onPress(row.id, event)}
      onDoubleClick={done ? () => void actions.play(row.id) : undefined}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(row.id);
      }}
    >
      <div role="gridcell" className="flex">
        <button
          type="button"
          tabIndex={-1}
          role="checkbox"
          aria-checked={isSelected}
          aria-label={words.select}
          className="k-check"
          data-state={isSelected ? "checked" : "unchecked"}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row.id, event);
          }}
        >
          {isSelected ? checkIcon : null}
        </button>
      </div>
      <div role="gridcell" className="w-7 shrink-0">
        {done ? <PlayButton row={row} sound={props.sound} words={words} actions={actions} /> : null}
      </div>
      {hasEnded(row.status) ? (
        <div role="gridcell" dir="auto" className="min-w-0 flex-1 truncate">
          <Words row={row} />
        </div>
      ) : (
        <div role="gridcell" className="min-w-0 flex-1">
          <div dir="auto" className="truncate">
            <Words row={row} />
          </div>
          <LiveLine
            key={row.id}
            id={row.id}
            status={row.status}
            progress={row.progress}
            onCancel={(id) => void actions.cancel(id)}
          />
        </div>
      )}
      <div role="gridcell" className="flex shrink-0 items-center gap-1.5 text-ink-3">
        {props.lost === "no" ? null : <Lost row={row} lost={props.lost} words={words} actions={actions} />}
        {marksOf(row, words)}
      </div>
      <div
        role="gridcell"
        className="flex w-32 shrink-0 items-center gap-2 text-12 text-ink-2 @max-[640px]/main:hidden"
      >
        <Portrait id={row.voiceId} size={20} />
        <span className="truncate">{row.voice}</span>
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
        <More
          row={row}
          lost={props.lost}
          isMenuOpen={props.isMenuOpen}
          actions={actions}
          t={props.t}
          words={words}
          onMenu={props.onMenu}
          onDetails={props.onDetails}
        />
      </div>
      {row.status === "failed" ? (
        <div role="gridcell" className="min-w-0 basis-full ps-[70px] @max-[520px]/main:ps-0">
          <FailureLine
            key={row.id}
            id={row.id}
            error={row.error}
            model={row.model}
            onRetry={(id) => void actions.retry(id)}
          />
        </div>
      ) : null}
    </div>
  );
});
