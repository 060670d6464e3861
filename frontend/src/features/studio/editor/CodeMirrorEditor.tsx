import { defaultKeymap, history, historyField, historyKeymap, isolateHistory } from "@codemirror/commands";
import type { Transaction } from "@codemirror/state";
import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { EditorView, dropCursor, keymap, placeholder, type ViewUpdate } from "@codemirror/view";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { difference, maxCharacters, plainLines } from "../drafts/textDocument";
import { chips, type ChipTexts } from "./chips";
import type { EditorHandle, EditorProps } from "./handle";
import { chunkAtPosition, marks, marksField, type MarkTexts } from "./marks";
import { markPress } from "./markPress";
import { SearchPanel, useSearch } from "./SearchPanel";
import { searchPanel, searchPhrases, type SearchEvents } from "./searchPanel";
import { handleOf } from "./editorHandle";
import { isExternal, type Callbacks, insert } from "./editorHandle";

// Mod-Enter generates, and Tab leaves the page, so that it is no keyboard trap.
const keys = defaultKeymap.filter((binding) => binding.key !== "Mod-Enter");

interface Texts extends ChipTexts {
  label: string;
  placeholder: string;
  mark: MarkTexts;
  /** Keyed by the phrases of CodeMirror. */
  search: Record<string, string>;
}
function pasteAndDrop(callbacks: Callbacks): Extension {
  return EditorView.domEventHandlers({
    paste: (event, view) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const text = plainLines(event.clipboardData?.getData("text/plain") ?? "");
      if (files.length > 0 && text === "") callbacks.onFiles(files);
      else if (text !== "") insert(view, text, callbacks);
      else return false;
      event.preventDefault();
      return true;
    },
  });
}

/** Scrolling keeps the padding around the cursor line, so that the first line stays below the top padding. */
const margins = EditorView.scrollMargins.of((view) => {
  const margin = parseFloat(getComputedStyle(view.contentDOM).paddingBlockStart) || 0;
  return { top: margin, bottom: margin };
});

/** Rejects changes that would exceed the server's limit. */
function limit(callbacks: Callbacks): Extension {
  return EditorState.changeFilter.of((tr: Transaction) => {
    const fits = tr.newDoc.length <= maxCharacters || tr.newDoc.length <= tr.startState.doc.length;
    if (!fits) queueMicrotask(() => callbacks.onFull());
    return fits;
  });
}

function report(callbacks: Callbacks): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((tr) => tr.annotation(isExternal))) callbacks.onChange();
    if (update.docChanged || update.selectionSet) callbacks.onCursor(update.state.selection.main.head);
    const fields = update.state.field(marksField);
    if (fields !== update.startState.field(marksField) || update.selectionSet) {
      callbacks.onChunk(chunkAtPosition(update.state, update.state.selection.main.head));
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
    searchPanel(texts.search, callbacks.search),
    markPress({
      play: (chunk) => callbacks.onMark.play(chunk),
      open: (chunk, mark) => callbacks.onMark.open(chunk, mark),
    }),
    margins,
    pasteAndDrop(callbacks),
    limit(callbacks),
    report(callbacks),
  ];
}

const historyJSON = { history: historyField };

/** Returns a state with the undo of an editor that was left, in which the text changed since is one step. */
function resume(left: EditorState, text: string, own: Extension): EditorState {
  const state = EditorState.fromJSON(left.toJSON(historyJSON), { extensions: own }, historyJSON);
  return state.update({
    changes: difference(state.doc.toString(), text),
    annotations: [isolateHistory.of("full"), isExternal.of(true)],
  }).state;
}

/** The editor. It holds the text; the screen reads it after a pause, not at each key press. */
export default function CodeMirrorEditor(props: EditorProps & { selection?: { from: number; to: number } | null }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const parentRef = useRef<HTMLDivElement>(null);
  const viewRef = useRef<EditorView | null>(null);

  const texts = (): Texts => ({
    label: props.label,
    placeholder: props.placeholder,
    seconds: (value) => t("chip.seconds", { seconds: format.number(value) }),
    name: (markup) =>
      markup.kind === "pause"
        ? t("chip.pause", { seconds: format.number(markup.seconds) })
        : markup.kind === "tag"
          ? t("chip.tag", { name: markup.name })
          : t("chip.respell", markup),
    remove: (tag) => t("chip.remove", { tag }),
    mark: { name: (state) => t(`marks.${state}`) },
    search: searchPhrases(t),
  });
  const createView = useEffectEvent((parent: HTMLElement, callbacks: Callbacks): EditorView => {
    const { text, selection, left } = props;
    const at = selection
      ? EditorSelection.single(Math.min(selection.from, text.length), Math.min(selection.to, text.length))
      : EditorSelection.single(text.length);
    const own = extensions(texts(), callbacks);
    const state = left
      ? resume(left, text, own).update({ selection: at }).state
      : EditorState.create({ doc: text, selection: at, extensions: own });
    const view = new EditorView({ parent, state });
    callbacks.onReady(handleOf(view, callbacks.onFind));
    callbacks.onCursor(at.main.head);
    if (selection) view.focus();
    return view;
  });
  const onReady = useEffectEvent((handle: EditorHandle) => props.onReady(handle));
  const onChange = useEffectEvent(() => props.onChange());
  const onChunk = useEffectEvent((chunk: number) => props.onChunk(chunk));
  const onCursor = useEffectEvent((position: number) => props.onCursor(position));
  const onPlay = useEffectEvent((chunk: number) => props.onMark.play(chunk));
  const onOpen = useEffectEvent((chunk: number, mark: () => DOMRect) => props.onMark.open(chunk, mark));
  const onFiles = useEffectEvent((files: File[]) => props.onFiles(files));
  const onFull = useEffectEvent(() => props.onFull());
  const onTooLong = useEffectEvent((text: string) => props.onTooLong(text));
  const onLeave = useEffectEvent((state: EditorState) => props.onLeave(state));
  const search = useSearch();
  const onFind = useEffectEvent((view: EditorView, withReplace: boolean) => search.open(view, withReplace));
  const onSearchPanel = useEffectEvent((place: Parameters<SearchEvents["onPanel"]>[0]) => search.events.onPanel(place));
  const onSearchUpdate = useEffectEvent((update: ViewUpdate) => search.events.onUpdate(update));

  useLayoutEffect(() => {
    const parent = parentRef.current;
    if (!parent || viewRef.current) return;
    viewRef.current = createView(parent, {
      onReady: (handle) => onReady(handle),
      onChange: () => onChange(),
      onChunk: (chunk) => onChunk(chunk),
      onCursor: (position) => onCursor(position),
      onMark: { play: (chunk) => onPlay(chunk), open: (chunk, mark) => onOpen(chunk, mark) },
      onFiles: (files) => onFiles(files),
      onFull: () => onFull(),
      onTooLong: (text) => onTooLong(text),
      search: { onPanel: (place) => onSearchPanel(place), onUpdate: (update) => onSearchUpdate(update) },
      onFind: (view, withReplace) => onFind(view, withReplace),
    });
  }, []);
  // Not by the effect above: its cleanup also runs when a Suspense boundary hides the screen, which would lose the text.
  useEffect(
    () => () => {
      if (viewRef.current) onLeave(viewRef.current.state);
      viewRef.current?.destroy();
      viewRef.current = null;
    },
    [],
  );
  return (
    <>
      <div ref={parentRef} className="st-paper" />
      <SearchPanel search={search} />
    </>
  );
}
