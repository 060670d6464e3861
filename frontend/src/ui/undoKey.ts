import { useEffect, useEffectEvent } from "react";

const fields = "input, textarea, select";
const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(fields));
const moves = [
  "Shift",
  "Control",
  "Meta",
  "Alt",
  "AltGraph",
  "Tab",
  "Escape",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "PageUp",
  "PageDown",
];

const isUndo = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "z";

/**
 * Ctrl+Z undoes the last action: a delete whose undo bar is still open, unless something was typed after it. Outside a
 * field it never reaches the browser, which would undo earlier typing in some other field.
 */
export function useUndoKey(newest: () => { id: number; takeBack(): void } | undefined): void {
  const newestBar = useEffectEvent(newest);
  useEffect(() => {
    let typedAfter = 0; // the newest undo bar that was open at the last typing
    const onKeyDown = (event: KeyboardEvent) => {
      const bar = newestBar();
      const typing = inField(event.target);
      if (!isUndo(event)) {
        if (typing && bar && !moves.includes(event.key)) typedAfter = bar.id;
        return;
      }
      if (!bar || (typing && bar.id <= typedAfter)) return;
      event.preventDefault();
      event.stopPropagation();
      bar.takeBack();
    };
    const keepFromFields = (event: KeyboardEvent) => {
      if (isUndo(event) && !inField(event.target)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown, true);
    window.addEventListener("keydown", keepFromFields);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener("keydown", keepFromFields);
    };
  }, []);
}
