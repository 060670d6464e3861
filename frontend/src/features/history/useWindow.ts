import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { indexAt, lineHeight, startsOf, type Entry } from "./entries";

const overscan = 12;
const assumedHeight = 600; // before the frame is measured
const linesTried = 200; // lines that may vanish at once without losing the place

const remaining = 150; // ms without a scroll after which the lines take their order again

export interface Range {
  first: number;
  last: number;
  /** The first line that is seen at all. */
  top: number;
  /** The line with which the order in the page begins. */
  base: number;
  /** How many lines exist. */
  size: number;
}

/**
 * The lines that exist, in the order in which they stand in the page, each with the slot that it fills. A line that
 * scrolls out leaves its elements to the one that comes in: elements that are made and removed are the dearest part of
 * scrolling. While it scrolls no element moves in the page; at rest the page has the order that is seen.
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

/** Returns the scroll position that keeps the first row in view, or the next that still exists, where it is on screen. */
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

/**
 * Which lines of a long list are in view. Every line knows its height, so nothing is measured: a list of any length
 * costs the same, and when lines come or go above the view, the view stays on the lines it showed.
 */
export function useWindow(entries: readonly Entry[], resetKey: string) {
  const frame = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => startsOf(entries), [entries]);
  const [range, setRange] = useState<Range>({
    first: 0,
    last: Math.min(39, entries.length - 1),
    top: 0,
    base: 0,
    size: 40,
  });
  const seen = useRef<Seen>({ entries, starts, top: 0, resetKey });
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);

  const look = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    seen.current.top = element.scrollTop;
    const top = indexAt(starts, seen.current.top);
    const size = Math.ceil((element.clientHeight || assumedHeight) / lineHeight) + 1 + 2 * overscan;
    const last = Math.min(entries.length, Math.max(0, top - overscan) + size) - 1;
    const first = Math.max(0, last + 1 - size);
    setRange((now) =>
      now.first === first && now.last === last && now.top === top && now.size === size
        ? now
        : { first, last, top, size, base: now.size === size ? now.base : first },
    );
  }, [entries, starts]);

  /** The lines in view after a scroll; when it rests, in their order. */
  const onScroll = useCallback(() => {
    look();
    clearTimeout(resting.current);
    resting.current = setTimeout(
      () => setRange((now) => (now.base === now.first ? now : { ...now, base: now.first })),
      remaining,
    );
  }, [look]);
  useEffect(() => () => clearTimeout(resting.current), []);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const before = seen.current;
    if (before.resetKey !== resetKey) element.scrollTop = 0;
    else if (before.entries !== entries && before.top > 0) element.scrollTop = keptPlace(before, entries, starts);
    seen.current = { entries, starts, top: element.scrollTop, resetKey };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [entries, starts, resetKey, look]);
  return { frame, starts, range, onScroll };
}
