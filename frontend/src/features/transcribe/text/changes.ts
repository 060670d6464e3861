import type { Segment, TranscriptChanges } from "@/api/types";

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

/** A step that was undone. */
export interface UndoneStep {
  /** What makes the step again: changes of segments, or names of speakers. */
  changes: TranscriptChanges;
  /** The segments that it is for. */
  from: readonly Segment[];
}

/** Returns the names that lead from one version to another; null where more than names has changed, or nothing. */
function renamesBetween(from: readonly Segment[], target: ReadonlyMap<number, Segment>): Map<string, string> | null {
  const names = new Map<string, string>();
  for (const { id, text, speaker, speaker_found } of from) {
    const next = target.get(id);
    const name = names.get(speaker) ?? next?.speaker ?? "";
    if (next?.speaker !== name || next.text !== text || next.speaker_found !== speaker_found) return null;
    if ((name === "") !== (speaker === "")) return null;
    names.set(speaker, name);
  }
  return new Map([...names].filter(([name, other]) => name !== other));
}

/**
 * Returns the changes that lead from one version to another; null where that needs a segment that only the other has, or a speaker
 * who was found: a change of a segment would make it one that a person set.
 */
export function changesBetween(from: readonly Segment[], to: readonly Segment[]): TranscriptChanges | null {
  const target = new Map(to.map((segment) => [segment.id, segment]));
  const known = new Map(from.map((segment) => [segment.id, segment]));
  if (to.some(({ id, start }) => known.get(id)?.start !== start)) return null;
  if (to.some(({ id, speaker, speaker_found }) => speaker_found && known.get(id)?.speaker !== speaker)) {
    const names = renamesBetween(from, target);
    return names && { speakers: [...names].map(([name, new_name]) => ({ name, new_name })) };
  }
  const segments = from.flatMap(({ id, text, speaker, speaker_found }): SegmentChange[] => {
    const next = target.get(id);
    if (!next) return [{ id, text: "" }];
    const isNamed = next.speaker !== speaker || (speaker_found && !next.speaker_found);
    const change: SegmentChange = {
      id,
      ...(next.text === text ? {} : { text: next.text }),
      ...(isNamed ? { speaker: next.speaker } : {}),
    };
    return Object.keys(change).length > 1 ? [change] : [];
  });
  return { segments };
}

/** Reports whether an undone step can be made again: what it changes is as it was then, also after other changes and searches. */
export function isRepeatable({ changes, from }: UndoneStep, segments: readonly Segment[]): boolean {
  const now = new Map(segments.map((segment) => [segment.id, segment]));
  const isSame = (segment: Segment | undefined) => {
    const stored = segment && now.get(segment.id);
    return stored !== undefined && stored.text === segment?.text && stored.speaker === segment.speaker;
  };
  const isThere = (changes.segments ?? []).every(({ id }) => isSame(from.find((segment) => segment.id === id)));
  return isThere && (changes.speakers ?? []).every(({ name }) => segments.some(({ speaker }) => speaker === name));
}
