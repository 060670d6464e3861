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
export function useOverCaret(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    let frame: number | null = null;
    function look() {
      frame = null;
      const [caret, mine] = [caretRect(), box.current?.getBoundingClientRect()];
      setIsOver(
        caret !== null &&
          mine !== undefined &&
          caret.bottom > mine.top - margin &&
          caret.top < mine.bottom + margin &&
          caret.left > mine.left - margin &&
          caret.left < mine.right + margin,
      );
    }
    const soon = () => {
      frame ??= requestAnimationFrame(look);
    };
    document.addEventListener("selectionchange", soon);
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    window.addEventListener("resize", soon);
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", soon);
      document.removeEventListener("scroll", soon, { capture: true });
      window.removeEventListener("resize", soon);
    };
  }, [box]);
  return isOver;
}
