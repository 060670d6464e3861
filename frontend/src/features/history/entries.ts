import { hasEnded } from "@/api/types";
import type { HistoryRow } from "./rows";

/** One line of the list: a day heading or a generation. */
export type Entry = { kind: "day"; key: string; when: string } | { kind: "row"; key: string; row: HistoryRow };

export const lineHeight = 36;
export const tallHeight = 56;
export const failedHeight = 68;

/** A running or partial generation has a second line; a failed one has space below it for the full reason. */
export const heightOfRow = ({ status, partial }: HistoryRow): number =>
  status === "failed" ? failedHeight : hasEnded(status) && !partial ? lineHeight : tallHeight;
export const heightOf = (entry: Entry): number => (entry.kind === "day" ? lineHeight : heightOfRow(entry.row));

/** Returns the day of a time in the local time zone. */
function dayKey(when: string): string {
  const date = new Date(when);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Returns rows with a heading before each day; orders other than by time have no headings. */
export function toEntries(rows: readonly HistoryRow[], byDay: boolean): Entry[] {
  const entries: Entry[] = [];
  let last = "";
  for (const row of rows) {
    const day = byDay ? dayKey(row.createdAt) : "";
    if (day !== last) entries.push({ kind: "day", key: `day:${day}`, when: row.createdAt });
    last = day;
    entries.push({ kind: "row", key: row.id, row });
  }
  return entries;
}

/** Returns the offset of each line in pixels; one more at the end is the total height. */
export function startsOf(entries: readonly Entry[]): Float64Array {
  const starts = new Float64Array(entries.length + 1);
  entries.forEach((entry, i) => {
    starts[i + 1] = (starts[i] ?? 0) + heightOf(entry);
  });
  return starts;
}

/** Returns the line at an offset: the last one that starts at or before it. */
export function indexAt(starts: Float64Array, y: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
