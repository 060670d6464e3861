import { EditorView } from "@codemirror/view";
import { scrollDown, scrollNeeded, startShare } from "@/features/follow";
import { playingRange } from "./marks";

/** Scrolls so that what is heard is in sight, of which a part, 0 to 1, has been heard. */
export function showPlaying(view: EditorView, part: number): void {
  const range = playingRange(view.state);
  if (!range) return;
  const top = view.coordsAtPos(range.from, 1)?.top;
  const bottom = view.coordsAtPos(range.to, -1)?.bottom;
  const frame = view.scrollDOM;
  if (top !== undefined && bottom !== undefined)
    return scrollDown(frame, scrollNeeded({ top, bottom }, part, frame.getBoundingClientRect()));
  // The editor has not drawn all of it.
  const at = Math.round(range.from + part * (range.to - range.from));
  const line = view.coordsAtPos(at, 1);
  if (line) return scrollDown(frame, scrollNeeded(line, 0, frame.getBoundingClientRect()));
  view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "start", yMargin: frame.clientHeight * startShare }) });
}
