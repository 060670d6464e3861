import { useEffect, useMemo, useRef, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { player } from "@/player";
import { isTabbing } from "@/ui";
import { lineHeight, type Entry } from "./entries";
import { HistoryRow, rowId } from "./HistoryRow";
import { rowTexts } from "./rowTexts";
import { useRowFormats } from "./rowFormats";
import type { ListControl } from "./useListControl";
import { useMissing } from "./state";
import type { Actions } from "./useActions";
import { slotsOf, useWindow } from "./useWindow";

interface Props {
  entries: readonly Entry[];
  /** The number on the server, loaded or not. */
  total: number;
  hasMore: boolean;
  resetKey: string;
  control: ListControl;
  /** The row whose details are shown. */
  told: string | null;
  actions: Actions;
  onEnd(): void;
  /** Called with the first row in view. */
  onView(row: number): void;
  onDetails(id: string): void;
}

/** Returns the index of the day heading above a row. */
function dayAbove(entries: readonly Entry[], index: number): number {
  for (let i = Math.min(index, entries.length - 1); i >= 0; i--) if (entries[i]?.kind === "day") return i;
  return -1;
}

/** Returns the state of the player as a string that changes only when a row must look different. */
const soundOf = (): string => {
  const { generation, playing } = player.get();
  return generation ? `${playing ? "playing" : "paused"} ${generation.id}` : "other ";
};

function useListedPlayback(): { id: string; state: "playing" | "paused" | "other" } {
  const [state = "other", id = ""] = useSyncExternalStore(player.subscribe, soundOf).split(" ");
  return { id, state: state === "playing" || state === "paused" ? state : "other" };
}

function DayLine({ text, top }: { text: string; top: number | "sticky" }) {
  const sticky = top === "sticky";
  return (
    <div
      role="row"
      className={sticky ? "sticky top-0 z-10" : "absolute inset-x-0 top-0"}
      style={sticky ? { height: lineHeight } : { height: lineHeight, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="flex h-full items-end bg-page px-4 pb-1.5 text-12 font-medium text-ink-3">
        <span className="block first-letter:uppercase">{text}</span>
      </div>
    </div>
  );
}

/** The history as a grid that renders only its visible part. The grid has the focus and names its active row. */
export function HistoryList({
  entries,
  total,
  hasMore,
  resetKey,
  control,
  told,
  actions,
  onEnd,
  onView,
  onDetails,
}: Props) {
  const { t } = useTranslation("history");
  const byDay = entries[0]?.kind === "day";
  const formats = useRowFormats(byDay);
  const { frame, list, starts, range } = useWindow(entries, resetKey);
  const format = useFormat();
  const words = useMemo(() => rowTexts(t, format), [t, format]);
  const sounding = useListedPlayback();
  const missingFiles = useMissing();
  const { active, selection, menu } = control;
  const rowCount = useMemo(() => entries.reduce((n, entry) => n + (entry.kind === "row" ? 1 : 0), 0), [entries]);
  const placeholderHeight = hasMore ? Math.max(1, total - rowCount) * lineHeight : 0; // keeps the scroll bar accurate
  const activeIndex = useMemo(
    () => (active === null ? -1 : entries.findIndex((entry) => entry.key === active)),
    [active, entries],
  );
  const sticky = dayAbove(entries, range.top);
  const above = entries[sticky];
  const nearEnd = range.last >= entries.length - 40;

  useEffect(() => {
    if (nearEnd && hasMore) onEnd();
  }, [nearEnd, hasMore, onEnd, entries]);
  useEffect(() => onView(range.top), [range.top, onView]);
  useEffect(() => {
    if (!control.follow.current || activeIndex < 0) return;
    control.follow.current = false;
    list.scrollToIndex(activeIndex);
  }, [activeIndex, list, control.follow]);

  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = grid.current;
    // The button of a menu is replaced when the menu closes, and loses the focus.
    return menu === null ? undefined : () => element?.focus({ preventScroll: true });
  }, [menu]);

  /** The ring of the focus is that of the active row, so a key that moves the focus here must find one, in view. */
  function onFocus({ target, currentTarget }: FocusEvent) {
    if (target !== currentTarget || !target.matches(":focus-visible")) return;
    if (activeIndex < 0) control.setActive(entries.slice(range.top).find((entry) => entry.kind === "row")?.key ?? null);
    else if (isTabbing()) list.scrollToIndex(activeIndex);
  }

  return (
    <div ref={frame} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] focus-visible:-outline-offset-2">
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={t("list")}
        aria-multiselectable
        data-selecting={selection.ids.size > 0 ? "" : undefined}
        aria-rowcount={hasMore ? total : entries.length}
        aria-activedescendant={
          activeIndex >= range.first && activeIndex <= range.last && active ? rowId(active) : undefined
        }
        className="group/grid relative outline-none"
        style={{ height: list.getTotalSize() }}
        onFocus={onFocus}
        onKeyDown={(event: KeyboardEvent) => control.onKeyDown(event)}
      >
        {slotsOf(range).map(({ slot, index }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          if (entry.kind === "day")
            return index === sticky ? null : (
              <DayLine key={slot} text={formats.day(entry.when)} top={starts[index] ?? 0} />
            );
          const { row } = entry;
          return (
            <HistoryRow
              key={slot}
              row={row}
              t={t}
              words={words}
              length={formats.length(row)}
              when={formats.when(row)}
              position={index + 1}
              top={starts[index] ?? 0}
              isActive={active === entry.key}
              isSelected={selection.ids.has(entry.key)}
              isMenuOpen={menu === entry.key}
              sound={sounding.id === row.id ? sounding.state : "other"}
              missing={!missingFiles.has(row.id) ? "no" : row.id === told ? "details" : "row"}
              actions={actions}
              onPress={control.press}
              onToggle={control.toggle}
              onMenu={control.setMenu}
              onDetails={onDetails}
            />
          );
        })}
        {above?.kind === "day" ? <DayLine text={formats.day(above.when)} top="sticky" /> : null}
      </div>
      {selection.ids.size > 0 ? <div className="h-16" /> : null /* keeps the last row clear of the selection bar */}
      {placeholderHeight > 0 ? (
        <div role="status" className="px-4 py-2 text-12 text-ink-3" style={{ height: placeholderHeight }}>
          <span className="sticky top-12">{t("loadingMore")}</span>
        </div>
      ) : null}
    </div>
  );
}
