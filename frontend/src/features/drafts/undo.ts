/** How undo compares documents and restores an earlier one. */
export interface UndoRules<D> {
  /** Reports whether two documents have the same text. */
  isSame(a: D, b: D): boolean;
  /** Returns a key for the one field that was edited, null if more has changed. Consecutive typing is one step. */
  typedIn(before: D, after: D): string | null;
  /** Returns the present document with the text of an earlier one. */
  restore(now: D, earlier: D): D;
}

const typingGap = 1000; // milliseconds: key presses closer together than this are one step
const maxSteps = 100;

/** The steps of undo and redo for one document. */
export function createUndo<D>(rules: UndoRules<D>) {
  let past: D[] = [];
  let future: D[] = [];
  let typing: { key: string; at: number } | null = null;

  function step(from: D[], to: D[], now: D): D | null {
    let next = from.pop();
    while (next && rules.isSame(next, now)) next = from.pop();
    if (!next) return null;
    to.push(now);
    typing = null;
    return rules.restore(now, next);
  }

  return {
    /** Records a change; one that `isStep` is not joined with typing before it. */
    record(before: D, after: D, isStep = false): void {
      if (rules.isSame(before, after)) return;
      const last = past.at(-1);
      if (last && rules.isSame(last, after)) {
        // Undone by other means, such as the button of a notice.
        past = past.slice(0, -1);
        future.push(before);
        typing = null;
        return;
      }
      const key = isStep ? null : rules.typedIn(before, after);
      const continues = key !== null && typing?.key === key && Date.now() - typing.at < typingGap;
      typing = key === null ? null : { key, at: Date.now() };
      future = [];
      if (!continues) past = [...past, before].slice(-maxSteps);
    },
    /** Returns the document of the previous step; null if there is none. */
    undo: (now: D): D | null => step(past, future, now),
    /** Returns the document of the step that was undone last; null if there is none. */
    redo: (now: D): D | null => step(future, past, now),
    reset(): void {
      past = [];
      future = [];
      typing = null;
    },
  };
}
