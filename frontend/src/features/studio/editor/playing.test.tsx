import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { position, store } from "@/player/state";
import { aGeneration } from "@/test";
import type { GenerationFlow } from "../generation/useGenerationFlow";
import type { EditorHandle } from "./handle";
import { useMarks, type EditorController } from "./useEditor";

afterEach(() => act(() => player.close()));

const former = ["One lamp.", "Two ferries."];
const words = "One lamp. A new one. Two ferries.";
const chunk = (text: string, i: number) => ({ text, start: 2 * i, end: 2 * i + 2, take: 0, takes: 1 });
const made = aGeneration({ status: "generating", text: former.join(" "), chunks: former.map(chunk) });

test("while a changed text is heard as it is made, its passages are marked in the text", () => {
  const setPlaying = vi.fn<EditorHandle["setPlaying"]>();
  const view = { text: () => words, setChunkRanges: vi.fn(), setPending: vi.fn(), setPlaying };
  const editor = { handle: { current: view }, ready: 1 } as unknown as EditorController;
  const flow = { generation: made, running: true, isRevising: true, takeChunk: null } as unknown as GenerationFlow;
  renderHook(() => useMarks(editor, flow, former));
  const revised = ["One lamp.", "A new one."].map(chunk);
  act(() => store.set((s) => ({ ...s, generation: { ...made, chunks: [] }, revised })));
  act(() => position.set(2.5));
  expect(setPlaying).toHaveBeenLastCalledWith(expect.objectContaining({ from: 10, to: 20 }));
  act(() => position.set(9)); // not known yet
  expect(setPlaying).toHaveBeenLastCalledWith(-1);
});

test("the passages of a stopped generation that can be played have marks, and are highlighted while they play", () => {
  const [setPlaying, setChunkRanges, setPending] = [vi.fn(), vi.fn(), vi.fn()];
  const texts = ["One lamp.", "Two ferries.", "Three boats.", "Four."];
  const view = { text: () => texts.join(" "), setChunkRanges, setPending, setPlaying };
  const editor = { handle: { current: view }, ready: 1 } as unknown as EditorController;
  const partial = { chunks: 3, total: 4, seconds: 6, behind: 1 };
  const stopped = aGeneration({ status: "cancelled", text: texts.join(" "), chunks: [], audio_url: "", partial });
  const flow = { generation: stopped, running: false, takeChunk: null } as unknown as GenerationFlow;
  renderHook(() => useMarks(editor, flow, texts));
  expect(setChunkRanges).toHaveBeenLastCalledWith([
    expect.objectContaining({ chunk: 0, same: true }),
    expect.objectContaining({ chunk: 1, same: true }),
  ]);
  expect(setPending).toHaveBeenLastCalledWith(null);
  act(() => store.set((s) => ({ ...s, generation: { ...stopped, chunks: texts.slice(0, 2).map(chunk) } })));
  act(() => position.set(2.5));
  expect(setPlaying).toHaveBeenLastCalledWith(1);
});
