import { useEffect, useMemo, useRef, useState } from "react";
import { createStore, useStore } from "@/lib/store";
import { usePlayingChunk } from "@/player";
import type { PageHandle } from "./handle";
import type { Keeper } from "../drafts/draftStore";
import { locate } from "./locateChunks";
import type { Making } from "../generation/useGenerationFlow";

const pause = 500;
const countEvery = 150; // milliseconds: the number below the page need not follow each key

/** The page of the open draft: its handle, its length, and its text at the last pause. */
export function usePage(keeper: Keeper) {
  const { opened } = useStore(keeper.state);
  const handle = useRef<PageHandle | null>(null);
  const [length] = useState(() => createStore(0));
  const [ready, setReady] = useState(0);
  const [paused, setPaused] = useState("");
  const atFirst = useRef(opened);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const counting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [chunks, setChunks] = useState({ current: -1, changed: 0 });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(counting.current);
      keeper.detach();
    },
    [keeper],
  );
  useEffect(() => {
    const { text } = keeper.state.get().content;
    length.set(text.length);
    setPaused(text);
    setChunks({ current: -1, changed: 0 });
  }, [opened, keeper, length]);

  return {
    handle,
    length,
    ready,
    paused,
    chunks,
    onReady: (next: PageHandle) => {
      handle.current = next;
      keeper.attach({
        text: next.text,
        setText: (text) => {
          next.setText(text);
          setPaused(text);
          length.set(text.length);
        },
      });
      if (opened !== atFirst.current) next.focus(); // another draft was asked for: to write in it
      setReady((count) => count + 1);
    },
    onChange: () => {
      keeper.typed();
      counting.current ??= setTimeout(() => {
        counting.current = undefined;
        length.set(handle.current?.length() ?? 0);
      }, countEvery);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setPaused(handle.current?.text() ?? ""), pause);
    },
    onChunks: (next: { current: number; changed: number }) =>
      setChunks((before) => (before.current === next.current && before.changed === next.changed ? before : next)),
  };
}

export type PageState = ReturnType<typeof usePage>;

/**
 * Shows in the text what was made of it. While it is made for the first time, the chunks of the preview stand in:
 * the program tells its own when it is done.
 */
export function useMarks(page: PageState, making: Making, planned: readonly string[] | null): void {
  const { made, running, taking } = making;
  const isWhole = made !== undefined && made.chunks.length > 0;
  const key = isWhole ? `${made.id}:${made.chunks.length}` : running && planned ? `planned:${planned.length}` : "";
  const texts = useRef<readonly string[]>([]);
  texts.current = isWhole ? made.chunks.map((chunk) => chunk.text) : (planned ?? []);
  const { handle, ready } = page;
  useEffect(() => {
    const view = handle.current;
    view?.setPlaces(key === "" ? [] : locate(view.text(), texts.current));
  }, [key, ready, handle]);

  const done = made?.chunks_done ?? 0;
  const only = taking;
  const state = useMemo(
    () => (only !== null ? { from: 0, only } : running ? { from: done } : null),
    [only, running, done],
  );
  useEffect(() => handle.current?.setMaking(state), [state, ready, key, handle]);

  const playing = usePlayingChunk(made?.id);
  useEffect(() => handle.current?.setPlaying(playing), [playing, ready, handle]);
}
