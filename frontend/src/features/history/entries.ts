import { hasEnded } from "@/api/types";
import type { HistoryRow } from "./rows";

/** One line of the list: the heading of a day, or a generation. */
export type Entry = { kind: "day"; key: string; when: string } | { kind: "row"; key: string; row: HistoryRow };

export const lineHeight = 36;
export const tallHeight = 56;
export const failedHeight = 68;

/** A generation that is being made has a second line; one that failed has room below it for the whole reason. */
export const heightOfRow = ({ status }: HistoryRow): number =>
  status === "failed" ? failedHeight : hasEnded(status) ? lineHeight : tallHeight;
export const heightOf = (entry: Entry): number => (entry.kind === "day" ? lineHeight : heightOfRow(entry.row));

/** The day of a time where the person is. */
function dayKey(when: string): string {
  const date = new Date(when);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Rows with a heading before each day; in an order that is not by time there are no days. */
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

/** Where each line starts, in pixels; one more at the end is the height of all. */
export function startsOf(entries: readonly Entry[]): Float64Array {
  const starts = new Float64Array(entries.length + 1);
  entries.forEach((entry, i) => {
    starts[i + 1] = (starts[i] ?? 0) + heightOf(entry);
  });
  return starts;
}

/** The line at a place: the last one that starts at or before it. */
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
