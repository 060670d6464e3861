import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Draft } from "@/api/types";
import { aDraft } from "@/test";
import { emptyContent, readContent, type Content } from "./content";
import { createKeeper, lastDraft, readRescue } from "./keeper";

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

function setUp(fail = false) {
  const state = { fail, saved: [] as { id?: string; name: string; content: Content }[] };
  const answer = async (body: { id?: string; name: string; content: Content }): Promise<Draft> => {
    state.saved.push(body);
    if (state.fail) throw new Error("away");
    return aDraft({ id: body.id ?? "d1", name: body.name, content: { ...body.content } });
  };
  const keeper = createKeeper({ create: answer, update: answer, untitled: "Untitled" });
  let text = "";
  keeper.open(null, { ...emptyContent });
  keeper.readFrom(() => text);
  return { keeper, state, type: (next: string) => { text = next; keeper.typed(); }, pause: () => vi.advanceTimersByTimeAsync(800) };
}

test("saves at a pause, once, with the first words as its name", async () => {
  const { state, type, pause, keeper } = setUp();
  type("The");
  await vi.advanceTimersByTimeAsync(500);
  type("The lamp");
  await vi.advanceTimersByTimeAsync(500);
  expect(state.saved).toHaveLength(0);
  await pause();
  expect(state.saved).toMatchObject([{ name: "The lamp", content: { text: "The lamp" } }]);
  expect(keeper.state.get()).toMatchObject({ id: "d1", saving: "clean" });
  expect(lastDraft()).toBe("d1");
  type("The lamp was");
  await pause();
  expect(state.saved[1]).toMatchObject({ id: "d1", name: "The lamp was" });
});

test("a name that a person gave stays", async () => {
  const { state, keeper, type, pause } = setUp();
  keeper.rename("Winter");
  type("Other words");
  await pause();
  expect(state.saved[0]).toMatchObject({ name: "Winter", content: { named: true } });
});

test("what could not be saved is kept here and tried again", async () => {
  const { state, keeper, type, pause } = setUp(true);
  type("The lamp");
  await pause();
  expect(keeper.state.get().saving).toBe("failed");
  expect(readRescue()).toMatchObject({ content: { text: "The lamp" } });
  state.fail = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(keeper.state.get().saving).toBe("clean");
  expect(readRescue()).toBeNull();
});

test("another draft opens only after the words of the one before are sent", async () => {
  const { state, keeper, type } = setUp();
  type("Not yet saved");
  keeper.open(aDraft({ id: "d2", content: { text: "Second" } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(state.saved).toMatchObject([{ content: { text: "Not yet saved" } }]);
  expect(keeper.state.get()).toMatchObject({ id: "d2", saving: "clean", content: { text: "Second" } });
});

test("words typed while a new draft is being created go into that draft, not into a second one", async () => {
  const { state, keeper, type, pause } = setUp();
  type("One");
  void keeper.save();
  type("One two");
  keeper.open(aDraft({ id: "d2", content: { text: "Second" } }));
  await pause();
  expect(state.saved.map((s) => [s.id, s.content.text])).toEqual([[undefined, "One"], ["d1", "One two"]]);
});

test("a window that goes keeps its words", () => {
  const { keeper, type } = setUp(true);
  type("Last words");
  keeper.leave();
  expect(readRescue()).toMatchObject({ content: { text: "Last words" } });
});

test("a draft of another program is read as far as it fits", () => {
  expect(readContent({ text: 5, speed: "fast", format: "exe", normalize: false, seed: 7 })).toEqual({ ...emptyContent, normalize: false, seed: 7 });
});
