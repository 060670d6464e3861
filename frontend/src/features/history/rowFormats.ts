import { useMemo } from "react";
import { useFormat, type Format } from "@/i18n/format";
import type { HistoryRow } from "./rows";

/** Date formats of rows, created once: formatting dates in every frame would be much of the cost of scrolling. */
export interface RowFormats {
  day(when: string): string;
  when(row: HistoryRow): string;
  length(row: HistoryRow): string;
}

function remembered<K>(make: (key: K) => string): (key: K) => string {
  const known = new Map<K, string>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const text = make(key);
    known.set(key, text);
    return text;
  };
}

export function rowFormats(format: Format, byDay: boolean): RowFormats {
  const when = remembered(byDay ? format.time : format.shortDate);
  const length = remembered((seconds: number) => format.length(seconds));
  return {
    day: remembered(format.day),
    when: (row) => when(row.createdAt),
    length: (row) => (row.status === "complete" ? length(row.duration) : ""),
  };
}

/** Below day headings the time is enough; in other orders each row shows its date. */
export function useRowFormats(byDay: boolean): RowFormats {
  const format = useFormat();
  const today = new Date().toDateString(); // "today" changes at midnight
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the formats depend on the day
  return useMemo(() => rowFormats(format, byDay), [format, byDay, today]);
}
