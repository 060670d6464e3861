import { useLayoutEffect, useRef, type ClipboardEvent, type KeyboardEvent } from "react";

export interface TurnKeys {
  cycle(id: string, step: 1 | -1): void;
  split(id: string, caret: number): void;
  join(id: string): boolean;
  /** Puts a pasted dialogue into turns; false when it is plain text. */
  paste(id: string, text: string): boolean;
  move(id: string, step: 1 | -1): boolean;
}

interface Props { id: string; text: string; label: string; describedBy: string; placeholder: string; chip(): HTMLElement | null; keys: TurnKeys; onChange(text: string): void; ref(element: HTMLTextAreaElement | null): void }

/** The words of one turn, as high as they need. */
export function TurnText({ id, text, label, describedBy, placeholder, chip, keys, onChange, ref }: Props) {
  const field = useRef<HTMLTextAreaElement | null>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    const fit = () => {
      element.style.height = "auto";
      element.style.height = `${element.scrollHeight}px`;
    };
    fit();
    const observer = new ResizeObserver(fit); // other widths break lines elsewhere
    observer.observe(element.parentElement ?? element);
    return () => observer.disconnect();
  }, [text]);

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { selectionStart: from, selectionEnd: to } = event.currentTarget;
    const atStart = from === 0 && to === 0;
    const atEnd = from === text.length && to === text.length;
    const done = handle(event.key, event.shiftKey, from, atStart, atEnd);
    if (done) event.preventDefault();
  }
  /** Whether the key was ours. */
  function handle(key: string, shift: boolean, caret: number, atStart: boolean, atEnd: boolean): boolean {
    if (key === "Tab") keys.cycle(id, shift ? -1 : 1);
    else if (key === "Enter" && !shift) keys.split(id, caret);
    else if (key === "Escape") chip()?.focus(); // the way out for the keyboard: Tab is taken here
    else if (key === "Backspace" && atStart) return keys.join(id);
    else if (key === "ArrowUp" && atStart) return keys.move(id, -1);
    else if (key === "ArrowDown" && atEnd) return keys.move(id, 1);
    else return false;
    return true;
  }
  function onPaste(event: ClipboardEvent) {
    if (keys.paste(id, event.clipboardData.getData("text/plain"))) event.preventDefault();
  }
  return (
    <textarea ref={(element) => { field.current = element; ref(element); }} rows={1} value={text} aria-label={label} aria-describedby={describedBy} placeholder={placeholder} spellCheck dir="auto"
      className="block w-full resize-none overflow-hidden rounded-s bg-transparent text-17 leading-[1.6] outline-none" maxLength={200_000}
      onChange={(e) => onChange(e.target.value)} onKeyDown={onKeyDown} onPaste={onPaste} />
  );
}
