import { useEffect, useState, type RefObject } from "react";

const margin = 8;

/** Returns the rectangle of the text cursor; null while no text is being edited. */
function caretRect(): DOMRect | null {
  const selection = document.getSelection();
  const node = selection?.focusNode;
  if (!selection || !node || !document.activeElement?.closest("[contenteditable='true']")?.contains(node)) return null;
  const range = document.createRange();
  range.setStart(node, selection.focusOffset);
  const [rect] = range.getClientRects();
  if (rect) return rect;
  const line = node instanceof Element ? node : node.parentElement;
  return line?.getBoundingClientRect() ?? null; // an empty line
}

/** Reports whether a floating element covers the text cursor. */
export function useCoversTextCursor(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    let frame: number | null = null;
    function update() {
      frame = null;
      const [caret, boxRect] = [caretRect(), box.current?.getBoundingClientRect()];
      setIsOver(
        caret !== null &&
          boxRect !== undefined &&
          caret.bottom > boxRect.top - margin &&
          caret.top < boxRect.bottom + margin &&
          caret.left > boxRect.left - margin &&
          caret.left < boxRect.right + margin,
      );
    }
    const scheduleUpdate = () => {
      frame ??= requestAnimationFrame(update);
    };
    document.addEventListener("selectionchange", scheduleUpdate);
    document.addEventListener("scroll", scheduleUpdate, { capture: true, passive: true });
    window.addEventListener("resize", scheduleUpdate);
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", scheduleUpdate);
      document.removeEventListener("scroll", scheduleUpdate, { capture: true });
      window.removeEventListener("resize", scheduleUpdate);
    };
  }, [box]);
  return isOver;
}
