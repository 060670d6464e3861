import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentType,
  type RefObject,
} from "react";
import { useTranslation } from "react-i18next";
import { maxCharacters, plainLines } from "../drafts/textDocument";
import "./editor.css";
import type { EditorHandle, EditorProps, Selected } from "./handle";

/** The state that the editor takes over from the plain field. */
interface StartState {
  text: string;
  selection: { from: number; to: number } | null;
}
type Editor = ComponentType<EditorProps & Pick<StartState, "selection">>;

function startFrom(field: HTMLTextAreaElement): StartState {
  const hasFocus = document.activeElement === field;
  return { text: field.value, selection: hasFocus ? { from: field.selectionStart, to: field.selectionEnd } : null };
}

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
    change: (changes) => {
      for (const { from, to, insert } of [...changes].reverse()) field.setRangeText(insert, from, to, "preserve");
      changed();
    },
    setTagButtons: nothing,
    setText: (text) => {
      const { selectionStart, selectionEnd } = field;
      field.value = text;
      field.setSelectionRange(selectionStart, selectionEnd);
    },
    focus: () => field.focus(),
    goTo: (position) => {
      field.setSelectionRange(position, position);
      field.focus();
    },
    find: nothing,
    setChunkRanges: nothing,
    setPending: nothing,
    showPlaying: nothing,
    setPlaying: nothing,
  };
}

/** The plain text field that is used until the editor is loaded. */
function PlainEditor({ fieldRef, ...props }: EditorProps & { fieldRef: RefObject<HTMLTextAreaElement | null> }) {
  const onReady = useEffectEvent((handle: EditorHandle) => props.onReady(handle));
  const onEdit = useEffectEvent(() => props.onChange());
  useLayoutEffect(() => {
    const field = fieldRef.current;
    if (field) onReady(handleOf(field, () => onEdit()));
  }, [fieldRef]);
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
      ref={fieldRef}
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

/** The page: a plain field at first, replaced by the editor once it has loaded, after the first paint. */
export function Editor(props: EditorProps) {
  const [arrived, setArrived] = useState<{ Editor: Editor } | null>(null);
  const [loaded, setLoaded] = useState<(StartState & { Editor: Editor }) | null>(null);
  const plainRef = useRef<HTMLTextAreaElement>(null);
  const { i18n } = useTranslation();
  useEffect(() => {
    let isMounted = true;
    const frame = requestAnimationFrame(() =>
      setTimeout(() => {
        // If loading fails, the plain field stays and is fully usable.
        // With the texts of its find panel: keys typed after Ctrl+F would otherwise go into the text.
        void Promise.all([import("./CodeMirrorEditor"), i18n.loadNamespaces("find")]).then(
          ([module]) => {
            if (isMounted) setArrived({ Editor: module.default });
          },
          () => undefined,
        );
      }),
    );
    return () => {
      isMounted = false;
      cancelAnimationFrame(frame);
    };
  }, [i18n]);
  // React renders again before the next key press, so none is lost. While a Suspense boundary hides the screen there is
  // no field; its effects run again when it is shown.
  useLayoutEffect(() => {
    const plain = plainRef.current;
    if (arrived && plain) setLoaded({ ...startFrom(plain), ...arrived });
  }, [arrived]);
  if (loaded) return <loaded.Editor {...props} text={loaded.text} selection={loaded.selection} />;
  return <PlainEditor {...props} fieldRef={plainRef} />;
}
