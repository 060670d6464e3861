import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
} from "react";
import { editedPart, partsOf } from "./markupParts";
import type { Match } from "@/features/find";
import { FoundOverlay } from "./FoundOverlay";
import { MarkupOverlay } from "./MarkupOverlay";

export interface TurnKeys {
  cycle(id: string, step: 1 | -1): void;
  split(id: string, caret: number): void;
  join(id: string): boolean;
  /** Inserts a pasted dialogue as turns; returns false for plain text. That of a file may have the title of the file. */
  paste(id: string, text: string, fileTitle?: string): boolean;
  focusNeighbour(id: string, step: 1 | -1): boolean;
  /** Moves the turn itself; with a caret the cursor follows. */
  moveTurn(id: string, step: 1 | -1, caret?: number): void;
  /** Inserts a pause at the cursor, or at the end. */
  pause(id: string): void;
  /** Escape: after it, Tab moves through the list instead of the speakers. */
  leaveText(id: string): void;
  /** Moves the focus into the text of a turn. */
  focusText(id: string): void;
  /** Called when the text of a turn gets the focus. */
  onTextFocus(id: string): void;
  restoreTabOrder(): void;
  /** The number of characters that the script has left. */
  remaining(): number;
  /** Reports how many characters did not fit. */
  reportCut(characters: number): void;
}

interface Props {
  id: string;
  text: string;
  label: string;
  describedBy: string;
  placeholder: string;
  /** Of the voice. */
  language: string | undefined;
  /** The voice takes any audio tag. */
  hasAllTags: boolean;
  /** What a search found in the text, and the selected match of it. */
  found: readonly Match[];
  currentMatch: Match | undefined;
  chip(): HTMLElement | null;
  keys: TurnKeys;
  onChange(text: string): void;
  ref(element: HTMLTextAreaElement | null): void;
}

/** Browsers that size a field by its content need no measuring, which is slow with 200 turns. */
const supportsFieldSizing = typeof CSS !== "undefined" && CSS.supports?.("field-sizing", "content");

/** Sizes a field to the height of its text. */
function useFit(fieldRef: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = fieldRef.current;
    if (!element || supportsFieldSizing) return;
    const fit = () => {
      element.style.height = "auto";
      element.style.height = `${element.scrollHeight}px`;
    };
    fit();
    const observer = new ResizeObserver(fit); // a new width changes the line breaks
    observer.observe(element.parentElement ?? element);
    return () => observer.disconnect();
  }, [text, fieldRef]);
}

/** The text field of one turn, which grows with its text. */
export function TurnText(props: Props) {
  const { id, text, label, describedBy, placeholder, hasAllTags, chip, keys, onChange, ref } = props;
  const field = useRef<HTMLTextAreaElement | null>(null);
  useFit(field, text);
  const parts = useMemo(() => partsOf(text, hasAllTags), [text, hasAllTags]);
  const [edited, setEdited] = useState(-1);
  function onSelect(event: SyntheticEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = event.currentTarget;
    setEdited(
      parts && document.activeElement === event.currentTarget ? editedPart(parts, selectionStart, selectionEnd) : -1,
    );
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (step && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      return keys.moveTurn(id, step, event.currentTarget.selectionEnd);
    }
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { selectionStart: from, selectionEnd: to } = event.currentTarget;
    const atStart = from === 0 && to === 0;
    const atEnd = from === text.length && to === text.length;
    const done = handle(event.key, event.shiftKey, from, atStart, atEnd);
    if (done) event.preventDefault();
  }
  /** Handles a key and reports whether it did. */
  function handle(key: string, moveTurn: boolean, caret: number, atStart: boolean, atEnd: boolean): boolean {
    if (key === "Tab") keys.cycle(id, moveTurn ? -1 : 1);
    else if (key === "Enter" && !moveTurn) keys.split(id, caret);
    else if (key === "Escape") {
      keys.leaveText(id); // the way out for keyboard users, because Tab is handled here
      chip()?.focus();
    } else if (key === "Backspace" && atStart) return keys.join(id);
    else if (key === "ArrowUp" && atStart) return keys.focusNeighbour(id, -1);
    else if (key === "ArrowDown" && atEnd) return keys.focusNeighbour(id, 1);
    else return false;
    return true;
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const pasted = event.clipboardData.getData("text/plain");
    if (keys.paste(id, pasted)) return event.preventDefault();
    const element = event.currentTarget;
    const remaining = keys.remaining() + element.selectionEnd - element.selectionStart;
    if (pasted.length <= remaining) return;
    event.preventDefault();
    element.setRangeText(pasted.slice(0, remaining), element.selectionStart, element.selectionEnd, "end");
    onChange(element.value);
    keys.reportCut(pasted.length - remaining);
  }
  const attachField = useCallback(
    (element: HTMLTextAreaElement | null) => {
      field.current = element;
      ref(element);
    },
    [ref],
  );
  return (
    <div lang={props.language} className="sc-field text-17 leading-[1.6]">
      {props.found.length > 0 ? <FoundOverlay text={text} matches={props.found} current={props.currentMatch} /> : null}
      <textarea
        ref={attachField}
        rows={1}
        value={text}
        aria-label={label}
        aria-describedby={describedBy}
        placeholder={placeholder}
        spellCheck
        dir="auto"
        data-marked={parts ? "" : undefined}
        className="relative block w-full resize-none overflow-hidden bg-transparent [field-sizing:content] text-17 leading-[1.6] outline-none"
        maxLength={200_000}
        onChange={(e) => onChange(e.target.value)}
        onFocus={() => keys.onTextFocus(id)}
        onBlur={() => setEdited(-1)}
        onSelect={onSelect}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {parts ? <MarkupOverlay parts={parts} edited={edited} /> : null}
    </div>
  );
}
