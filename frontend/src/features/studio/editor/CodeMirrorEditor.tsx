import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, EditorSelection, EditorState, Transaction, type Extension } from "@codemirror/state";
import { EditorView, dropCursor, keymap, placeholder } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { difference, maxCharacters, plainLines } from "../drafts/textDocument";
import { chips, type ChipTexts } from "./chips";
import type { EditorHandle, EditorProps, Selected } from "./handle";
import { chunkAtPosition, effects, marks, marksField, type MarkTexts } from "./marks";
import { markPress } from "./markPress";

// Mod-Enter speaks, and Tab leaves the page, so that nobody is caught in it.
const keys = defaultKeymap.filter((binding) => binding.key !== "Mod-Enter");

const isExternal = Annotation.define<boolean>();

interface Texts extends ChipTexts {
  label: string;
  placeholder: string;
  mark: MarkTexts;
}
interface Callbacks {
  current: EditorProps;
}

/** Puts a text in at the selection, where there is room for it. */
function insert(view: EditorView, text: string, props: EditorProps): void {
  const { from, to } = view.state.selection.main;
  if (view.state.doc.length - (to - from) + text.length > maxCharacters) props.onTooLong(text);
  else
    view.dispatch(view.state.replaceSelection(view.state.toText(text)), {
      userEvent: "input.paste",
      scrollIntoView: true,
    });
}

function pasteAndDrop(callbacks: Callbacks): Extension {
  return EditorView.domEventHandlers({
    paste: (event, view) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const text = plainLines(event.clipboardData?.getData("text/plain") ?? "");
      if (files.length > 0 && text === "") callbacks.current.onFiles(files);
      else if (text !== "") insert(view, text, callbacks.current);
      else return false;
      event.preventDefault();
      return true;
    },
  });
}

/** The line of the cursor keeps its distance from the edges, so that the first one stands where the page begins. */
const margins = EditorView.scrollMargins.of((view) => {
  const margin = parseFloat(getComputedStyle(view.contentDOM).paddingBlockStart) || 0;
  return { top: margin, bottom: margin };
});

/** Nothing makes the text longer than the program takes. */
function limit(callbacks: Callbacks): Extension {
  return EditorState.changeFilter.of((tr: Transaction) => {
    const fits = tr.newDoc.length <= maxCharacters || tr.newDoc.length <= tr.startState.doc.length;
    if (!fits) queueMicrotask(() => callbacks.current.onFull());
    return fits;
  });
}

function report(callbacks: Callbacks): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((tr) => tr.annotation(isExternal))) callbacks.current.onChange();
    const fields = update.state.field(marksField);
    if (fields !== update.startState.field(marksField) || update.selectionSet) {
      callbacks.current.onChunks({
        current: chunkAtPosition(update.state, update.state.selection.main.head),
        changed: fields.changed,
      });
    }
  });
}

function extensions(texts: Texts, callbacks: Callbacks): Extension {
  return [
    history(),
    dropCursor(),
    EditorView.lineWrapping,
    keymap.of([...keys, ...historyKeymap]),
    EditorView.contentAttributes.of({
      "aria-label": texts.label,
      tabindex: "0",
      dir: "auto",
      spellcheck: "true",
      autocorrect: "on",
      autocapitalize: "on",
    }),
    placeholder(texts.placeholder),
    chips(texts),
    marks(texts.mark),
    markPress({
      play: (chunk) => callbacks.current.onMark.play(chunk),
      open: (chunk, mark) => callbacks.current.onMark.open(chunk, mark),
    }),
    margins,
    pasteAndDrop(callbacks),
    limit(callbacks),
    report(callbacks),
  ];
}

function handleOf(view: EditorView): EditorHandle {
  const slice = (from: number, to: number): Selected => ({ from, to, text: view.state.sliceDoc(from, to) });
  return {
    text: () => view.state.doc.toString(),
    length: () => view.state.doc.length,
    selection: () => slice(view.state.selection.main.from, view.state.selection.main.to),
    word: () => {
      const { main } = view.state.selection;
      const range = main.empty ? (view.state.wordAt(main.head) ?? main) : main;
      return slice(range.from, range.to);
    },
    replace: (from, to, text) => {
      view.dispatch({
        changes: { from, to, insert: text },
        selection: EditorSelection.cursor(from + view.state.toText(text).length),
        scrollIntoView: true,
        userEvent: "input",
      });
      view.focus();
    },
    setText: (text) =>
      view.dispatch({
        changes: difference(view.state.doc.toString(), text),
        annotations: [isExternal.of(true), Transaction.addToHistory.of(false)],
      }),
    focus: () => view.focus(),
    setPlaces: (places) => view.dispatch({ effects: effects.setChunkRanges.of(places) }),
    setMaking: (making) => view.dispatch({ effects: effects.setPending.of(making) }),
    setPlaying: (chunk) => view.dispatch({ effects: effects.setPlaying.of(chunk) }),
  };
}

/** The page itself. The text lives in it; the screen reads it at pauses, never at each key. */
export default function CodeMirrorEditor(props: EditorProps & { selection?: { from: number; to: number } | null }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const parentRef = useRef<HTMLDivElement>(null);
  const callbacks = useRef<EditorProps>(props);
  useEffect(() => {
    callbacks.current = props;
  });
  const first = useRef({
    ...props,
    texts: {
      label: props.label,
      placeholder: props.placeholder,
      seconds: (value: number) => t("chip.seconds", { seconds: format.number(value) }),
      name: (markup) =>
        markup.kind === "pause"
          ? t("chip.pause", { seconds: format.number(markup.seconds) })
          : markup.kind === "tag"
            ? t("chip.tag", { name: markup.name })
            : t("chip.respell", markup),
      mark: { name: (state) => t(`marks.${state}`) },
    } satisfies Texts,
  });

  useLayoutEffect(() => {
    const parent = parentRef.current;
    if (!parent) return;
    const { text, selection, texts } = first.current;
    const at = selection
      ? EditorSelection.single(Math.min(selection.from, text.length), Math.min(selection.to, text.length))
      : EditorSelection.single(text.length);
    const view = new EditorView({
      parent,
      state: EditorState.create({ doc: text, selection: at, extensions: extensions(texts, callbacks) }),
    });
    callbacks.current.onReady(handleOf(view));
    if (selection) view.focus();
    return () => view.destroy();
  }, []);
  return <div ref={parentRef} className="st-paper" />;
}
