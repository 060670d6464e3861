import { ViewPlugin, type EditorView } from "@codemirror/view";

export interface MarkActions {
  play(chunk: number): void;
  /** `mark` returns the rectangle of the mark, even after it was rendered again. */
  open(chunk: number, mark: () => DOMRect): void;
}

const holdDelay = 400;
const moveTolerance = 8; // pixels that a finger may move during a press

const markOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>(".st-mark") : null;

/** Follows the rectangle of a mark; returns the last one once the mark is removed. */
function followMark(view: EditorView, mark: HTMLElement): () => DOMRect {
  let last = mark.getBoundingClientRect();
  return () => {
    const now = mark.isConnected ? mark : view.contentDOM.querySelector(`.st-mark[data-chunk="${mark.dataset.chunk}"]`);
    if (now) last = now.getBoundingClientRect();
    return last;
  };
}

/** A click on a mark plays it; a long press or a right click opens its takes. */
export function markPress(actions: MarkActions) {
  return ViewPlugin.fromClass(
    class {
      held: { mark: HTMLElement; x: number; y: number; timer: ReturnType<typeof setTimeout> } | null = null;
      // On the element itself, because the editor does not pass on events of a mark.
      readonly handlers: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
        mousedown: (event: MouseEvent) => {
          if (markOf(event)) event.preventDefault();
        }, // keeps the cursor in place
        pointerdown: (event: PointerEvent) => this.press(event),
        pointermove: (event: PointerEvent) => {
          if (this.held && Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) > moveTolerance)
            this.release();
        },
        pointerup: (event: PointerEvent) => this.lift(event),
        pointercancel: () => this.release(),
        contextmenu: (event: MouseEvent) => this.menu(event),
      };

      constructor(readonly view: EditorView) {
        for (const [name, handler] of Object.entries(this.handlers))
          view.contentDOM.addEventListener(name, handler as EventListener);
      }
      destroy() {
        this.release();
        for (const [name, handler] of Object.entries(this.handlers))
          this.view.contentDOM.removeEventListener(name, handler as EventListener);
      }
      open(mark: HTMLElement) {
        this.release();
        actions.open(Number(mark.dataset.chunk), followMark(this.view, mark));
      }
      press(event: PointerEvent) {
        const mark = markOf(event);
        this.release();
        if (mark && event.button === 0)
          this.held = { mark, x: event.clientX, y: event.clientY, timer: setTimeout(() => this.open(mark), holdDelay) };
      }
      lift(event: PointerEvent) {
        const { held } = this;
        this.release();
        if (held && markOf(event)?.dataset.chunk === held.mark.dataset.chunk)
          actions.play(Number(held.mark.dataset.chunk));
      }
      menu(event: MouseEvent) {
        const mark = markOf(event);
        if (!mark) return;
        event.preventDefault();
        this.open(mark);
      }
      release() {
        clearTimeout(this.held?.timer);
        this.held = null;
      }
    },
  );
}
