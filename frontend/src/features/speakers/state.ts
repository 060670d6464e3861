import { createStore, useStore } from "@/lib/store";

/** Known speakers that are forgotten when their undo bar ends: they are hidden at once, as are their suggestions. */
const leaving = createStore<ReadonlySet<string>>(new Set());

export function setLeaving(id: string, isLeaving: boolean): void {
  leaving.set((before) => {
    const next = new Set(before);
    if (isLeaving) next.add(id);
    else next.delete(id);
    return next;
  });
}
export const useLeaving = (): ReadonlySet<string> => useStore(leaving);

/** Suggestions that were declined, until the window closes: a transcript and a known speaker. */
const declined = createStore<ReadonlySet<string>>(new Set());

const keyOf = (transcript: string, speaker: string): string => `${transcript} ${speaker}`;

export const decline = (transcript: string, speaker: string): void =>
  declined.set((before) => new Set(before).add(keyOf(transcript, speaker)));

/** Returns whether a suggestion is still offered in a transcript. */
export function useIsOffered(transcript: string): (speaker: string) => boolean {
  const [refused, left] = [useStore(declined), useLeaving()];
  return (speaker) => !refused.has(keyOf(transcript, speaker)) && !left.has(speaker);
}
