import { type Text, type Transaction } from "@codemirror/state";
import { hasSameText, standsAlone, type ChunkRange } from "./locateChunks";

function isUnchanged(doc: Text, range: ChunkRange): boolean {
  if (!hasSameText(doc.sliceString(range.from, range.to), range.text)) return false;
  return standsAlone(
    doc.sliceString(Math.max(0, range.from - 1), range.from),
    doc.sliceString(range.to, range.to + 1),
    range.text,
  );
}

const shift = (range: ChunkRange, by: number): ChunkRange =>
  by === 0 ? range : { ...range, from: range.from + by, to: range.to + by };

/** Maps a range through an edit, after the end of the previous one; only a range that was touched is compared again. */
function move(range: ChunkRange, tr: Transaction, floor: number): ChunkRange {
  const { from, to } = range;
  const touched = tr.changes.touchesRange(Math.max(0, from - 1), to + 1);
  if (!touched) return shift(range, tr.changes.mapPos(from, 1) - from);
  // A range whose text was deleted stays as a point, and text restored by undo expands it again.
  const grown = { ...range, from: tr.changes.mapPos(from, -1), to: tr.changes.mapPos(to, 1) };
  const inside = tr.newDoc.sliceString(grown.from, grown.to).indexOf(range.text, Math.max(0, floor - grown.from));
  const moved =
    inside < 0 ? grown : { ...range, from: grown.from + inside, to: grown.from + inside + range.text.length };
  if (isUnchanged(tr.newDoc, moved)) return { ...moved, same: true };
  const start = Math.max(floor, tr.changes.mapPos(from, from === to ? -1 : 1)); // a point keeps its position
  const end = Math.max(start, tr.changes.mapPos(to, -1));
  const next = { ...range, from: start, to: end };
  return { ...next, same: isUnchanged(tr.newDoc, next) };
}

/** Returns the number of ranges that begin before a position. */
export function before(ranges: readonly ChunkRange[], position: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the indices of the ranges that overlap from..to: the first, and the one after the last. */
export function reaching(ranges: readonly ChunkRange[], from: number, to: number): [number, number] {
  let first = before(ranges, from);
  while (first > 0 && (ranges[first - 1]?.to ?? 0) >= from) first -= 1;
  return [first, Math.max(first, before(ranges, to + 1))];
}

/** Updates only the ranges near an edit: those before it stay, those after it are shifted together. */
export function moveAll(ranges: readonly ChunkRange[], tr: Transaction): ChunkRange[] {
  let [from, to] = [Infinity, 0];
  tr.changes.iterChangedRanges((start, end) => {
    from = Math.min(from, start);
    to = Math.max(to, end);
  });
  const [first, last] = reaching(ranges, from - 1, to + 1);
  const by = tr.newDoc.length - tr.startState.doc.length;
  let floor = 0; // ranges keep their order, even if the same text occurs twice
  return ranges.map((range, i) => {
    const next = i < first ? range : i < last ? move(range, tr, floor) : shift(range, by);
    floor = Math.max(floor, next.to);
    return next;
  });
}
