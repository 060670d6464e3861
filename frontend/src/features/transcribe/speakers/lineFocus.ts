import { useEffect, useRef } from "react";

/** Returns the first segment of the line that has the focus; null where the focus is elsewhere. */
export function focusedLine(): number | null {
  const line = document.activeElement?.closest<HTMLElement>("[data-from-segment]");
  return line ? Number(line.dataset.fromSegment) : null;
}

const timeIn = (part: Element | null | undefined): HTMLElement | null =>
  part?.querySelector<HTMLElement>("[data-time]") ?? null;

/** A line that had the focus when its speaker was set. */
interface Kept {
  segment: number;
  /** Its place in the list. */
  place: number;
  /** What has the focus for it. */
  focused: Element | null;
}

/** Focuses the line that has a segment now, else the one in its place. */
function focusLine({ segment, place }: Kept): void {
  const own = timeIn(document.querySelector(`[data-segment="${segment}"]`)?.closest("[data-from-segment]"));
  const near = [place, place - 1].map((at) => document.querySelector<HTMLElement>(`[data-time="${at}"]`));
  [own, ...near].find((element) => element !== null)?.focus();
}

/**
 * Returns a function to call before the speaker of a line is set. If that removes the line from the list, because it is joined with
 * the one before or filtered out, the focus stays at its place.
 */
export function useLineFocus(lines: readonly unknown[]): (segment: number) => void {
  const kept = useRef<Kept | null>(null);
  useEffect(() => {
    if (!kept.current) return;
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) {
      if (activeElement !== kept.current.focused) kept.current = null; // the person went elsewhere
      return;
    }
    focusLine(kept.current);
    kept.current.focused = document.activeElement;
  }, [lines]);
  return (segment) => {
    const focused = document.activeElement;
    const time = timeIn(focused?.closest("[data-from-segment]"));
    kept.current = time ? { segment, place: Number(time.dataset.time), focused } : null;
  };
}
