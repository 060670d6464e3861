import { observeElementRect, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { heightOf, indexAt, lineHeight, startsOf, type Entry } from "./entries";

const overscan = 12;
const assumedRect = { width: 800, height: 600 }; // until the frame has been measured
const linesTried = 200; // lines that may disappear at once without losing the scroll position

type Frame = Virtualizer<HTMLDivElement, Element>;

export interface Range {
  first: number;
  last: number;
  /** The first visible line. */
  top: number;
  /** The line with which the DOM order begins. */
  base: number;
  /** The number of rendered lines. */
  size: number;
}

/**
 * The rendered lines in DOM order, each with the slot that it fills. A line that scrolls out passes its elements to
 * the one that scrolls in, because creating and removing elements is the most expensive part of scrolling. While the
 * list scrolls no element moves in the DOM; when it stops, the DOM order becomes the visual order.
 */
export function slotsOf({ first, last, base, size }: Range): { slot: number; index: number }[] {
  const lines: { slot: number; index: number }[] = [];
  for (let i = 0; i < size; i++) {
    const slot = (base + i) % size;
    const index = first + ((slot - (first % size) + size) % size);
    if (index <= last) lines.push({ slot, index });
  }
  return lines;
}

interface Seen {
  entries: readonly Entry[];
  starts: Float64Array;
  top: number;
  resetKey: string;
}

/** Returns the scroll position that keeps the first row, or the next that still exists, where it is on screen. */
export function keptPlace(seen: Seen, entries: readonly Entry[], starts: Float64Array): number {
  const places = new Map(entries.map((entry, i) => [entry.key, i]));
  const from = indexAt(seen.starts, seen.top);
  for (let i = from; i < Math.min(seen.entries.length, from + linesTried); i++) {
    const entry = seen.entries[i];
    const place = entry?.kind === "row" ? places.get(entry.key) : undefined;
    if (place !== undefined) return (starts[place] ?? 0) - ((seen.starts[i] ?? 0) - seen.top);
  }
  return seen.top;
}

/** The size of the frame; a hidden frame keeps the lines that it will need when it is shown. */
const observeRect = (list: Frame, onRect: (rect: typeof assumedRect) => void) =>
  observeElementRect(list, (rect) => onRect(rect.height > 0 ? rect : assumedRect));

/** Returns how many lines are rendered: always the same, so that scrolling neither adds nor removes elements. */
const sizeOf = (list: Frame) => Math.ceil((list.scrollRect ?? assumedRect).height / lineHeight) + 1 + 2 * overscan;

/**
 * Determines which lines of a long list are visible. Line heights are known in advance, so nothing is measured,
 * and when lines are added or removed above the view, the view stays on the lines it showed.
 */
export function useWindow(entries: readonly Entry[], resetKey: string) {
  const frame = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => startsOf(entries), [entries]);
  // A new function makes the virtualizer lay out all lines again, so its identity changes only with the entries.
  const keyAt = useCallback((index: number) => entries[index]?.key ?? index, [entries]);
  // eslint-disable-next-line react-hooks/incompatible-library -- this page is built without the React compiler
  const list: Frame = useVirtualizer<HTMLDivElement, Element>({
    count: entries.length,
    getScrollElement: () => frame.current,
    getItemKey: keyAt,
    estimateSize: (index) => {
      const entry = entries[index];
      return entry ? heightOf(entry) : lineHeight;
    },
    initialRect: assumedRect,
    observeElementRect: observeRect,
    rangeExtractor: ({ startIndex, count }) => {
      const end = Math.min(count, Math.max(0, startIndex - overscan) + sizeOf(list));
      const first = Math.max(0, end - sizeOf(list));
      return Array.from({ length: end - first }, (_, i) => first + i);
    },
    scrollPaddingStart: lineHeight, // the sticky heading
    useFlushSync: false, // a layout effect below scrolls the list, where React cannot flush
  });
  const lines = list.getVirtualItems();
  const first = lines[0]?.index ?? 0;
  const last = lines.at(-1)?.index ?? -1;
  const [base, setBase] = useState(first);
  if (!list.isScrolling && base !== first) setBase(first);

  const seen = useRef({ entries, starts, resetKey });
  useLayoutEffect(() => {
    const element = frame.current;
    const before = { ...seen.current, top: list.scrollOffset ?? 0 };
    seen.current = { entries, starts, resetKey };
    if (!element || before.top === 0) return;
    if (before.resetKey !== resetKey) element.scrollTop = 0;
    else if (before.entries !== entries) element.scrollTop = keptPlace(before, entries, starts);
    else return;
    element.dispatchEvent(new Event("scroll")); // the browser's own event comes only with the next frame
  }, [entries, starts, resetKey, list]);
  return { frame, list, starts, range: { first, last, top: list.range?.startIndex ?? 0, base, size: sizeOf(list) } };
}
