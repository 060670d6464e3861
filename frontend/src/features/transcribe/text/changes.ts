import type { Segment } from "@/api/types";

/** A change of a segment; what is left out stays as it is, and an empty text removes it. */
export interface SegmentChange {
  id: number;
  text?: string;
  speaker?: string;
}

/** Returns the segments with changes applied. The words of a changed text are no longer known. */
export function withChanges(segments: readonly Segment[], changes: readonly SegmentChange[]): readonly Segment[] {
  if (changes.length === 0) return segments;
  const byId = new Map(changes.map((change) => [change.id, change]));
  return segments.flatMap((segment) => {
    const change = byId.get(segment.id);
    if (!change) return [segment];
    const text = change.text ?? segment.text;
    if (text === "") return [];
    const words = text === segment.text ? segment.words : [];
    const named = change.speaker === undefined ? {} : { speaker: change.speaker, speaker_found: false };
    return [{ ...segment, ...named, text, words }];
  });
}

/** Returns earlier changes together with later ones, which win. */
export function mergeChanges(earlier: readonly SegmentChange[], later: readonly SegmentChange[]): SegmentChange[] {
  const merged = new Map(earlier.map((change) => [change.id, change]));
  for (const change of later) merged.set(change.id, { ...merged.get(change.id), ...change });
  return [...merged.values()];
}

/** Returns the changes that are left after some of them were saved. */
export function withoutSaved(changes: readonly SegmentChange[], saved: readonly SegmentChange[]): SegmentChange[] {
  const done = new Map(saved.map((change) => [change.id, change]));
  return changes.filter(({ id, text, speaker }) => {
    const same = done.get(id);
    return same === undefined || same.text !== text || same.speaker !== speaker;
  });
}

/** Returns the changes that lead from one version to another; null where that needs a segment that only the other has. */
export function changesBetween(from: readonly Segment[], to: readonly Segment[]): SegmentChange[] | null {
  const target = new Map(to.map((segment) => [segment.id, segment]));
  const known = new Map(from.map((segment) => [segment.id, segment]));
  if (to.some(({ id, start }) => known.get(id)?.start !== start)) return null;
  return from.flatMap(({ id, text, speaker }): SegmentChange[] => {
    const next = target.get(id);
    if (!next) return [{ id, text: "" }];
    const change: SegmentChange = {
      id,
      ...(next.text === text ? {} : { text: next.text }),
      ...(next.speaker === speaker ? {} : { speaker: next.speaker }),
    };
    return Object.keys(change).length > 1 ? [change] : [];
  });
}
