import type { EditorState } from "@codemirror/state";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { createStore, useStore } from "@/lib/store";
import { player, usePlayingChunk, usePlayingRevised } from "@/player";
import type { EditorHandle } from "./handle";
import type { TextStore } from "../drafts/textStore";
import { difference, textOf, withText } from "../drafts/textDocument";
import { locate } from "./locateChunks";
import { heardOf, heardWhileMade } from "../generation/heard";
import type { GenerationFlow } from "../generation/useGenerationFlow";

const previewDelay = 500;
const countDelay = 150; // milliseconds: the number below the page need not update with each key press

/** The state of the editor that was closed last, so that undo goes on when its draft is shown again. */
const lastLeft = new WeakMap<TextStore, { id: string; state: EditorState }>();

/** The page of the open draft: its handle, its length, and its text at the last pause. */
export function useEditor(draftStore: TextStore) {
  const { opened, document, id } = useStore(draftStore.state);
  const handle = useRef<EditorHandle | null>(null);
  const [length] = useState(() => createStore(0));
  const [cursor] = useState(() => createStore(0));
  const [ready, setReady] = useState(0);
  const [paused, setPaused] = useState(() => textOf(document));
  const firstOpened = useRef(opened);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const countTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [chunk, setChunk] = useState(-1);
  const [shown, setShown] = useState(opened);
  if (shown !== opened) {
    setShown(opened);
    setPaused(textOf(document));
    setChunk(-1);
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(countTimer.current);
      draftStore.detach();
    },
    [draftStore],
  );
  useEffect(() => {
    length.set(textOf(draftStore.state.get().document).length);
  }, [opened, draftStore, length]);

  return {
    handle,
    length,
    cursor,
    ready,
    paused,
    /** The one at the cursor. */
    chunk,
    onReady: (next: EditorHandle) => {
      handle.current = next;
      draftStore.attach({
        read: (document) => withText(document, next.text()),
        show: (document) => {
          const text = textOf(document);
          if (text === next.text()) return;
          next.setText(text);
          setPaused(text);
          length.set(text.length);
        },
      });
      if (opened !== firstOpened.current) next.focus(); // another draft was opened to write in
      setReady((count) => count + 1);
    },
    /** What the editor of this draft was left with, if it was the last one. */
    left: (): EditorState | undefined => {
      const last = lastLeft.get(draftStore);
      return last && last.id === id ? last.state : undefined;
    },
    onLeave: (state: EditorState) => {
      if (id !== undefined) lastLeft.set(draftStore, { id, state });
    },
    onChange: () => {
      draftStore.markChanged();
      countTimer.current ??= setTimeout(() => {
        countTimer.current = undefined;
        length.set(handle.current?.length() ?? 0);
      }, countDelay);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setPaused(handle.current?.text() ?? ""), previewDelay);
    },
    /** Replaces the text in one step, which the editor can undo. */
    replaceText: (text: string) => {
      const view = handle.current;
      if (!view) return;
      view.change([difference(view.text(), text)]);
      view.focus();
      setPaused(text);
    },
    onCursor: cursor.set,
    onChunk: setChunk,
  };
}

export type EditorController = ReturnType<typeof useEditor>;

/** Shows buttons on audio tags that remove them, while the voice has such tags. */
export function useTagButtons({ handle, ready }: EditorController, isOn: boolean): void {
  useEffect(() => handle.current?.setTagButtons(isOn), [isOn, ready, handle]);
}

/** The chunk that is heard, -1 for none; of the changed text, or of the generation. */
export interface Heard {
  chunk: number;
  isRevised: boolean;
}

/** Marks the text with the chunks of its generation, and returns which of them is heard. */
export function useMarks(editor: EditorController, flow: GenerationFlow, chunkTexts: readonly string[] | null): Heard {
  const { generation, running, isRevising, takeChunk: taking } = flow;
  /** How many have marks: of a stopped generation those that can be played. */
  const marked = !running && generation?.partial ? heardOf(generation.partial) : (chunkTexts?.length ?? 0);
  const key =
    generation && chunkTexts ? `${generation.id}:${generation.chunks.length}:${chunkTexts.length}:${marked}` : "";
  const spoken = generation?.text; // a changed one has other chunks
  const { handle, ready } = editor;
  const locateIn = useEffectEvent((text: string) =>
    locate(text, chunkTexts ?? []).filter(({ chunk }) => chunk < marked),
  );
  useEffect(() => {
    const view = handle.current;
    view?.setChunkRanges(key === "" ? [] : locateIn(view.text()));
  }, [key, spoken, ready, handle]);

  const chunksDone = generation ? heardWhileMade(generation) : 0;
  const takeChunk = taking;
  const state = useMemo(
    () =>
      takeChunk !== null
        ? { from: 0, only: takeChunk }
        : isRevising
          ? { from: 0, changed: true }
          : running
            ? { from: chunksDone }
            : null,
    [takeChunk, isRevising, running, chunksDone],
  );
  useEffect(() => handle.current?.setPending(state), [state, ready, key, handle]);

  const playing = usePlayingChunk(generation?.id);
  const revised = usePlayingRevised(generation?.id);
  /** The chunks of a changed text have other numbers than the marks, which are of the version before. */
  const findRevised = useEffectEvent((text: string) => {
    const texts = player.get().revised.slice(0, revised + 1);
    const ranges = locate(
      text,
      texts.map((chunk) => chunk.text),
    );
    return ranges.find(({ chunk, same }) => same && chunk === revised) ?? -1;
  });
  useEffect(() => {
    const view = handle.current;
    view?.setPlaying(revised < 0 ? playing : findRevised(view.text()));
  }, [playing, revised, ready, handle]);
  return { chunk: revised < 0 ? playing : revised, isRevised: revised >= 0 };
}
