import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { indexAt, startsOf, type Entry } from "./entries";

const overscan = 12;
const assumedHeight = 600; // before the frame is measured
const linesTried = 200; // lines that may vanish at once without losing the place

interface Range { first: number; last: number; /** The first line that is seen at all. */ top: number }
interface Seen { entries: readonly Entry[]; starts: Float64Array; top: number; resetKey: string }

/** keptPlace gives where to scroll so that the first line in view that is still there stays where it is on the screen. */
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
  const [range, setRange] = useState<Range>({ first: 0, last: 40, top: 0 });
  const seen = useRef<Seen>({ entries, starts, top: 0, resetKey });

  const look = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    seen.current.top = element.scrollTop;
    const top = indexAt(starts, element.scrollTop);
    const first = Math.max(0, top - overscan);
    const last = Math.min(entries.length, indexAt(starts, element.scrollTop + (element.clientHeight || assumedHeight)) + overscan);
    setRange((now) => (now.first === first && now.last === last && now.top === top ? now : { first, last, top }));
  }, [entries, starts]);

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
  return { frame, starts, range, look };
}
