import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { Transcript, TranscriptChanges } from "@/api/types";
import { aTranscript } from "@/test";
import { createEditor } from "./editor";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An editor of a transcript on a server that answers when it is told to. */
function open() {
  let stored = aTranscript();
  const answers: ((answer: "saved" | number) => Promise<unknown>)[] = [];
  const sent: TranscriptChanges[] = [];
  const patch = (changes: TranscriptChanges) => {
    sent.push(changes);
    return new Promise<Transcript>((resolve, reject) =>
      answers.push((answer) => {
        if (answer !== "saved") reject(new ApiError(answer, { code: "internal", detail: "no" }));
        const texts = new Map(changes.segments?.map(({ id, text }) => [id, text]));
        const segments = stored.segments.map((one) => ({ ...one, text: texts.get(one.id) ?? one.text }));
        if (answer === "saved") stored = { ...stored, can_undo: true, segments };
        resolve(stored);
        return vi.advanceTimersByTimeAsync(0);
      }),
    );
  };
  const undo = vi.fn(() => Promise.reject(new ApiError(0, { code: "unreachable" })));
  /** Another window deletes a segment. */
  const remove = (id: number) => {
    stored = { ...stored, segments: stored.segments.filter((one) => one.id !== id) };
  };
  return { editor: createEditor({ stored: () => stored, patch, undo }), answers, sent, undo, remove };
}
const aMinute = () => vi.advanceTimersByTimeAsync(60_000);

describe("the editor of a transcript", () => {
  it("takes what was typed during a save for no change of another window", async () => {
    const { editor, answers, sent } = open();
    editor.change([{ id: 0, text: "The lan" }]);
    await vi.advanceTimersByTimeAsync(1_000);
    editor.change([{ id: 0, text: "The lantern." }]);
    await answers[0]?.("saved");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(editor.state.get().conflict).toBeNull();
    expect(sent[1]).toEqual({ segments: [{ id: 0, text: "The lantern." }] });
    await answers[1]?.("saved");
    expect(editor.state.get()).toMatchObject({ saving: "clean", pending: [] });
  });

  it("saves again after a failure that may pass, also when its page was left", async () => {
    const { editor, answers, sent } = open();
    editor.change([{ id: 0, text: "The lantern." }]);
    const closed = editor.close();
    await vi.advanceTimersByTimeAsync(0);
    await answers[0]?.(507);
    expect(await closed).toBe(false);
    await aMinute();
    expect(sent).toHaveLength(2);
    await answers[1]?.("saved");
    await aMinute();
    expect(sent).toHaveLength(2);
    expect(editor.state.get().pending).toEqual([]);
  });

  it("saves the other changes when another window has deleted a segment", async () => {
    const { editor, answers, sent, remove } = open();
    editor.change([{ id: 0, text: "The lantern." }]);
    editor.change([{ id: 1, text: "The boat." }]);
    remove(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([{ segments: [{ id: 1, text: "The boat." }] }]);
    await answers[0]?.("saved");
    await vi.advanceTimersByTimeAsync(1_000);
    await answers[1]?.(422);
    expect(editor.state.get()).toMatchObject({ saving: "refused", pending: [{ id: 0, text: "The lantern." }] });
  });

  it("does not try again what the server will always refuse", async () => {
    const { editor, answers, sent } = open();
    editor.change([{ id: 0, text: "The lantern." }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await answers[0]?.(404);
    await aMinute();
    expect(sent).toHaveLength(1);
    expect(editor.state.get()).toMatchObject({ saving: "refused", error: { status: 404 } });
    editor.discard();
    expect(editor.state.get()).toMatchObject({ saving: "clean", error: null, pending: [] });
  });

  it("repeats the undo that failed, not a save", async () => {
    const { editor, answers, sent, undo } = open();
    editor.change([{ id: 0, text: "The lantern." }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await answers[0]?.("saved");
    await editor.undo();
    expect(editor.state.get().error).toMatchObject({ code: "unreachable" });
    await editor.retry();
    expect(undo).toHaveBeenCalledTimes(2);
    expect(sent).toHaveLength(1);
  });
});
