import { useEffect, useMemo, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { lineHeight, type Entry } from "./entries";
import { HistoryRow, rowId } from "./HistoryRow";
import type { ListControl } from "./useListControl";
import type { Actions } from "./useActions";
import { useWindow } from "./useWindow";

interface Props {
  entries: readonly Entry[];
  /** How many there are on the server, loaded or not. */
  total: number;
  hasMore: boolean;
  resetKey: string;
  control: ListControl;
  actions: Actions;
  onEnd(): void;
  /** Tells which row is the first in view. */
  onView(row: number): void;
  onDetails(id: string): void;
}

/** dayAbove gives the heading that belongs to the line at a place. */
function dayAbove(entries: readonly Entry[], index: number): number {
  for (let i = Math.min(index, entries.length - 1); i >= 0; i--) if (entries[i]?.kind === "day") return i;
  return -1;
}

function DayLine({ when, top }: { when: string; top: number | "sticky" }) {
  const format = useFormat();
  return (
    <div role="row" className={top === "sticky" ? "sticky top-0 z-10" : "absolute inset-x-0 top-0"} style={top === "sticky" ? { height: lineHeight } : { height: lineHeight, transform: `translateY(${top}px)` }}>
      <div role="gridcell" className="flex h-full items-end bg-page px-4 pb-1.5 text-12 font-medium text-ink-3"><span className="block first-letter:uppercase">{format.day(when)}</span></div>
    </div>
  );
}

/** The history as a grid of which only the part in view exists. It has the focus itself and names its active row. */
export function HistoryList({ entries, total, hasMore, resetKey, control, actions, onEnd, onView, onDetails }: Props) {
  const { t, i18n } = useTranslation("history");
  const format = useFormat();
  const byDay = entries[0]?.kind === "day";
  const stamp = useMemo(() => new Intl.DateTimeFormat(i18n.language, byDay ? { timeStyle: "short" } : { dateStyle: "short" }), [i18n.language, byDay]);
  const { frame, starts, range, look } = useWindow(entries, resetKey);
  const { active, selection, menu } = control;
  const visible = entries.slice(range.first, range.last + 1);
  const loaded = starts[entries.length] ?? 0;
  const rowCount = useMemo(() => entries.reduce((n, entry) => n + (entry.kind === "row" ? 1 : 0), 0), [entries]);
  const missing = hasMore ? Math.max(1, total - rowCount) * lineHeight : 0; // so that the scroll bar tells the truth
  const activeIndex = useMemo(() => (active === null ? -1 : entries.findIndex((entry) => entry.key === active)), [active, entries]);
  const sticky = dayAbove(entries, range.top);
  const nearEnd = range.last >= entries.length - 40;

  useEffect(() => {
    if (nearEnd && hasMore) onEnd();
  }, [nearEnd, hasMore, onEnd, entries]);
  useEffect(() => onView(range.top), [range.top, onView]);
  useEffect(() => {
    const element = frame.current;
    if (!element || !control.follow.current || activeIndex < 0) return;
    control.follow.current = false;
    const [from = 0, to = 0] = [starts[activeIndex], starts[activeIndex + 1]];
    if (from < element.scrollTop + lineHeight) element.scrollTop = from - lineHeight; // below the heading that stays
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
  }, [activeIndex, starts, frame, control.follow]);

  return (
    <div ref={frame} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] focus-visible:-outline-offset-2" onScroll={look}>
      <div role="grid" tabIndex={0} aria-label={t("list")} aria-multiselectable aria-rowcount={hasMore ? total : entries.length} aria-activedescendant={activeIndex >= range.first && activeIndex <= range.last && active ? rowId(active) : undefined}
        className="group/grid relative outline-none" style={{ height: loaded }} onKeyDown={(event: KeyboardEvent) => control.onKeyDown(event)}>
        {visible.map((entry, i) => {
          const index = range.first + i;
          if (entry.kind === "day") return index === sticky ? null : <DayLine key={entry.key} when={entry.when} top={starts[index] ?? 0} />;
          return (
            <div key={entry.key} role="presentation" className="absolute inset-x-0 top-0" style={{ transform: `translateY(${starts[index] ?? 0}px)` }}>
              <HistoryRow row={entry.row} t={t} format={format} when={stamp.format(new Date(entry.row.createdAt))} position={index + 1} isActive={active === entry.key} isSelected={selection.ids.has(entry.key)} isMenuOpen={menu === entry.key} actions={actions}
                onPress={control.press} onToggle={control.toggle} onMenu={control.setMenu} onDetails={onDetails} />
            </div>
          );
        })}
        <StickyDay entries={entries} index={sticky} />
      </div>
      {missing > 0 ? <div role="status" className="px-4 py-2 text-12 text-ink-3" style={{ height: missing }}><span className="sticky top-12">{t("loadingMore")}</span></div> : null}
    </div>
  );
}

function StickyDay({ entries, index }: { entries: readonly Entry[]; index: number }) {
  const entry = entries[index];
  return entry?.kind === "day" ? <DayLine when={entry.when} top="sticky" /> : null;
}
