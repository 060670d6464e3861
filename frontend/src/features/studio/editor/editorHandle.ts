import { isolateHistory } from "@codemirror/commands";
import { Annotation, EditorSelection, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { difference, maxCharacters } from "../drafts/textDocument";
import { setTagButtons } from "./chips";
import type { EditorHandle, EditorProps, Selected } from "./handle";
import { effects } from "./marks";
import { showPlaying } from "./showPlaying";
import type { SearchEvents } from "./searchPanel";

export const isExternal = Annotation.define<boolean>();

export interface Callbacks extends Omit<EditorProps, "text" | "left" | "label" | "placeholder" | "onLeave"> {
  search: SearchEvents;
  onFind(view: EditorView, withReplace: boolean): void;
}

/** Inserts a text at the selection if it fits the limit. */
export function insert(view: EditorView, text: string, props: Callbacks): void {
  const { from, to } = view.state.selection.main;
  if (view.state.doc.length - (to - from) + text.length > maxCharacters) props.onTooLong(text);
  else
    view.dispatch(view.state.replaceSelection(view.state.toText(text)), {
      userEvent: "input.paste",
      scrollIntoView: true,
    });
}

export function handleOf(view: EditorView, onFind: Callbacks["onFind"]): EditorHandle {
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
    change: (changes) =>
      view.dispatch({
        changes: [...changes],
        annotations: isolateHistory.of("full"),
        userEvent: "input",
      }),
    setTagButtons: (isOn) => view.dispatch({ effects: setTagButtons.of(isOn) }),
    setText: (text) =>
      view.dispatch({
        changes: difference(view.state.doc.toString(), text),
        annotations: [isExternal.of(true), Transaction.addToHistory.of(false)],
      }),
    focus: () => view.focus(),
    goTo: (position) => {
      const at = Math.min(position, view.state.doc.length);
      view.dispatch({
        selection: EditorSelection.cursor(at),
        effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 24 }),
      });
      view.focus();
    },
    find: (withReplace) => onFind(view, withReplace),
    setChunkRanges: (ranges) => view.dispatch({ effects: effects.setChunkRanges.of(ranges) }),
    setPending: (pending) => view.dispatch({ effects: effects.setPending.of(pending) }),
    setPlaying: (playing) => view.dispatch({ effects: effects.setPlaying.of(playing) }),
    showPlaying: (part) => showPlaying(view, part),
  };
}
