import { useQueryClient } from "@tanstack/react-query";
import { Check, CircleSlash, Cloud, MoreHorizontal, Pause, Play, Star } from "lucide-react";
import { memo, type DragEvent, type MouseEvent, type ReactNode } from "react";
import type { TFunction } from "i18next";
import { keys } from "@/api/keys";
import { hasEnded, type Generation } from "@/api/types";
import type { Format } from "@/i18n/format";
import { usePlaying } from "@/player";
import { cx, Menu, Portrait, Row } from "@/ui";
import { heightOf } from "./entries";
import { FailureLine } from "./FailureLine";
import { fillDrag, isFresh } from "./files";
import { Highlight } from "./highlight";
import { LiveLine } from "./LiveLine";
import { rowMenu } from "./menus";
import type { HistoryRow as RowData } from "./rows";
import type { Actions } from "./useActions";

export const rowId = (id: string): string => `history-row-${id}`;

interface Props {
  row: RowData;
  /** Words and times come from the list: asked for in each row, they would be most of the cost of scrolling. */
  t: TFunction<"history">;
  format: Format;
  when: string;
  /** Its place among all lines, from 1, for screen readers. */
  position: number;
  isActive: boolean;
  isSelected: boolean;
  isMenuOpen: boolean;
  actions: Actions;
  onPress(id: string, event: MouseEvent): void;
  onToggle(id: string, event: MouseEvent): void;
  onMenu(id: string | null): void;
  onDetails(id: string): void;
}

function Words({ row }: { row: RowData }) {
  return (
    <div className="truncate">
      {row.title ? <span className="me-2 font-medium">{row.title}</span> : null}
      <span className={row.title ? "text-ink-3" : ""}>{row.highlight ? <Highlight html={row.highlight} /> : row.text}</span>
    </div>
  );
}

function Marks({ row, t }: Pick<Props, "row" | "t">) {
  const mark = (icon: ReactNode, name: string) => <span role="img" aria-label={name} title={name}>{icon}</span>;
  return (
    <span className="flex gap-1.5 text-ink-3">
      {row.favorite ? mark(<Star size={14} fill="currentColor" aria-hidden />, t("history:marks.favorite")) : null}
      {row.status === "cancelled" ? mark(<CircleSlash size={14} aria-hidden />, t("history:marks.cancelled")) : null}
      {row.hosted ? mark(<Cloud size={14} aria-hidden />, t("history:marks.hosted")) : null}
    </span>
  );
}

function PlayButton({ row, actions, t }: Pick<Props, "row" | "actions" | "t">) {
  const state = usePlaying(row.id);
  const name = t(state === "playing" ? "common:player.pause" : "common:player.play");
  const Icon = state === "playing" ? Pause : Play;
  return (
    <button type="button" tabIndex={-1} aria-label={name} title={name} className={cx("grid size-7 place-items-center rounded-full hover:bg-fill-2", state === "other" ? "text-ink-2" : "bg-fill-2 text-accent-text")}
      onClick={() => void actions.play(row.id)}><Icon size={14} fill="currentColor" aria-hidden /></button>
  );
}

function More({ row, isMenuOpen, actions, t, onMenu, onDetails }: Pick<Props, "row" | "isMenuOpen" | "actions" | "t" | "onMenu" | "onDetails">) {
  const button = (
    <button type="button" tabIndex={-1} aria-label={t("common:more")} aria-haspopup="menu" className="k-btn" data-kind="quiet" data-size="small" data-icon=""
      onClick={isMenuOpen ? undefined : () => onMenu(row.id)}><MoreHorizontal size={16} aria-hidden /></button>
  );
  // A menu in each row would make scrolling slow, so it is there only while it is open.
  if (!isMenuOpen) return button;
  return <Menu groups={rowMenu(t, row, actions, () => onDetails(row.id))} open onOpenChange={(open) => open || onMenu(null)}>{button}</Menu>;
}

export const HistoryRow = memo(function HistoryRow(props: Props) {
  const { row, isActive, isSelected, actions, t, format } = props;
  const client = useQueryClient();
  const running = !hasEnded(row.status);
  const done = row.status === "complete";
  const cell = (content: ReactNode, className: string) => <div role="gridcell" className={className}>{content}</div>;
  function onDragStart(event: DragEvent) {
    const newest = client.getQueryData<Generation>(keys.generation(row.id))?.audio_url;
    fillDrag(event.dataTransfer, { ...row, audioUrl: newest && isFresh(newest) ? newest : row.audioUrl }, t("history:file"));
  }
  function onPointerDown() {
    if (done && !isFresh(row.audioUrl)) actions.prefetch(row.id); // so that dragging it out has an address that works
  }
  return (
    <Row role="row" id={rowId(row.id)} selected={isSelected} aria-rowindex={props.position} tabIndex={-1} draggable={done} onDragStart={onDragStart} onPointerDown={onPointerDown}
      className={cx("cursor-default px-4 select-none", isActive && "bg-fill group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-accent")}
      style={{ height: heightOf({ kind: "row", key: row.id, row }) }} onClick={(event) => props.onPress(row.id, event)} onDoubleClick={() => done && void actions.play(row.id)}
      onContextMenu={(event) => { event.preventDefault(); props.onMenu(row.id); }}>
      {cell(
        <button type="button" tabIndex={-1} role="checkbox" aria-checked={isSelected} aria-label={t("history:select")} className="k-check" data-state={isSelected ? "checked" : "unchecked"}
          onClick={(event) => { event.stopPropagation(); props.onToggle(row.id, event); }}>{isSelected ? <Check size={12} strokeWidth={3} aria-hidden /> : null}</button>, "flex")}
      {cell(done ? <PlayButton row={row} actions={actions} t={t} /> : null, "w-7 shrink-0")}
      {cell(
        <>
          <Words row={row} />
          {running ? <LiveLine id={row.id} status={row.status} progress={row.progress} onCancel={(id) => void actions.cancel(id)} /> : null}
          {row.status === "failed" ? <FailureLine id={row.id} error={row.error} onRetry={(id) => void actions.retry(id)} /> : null}
        </>, "min-w-0 flex-1")}
      {cell(<Marks row={row} t={t} />, "shrink-0")}
      {cell(<><Portrait id={row.voiceId} size={20} /><span className="truncate">{row.voice}</span></>, "flex w-32 shrink-0 items-center gap-2 text-12 text-ink-2 @max-[640px]/main:hidden")}
      {cell(done ? format.clock(row.duration) : null, "w-12 shrink-0 text-end text-12 text-ink-2")}
      {cell(<time dateTime={row.createdAt}>{props.when}</time>, "w-18 shrink-0 text-end text-12 whitespace-nowrap text-ink-3 @max-[520px]/main:hidden")}
      {cell(<More row={row} isMenuOpen={props.isMenuOpen} actions={actions} t={t} onMenu={props.onMenu} onDetails={props.onDetails} />, "shrink-0")}
    </Row>
  );
});
