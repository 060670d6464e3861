import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentType,
} from "react";
import { maxCharacters, plainLines } from "../drafts/textDocument";
import "./editor.css";
import type { EditorHandle, EditorProps, Selected } from "./handle";

/** What is taken over from the plain field. */
interface StartState {
  text: string;
  selection: { from: number; to: number } | null;
}
type Editor = ComponentType<EditorProps & Pick<StartState, "selection">>;

function handleOf(field: HTMLTextAreaElement, changed: () => void): EditorHandle {
  const slice = (from: number, to: number): Selected => ({ from, to, text: field.value.slice(from, to) });
  const selection = () => slice(field.selectionStart, field.selectionEnd);
  const nothing = () => undefined;
  return {
    text: () => field.value,
    length: () => field.value.length,
    selection,
    word: selection,
    replace: (from, to, text) => {
      field.setRangeText(text, from, to, "end");
      field.focus();
      changed();
    },
    setText: (text) => {
      const { selectionStart, selectionEnd } = field;
      field.value = text;
      field.setSelectionRange(selectionStart, selectionEnd);
    },
    focus: () => field.focus(),
    find: nothing,
    setChunkRanges: nothing,
    setPending: nothing,
    setPlaying: nothing,
  };
}

/** The plain text field that is used until the editor is loaded. */
function PlainEditor(props: EditorProps & { onReplaced(start: StartState): void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const onReady = useEffectEvent((handle: EditorHandle) => props.onReady(handle));
  const onEdit = useEffectEvent(() => props.onChange());
  const onReplaced = useEffectEvent((start: StartState) => props.onReplaced(start));
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    onReady(handleOf(element, () => onEdit()));
    return () => {
      const hasFocus = document.activeElement === element;
      onReplaced({
        text: element.value,
        selection: hasFocus ? { from: element.selectionStart, to: element.selectionEnd } : null,
      });
    };
  }, []);
  function onChange(event: ChangeEvent<HTMLTextAreaElement>) {
    props.onChange();
    if (event.target.value.length >= maxCharacters) props.onFull();
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const text = plainLines(event.clipboardData.getData("text/plain"));
    if (value.length - (selectionEnd - selectionStart) + text.length <= maxCharacters) return;
    event.preventDefault();
    props.onTooLong(text);
  }
  return (
    <textarea
      ref={field}
      className="st-paper st-plain"
      dir="auto"
      aria-label={props.label}
      placeholder={props.placeholder}
      defaultValue={props.text}
      maxLength={maxCharacters}
      onChange={onChange}
      onPaste={onPaste}
    />
  );
}

/** Begins with what the plain field held when it went, which is known once it is gone. */
function LateEditor({ Editor, start, ...props }: EditorProps & { Editor: Editor; start: { current: StartState } }) {
  const [from, setFrom] = useState<StartState | null>(null);
  useLayoutEffect(() => setFrom(start.current), [start]);
  return from ? <Editor {...props} text={from.text} selection={from.selection} /> : null;
}

/** The page to write on: a plain field at first, the editor as soon as it is loaded, after the first paint. */
export function Editor(props: EditorProps) {
  const [Loaded, setLoaded] = useState<Editor | null>(null);
  const start = useRef<StartState>({ text: props.text, selection: null });
  useEffect(() => {
    let isMounted = true;
    const frame = requestAnimationFrame(() =>
      setTimeout(() => {
        // Without an answer the plain field stays, in which everything can be written as well.
        void import("./CodeMirrorEditor").then(
          (module) => {
            if (isMounted) setLoaded(() => module.default);
          },
          () => undefined,
        );
      }),
    );
    return () => {
      isMounted = false;
      cancelAnimationFrame(frame);
    };
  }, []);
  if (Loaded) return <LateEditor {...props} Editor={Loaded} start={start} />;
  return (
    <PlainEditor
      {...props}
      onReplaced={(replaced) => {
        start.current = replaced;
      }}
    />
  );
}
