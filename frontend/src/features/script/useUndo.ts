import { useEffect, useRef } from "react";
import { restoreWritten, placeOf, sameWritten, typedIn, type Place, type Written } from "./undo";
import type { ScriptContent } from "./model";

const together = 1000; // milliseconds: keys that follow each other this soon are one step
const most = 100;

interface Steps {
  past: Written[];
  future: Written[];
  now: Written;
  typing: { id: string; at: number } | null;
  isOurs: boolean;
  version: number;
}

/**
 * Undo and redo for the whole script. What a browser undoes is the text of one field, and nothing that was done to turns;
 * mixed, the two would bring back words into the wrong turn. With another version, which another window wrote, it begins anew.
 */
export function useHistory(
  script: ScriptContent,
  version: number,
  change: (next: (before: ScriptContent) => ScriptContent) => void,
) {
  const steps = useRef<Steps>({ past: [], future: [], now: script, typing: null, isOurs: false, version });
  useEffect(() => {
    const all = steps.current;
    const before = all.now;
    all.now = script;
    if (all.version !== version) {
      Object.assign(all, { past: [], future: [], typing: null, isOurs: false, version });
      return;
    }
    if (sameWritten(before, script)) return;
    if (all.isOurs) {
      all.isOurs = false;
      return;
    }
    const last = all.past.at(-1);
    if (last && sameWritten(last, script)) {
      // taken back by another way, such as the button of a notice
      all.past = all.past.slice(0, -1);
      all.future.push(before);
      all.typing = null;
      return;
    }
    const id = typedIn(before, script);
    const goesOn = id !== null && all.typing?.id === id && Date.now() - all.typing.at < together;
    all.typing = id === null ? null : { id, at: Date.now() };
    all.future = [];
    if (!goesOn) all.past = [...all.past, before].slice(-most);
  }, [script, version]);

  /** Gives the place that the change is at; null when there is nothing to go to. */
  function go(from: Written[], to: Written[]): { place: Place | null } | null {
    const all = steps.current;
    let next = from.pop();
    while (next && sameWritten(next, all.now)) next = from.pop();
    if (!next) return null;
    const goal = next;
    to.push(all.now);
    Object.assign(all, { isOurs: true, typing: null });
    change((now) => restoreWritten(now, goal));
    return { place: placeOf(all.now, goal) };
  }
  return {
    undo: () => go(steps.current.past, steps.current.future),
    redo: () => go(steps.current.future, steps.current.past),
  };
}
