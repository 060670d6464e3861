/** The vertical extent of something on the screen, in pixels. */
export interface Span {
  top: number;
  bottom: number;
}

const lineMargin = 20; // pixels above and below the middle of a line
const edgeShare = 0.1; // of the window, at its top and bottom, where nothing that is read should be
/** The share of the window above what has been scrolled to. */
export const startShare = 0.25;

/** Returns what of a passage should be in sight: all of it, or the line being read where the window is too low for it. */
function wantedOf(passage: Span, part: number, available: number): Span {
  if (passage.bottom - passage.top <= available) return passage;
  const line = passage.top + part * (passage.bottom - passage.top);
  return { top: Math.max(passage.top, line - lineMargin), bottom: Math.min(passage.bottom, line + lineMargin) };
}

/**
 * Returns how far to scroll down so that a passage is in sight of which a part, 0 to 1, has been heard: pixels, negative
 * upwards, 0 if it is in sight.
 */
export function scrollNeeded(passage: Span, part: number, window: Span): number {
  const height = window.bottom - window.top;
  const edge = height * edgeShare;
  const wanted = wantedOf(passage, part, height - 2 * edge);
  if (wanted.top >= window.top + edge && wanted.bottom <= window.bottom - edge) return 0;
  const available = height - edge - (wanted.bottom - wanted.top);
  return wanted.top - window.top - Math.max(edge, Math.min(height * startShare, available));
}

/** Scrolls smoothly, unless it is far or the person wants no motion. */
export function scrollDown(frame: Element, by: number): void {
  if (Math.round(by) === 0) return;
  const isCalm = Math.abs(by) > frame.clientHeight || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  frame.scrollBy({ top: by, behavior: isCalm ? "instant" : "smooth" });
}

/** Scrolls a frame so that a passage in it is in sight. */
export function keepInSight(frame: Element, passage: Element, part: number): void {
  scrollDown(frame, scrollNeeded(passage.getBoundingClientRect(), part, frame.getBoundingClientRect()));
}
