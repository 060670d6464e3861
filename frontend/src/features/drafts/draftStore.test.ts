import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewDraft } from "@/api/drafts";
import { ApiError } from "@/api/errors";
import type { Draft } from "@/api/types";
import { aDraft } from "@/test";
import { difference, emptyText, parseText, textOf, withText } from "@/features/studio/drafts/textDocument";
import { createTextStore, lastDraft, unsaved } from "@/features/studio/drafts/textStore";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Sent = NewDraft & { id?: string; since?: string };
const changed = new ApiError(409, { code: "draft_changed", params: { name: "Other", updated_at: "9" } });

/** A server whose time advances with each change, and a window on it. */
function setUp({ fail = false, stored = [] as Draft[] } = {}) {
  const server = { fail, saved: [] as Sent[], drafts: new Map(stored.map((draft) => [draft.id, draft])), time: 10 };
  const write = async (id: string, { name, content }: Sent): Promise<Draft> => {
    const draft = aDraft({ id, name, content, updated_at: String((server.time += 1)) });
    server.drafts.set(id, draft);
    return draft;
  };
  const store = createTextStore({
    untitled: "Untitled",
    copyOf: (name) => `${name} (copy)`,
    api: {
      create: async (body) => {
        server.saved.push(body);
        if (server.fail) throw new Error("away");
        return write(`d${server.drafts.size + 1}`, body);
      },
      update: async (change) => {
        server.saved.push(change);
        if (server.fail) throw new Error("away");
        const now = server.drafts.get(change.id);
        if (!now) throw new ApiError(404, { code: "draft_not_found" });
        if (change.since && now.updated_at !== change.since) throw changed;
        return write(change.id, change);
      },
      read: async (id) => server.drafts.get(id) ?? Promise.reject(new ApiError(404, { code: "draft_not_found" })),
    },
  });
  let text = "";
  const show = (draft: Draft | null) => {
    store.open(draft, draft ? undefined : { ...emptyText });
    text = draft ? textOf(parseText(draft.content)) : "";
    store.attach({
      read: (document) => withText(document, text),
      show: (document) => {
        text = textOf(document);
      },
    });
  };
  show(stored[0] ?? null);
  /** Saves as another window would. */
  const elsewhere = (id: string, words: string) => write(id, { name: "Other", content: { text: words } });
  return {
    store,
    server,
    show,
    elsewhere,
    page: () => text,
    type: (next: string) => {
      text = next;
      store.markChanged();
    },
    pause: () => vi.advanceTimersByTimeAsync(800),
  };
}
const winter = () => aDraft({ id: "d1", name: "Winter", content: { text: "The lamp", named: true }, updated_at: "1" });
const textsOf = (drafts: Map<string, Draft>) => [...drafts.values()].map((draft) => [draft.name, draft.content.text]);

test("saves once after a pause, with the first words as the name", async () => {
  const { server, type, pause, store } = setUp();
  type("The");
  await vi.advanceTimersByTimeAsync(500);
  type("The lamp");
  await vi.advanceTimersByTimeAsync(500);
  expect(server.saved).toHaveLength(0);
  await pause();
  expect(server.saved).toMatchObject([{ name: "The lamp", content: { text: "The lamp" } }]);
  expect(store.state.get()).toMatchObject({ id: "d1", saving: "clean" });
  expect(lastDraft()).toBe("d1");
  type("The lamp was");
  await pause();
  expect(server.saved[1]).toMatchObject({ id: "d1", name: "The lamp was", since: "11" });
});

test("keeps a name that a person gave", async () => {
  const { server, store, type, pause } = setUp();
  store.rename("Winter");
  type("Other words");
  await pause();
  expect(server.saved[0]).toMatchObject({ name: "Winter", content: { named: true } });
});

test("keeps unsaved text locally and retries", async () => {
  const { server, store, type, pause } = setUp({ fail: true });
  type("The lamp");
  await pause();
  expect(store.state.get().saving).toBe("failed");
  expect(unsaved.all()).toMatchObject([{ content: { text: "The lamp" } }]);
  server.fail = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(store.state.get().saving).toBe("clean");
  expect(unsaved.all()).toEqual([]);
});

test("opens another draft only after the text of the previous one is sent", async () => {
  const { server, store, type } = setUp();
  type("Not yet saved");
  store.open(aDraft({ id: "d2", content: { text: "Second" } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(server.saved).toMatchObject([{ content: { text: "Not yet saved" } }]);
  expect(store.state.get()).toMatchObject({
    id: "d2",
    saving: "clean",
    document: { turns: [{ text: "Second" }] },
  });
});

test("text typed while a new draft is being created goes into that draft, not into a second one", async () => {
  const { server, store, type, pause } = setUp();
  type("One");
  void store.save();
  type("One two");
  store.open(aDraft({ id: "d2", content: { text: "Second" } }));
  await pause();
  expect(server.saved.map((s) => [s.id, s.content.text])).toEqual([
    [undefined, "One"],
    ["d1", "One two"],
  ]);
});

test("a closing window keeps its text", () => {
  const { store, type } = setUp({ fail: true });
  type("Last words");
  store.leave();
  expect(unsaved.all()).toMatchObject([{ content: { text: "Last words" } }]);
});

test("two windows that edit one draft keep both texts, and this one continues with its copy", async () => {
  const { server, store, elsewhere, type, pause } = setUp({ stored: [winter()] });
  await elsewhere("d1", "The ferry");
  type("The lamp was lit");
  await pause();
  expect(textsOf(server.drafts)).toEqual([
    ["Other", "The ferry"],
    ["Winter (copy)", "The lamp was lit"],
  ]);
  expect(store.state.get()).toMatchObject({
    id: "d2",
    name: "Winter (copy)",
    saving: "clean",
    conflict: { id: "d1", name: "Other", copyId: "d2", copyName: "Winter (copy)" },
  });
  type("The lamp was lit again");
  await pause();
  expect(textsOf(server.drafts)[1]).toEqual(["Winter (copy)", "The lamp was lit again"]);
});

test("a save whose response was lost creates no copy", async () => {
  const { server, store, elsewhere, type, pause } = setUp({ stored: [winter()] });
  type("The lamp was");
  server.fail = true;
  await pause();
  await elsewhere("d1", "The lamp was"); // the save had arrived
  server.fail = false;
  type("The lamp was lit");
  await pause();
  expect(textsOf(server.drafts)).toEqual([["Winter", "The lamp was lit"]]);
  expect(store.state.get().conflict).toBeNull();
});

test("a draft that was deleted elsewhere is created again from the text on the page", async () => {
  const { server, store, type, pause } = setUp({ stored: [winter()] });
  server.drafts.clear();
  type("The lamp was lit");
  await pause();
  expect(textsOf(server.drafts)).toEqual([["Winter", "The lamp was lit"]]);
  expect(store.state.get().saving).toBe("clean");
});

test("a window that is shown again reads what another one saved, unless it has unsaved text", async () => {
  const { store, elsewhere, page, type } = setUp({ stored: [winter()] });
  await elsewhere("d1", "The ferry");
  await store.refresh();
  expect(page()).toBe("The ferry");
  expect(store.state.get()).toMatchObject({ opened: 1, saving: "clean", savedAt: "11" });
  type("Mine");
  await elsewhere("d1", "Theirs");
  await store.refresh();
  expect(page()).toBe("Mine");
});

test("unsaved text of a closed window does not replace what another one saved after it", async () => {
  const { server, store, elsewhere, show } = setUp({ stored: [winter()] });
  show(await elsewhere("d1", "The ferry"));
  await store.saveLost({ id: "d1", slot: "", since: "1", name: "Winter", content: { text: "The lamp was lit" } });
  expect(textsOf(server.drafts)).toEqual([
    ["Other", "The ferry"],
    ["Winter (copy)", "The lamp was lit"],
  ]);
  expect(store.state.get()).toMatchObject({ id: "d1", conflict: { copyId: "d2" } });
});

test("a draft of another program is read as far as it is valid", () => {
  expect(parseText({ text: 5, speed: "fast", format: "exe", normalize: false, seed: 7 })).toEqual({
    ...emptyText,
    normalize: false,
    seed: 7,
  });
});

test.each([
  ["one two", "one new two"],
  ["aaa", "aa"],
  ["", "x"],
  ["x", ""],
  ["same", "same"],
  ["abcabc", "abc"],
])("changes %j to %j where they differ", (before, after) => {
  const { from, to, insert } = difference(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
});

test("saves the text of a page when the screen closes", async () => {
  const { server, type, store } = setUp({ stored: [winter()] });
  type("The lamp was typed a moment ago");
  store.detach();
  type("nothing reads this page any more");
  expect(textOf(store.state.get().document)).toBe("The lamp was typed a moment ago");
  await vi.advanceTimersByTimeAsync(0);
  expect(textsOf(server.drafts)).toEqual([["Winter", "The lamp was typed a moment ago"]]);
});

test("two new texts that could not be saved do not replace each other", async () => {
  const { server, show, type, pause } = setUp({ fail: true });
  type("The first");
  await pause();
  show(null);
  type("The second");
  await pause();
  expect(
    unsaved
      .all()
      .map(({ content }) => content.text)
      .sort(),
  ).toEqual(["The first", "The second"]);
  server.fail = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(
    textsOf(server.drafts)
      .map(([, text]) => text)
      .sort(),
  ).toEqual(["The first", "The second"]);
  expect(unsaved.all()).toEqual([]);
});

test("a reopened draft shows the text that could not be saved", async () => {
  const { server, show, type, pause, store } = setUp({ stored: [winter()] });
  server.fail = true;
  type("The lamp burned");
  await pause();
  show(null);
  await vi.advanceTimersByTimeAsync(0);
  server.fail = false;
  store.open(winter());
  expect(store.state.get()).toMatchObject({
    id: "d1",
    name: "Winter",
    document: { turns: [{ text: "The lamp burned" }] },
  });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(textsOf(server.drafts)).toEqual([["Winter", "The lamp burned"]]);
  expect(unsaved.all()).toEqual([]);
});

test("a text that was kept locally with its name is saved with it", async () => {
  const { server, store } = setUp();
  store.restore(
    { id: undefined, slot: "s", since: undefined, name: "Chapter 1", content: { text: "It was", named: true } },
    null,
  );
  await vi.advanceTimersByTimeAsync(800);
  expect(textsOf(server.drafts)).toEqual([["Chapter 1", "It was"]]);
});

test("a response that is older than the last save changes nothing on the page", async () => {
  const { store, type, pause, page } = setUp({ stored: [winter()] });
  const asked = store.refresh();
  type("Newer words");
  await pause();
  await asked;
  expect(page()).toBe("Newer words");
  expect(store.state.get()).toMatchObject({ saving: "clean", savedAt: "11" });
});

test("a draft shown in another view stays as it is stored until something is changed", async () => {
  const script = aDraft({ id: "d1", name: "Winter", content: { kind: "script", turns: [] }, updated_at: "1" });
  const { store, server } = setUp({ stored: [script] });
  store.view(script, withText(emptyText, "Anna: One."));
  await store.save();
  store.leave();
  await store.release(() => undefined);
  expect(server.saved).toEqual([]);

  store.view(script, withText(emptyText, "Anna: One."));
  store.change((document) => withText(document, "Anna: Two."));
  await store.release(() => undefined);
  expect(server.drafts.get("d1")?.content).toMatchObject({ text: "Anna: Two." });
  expect(server.drafts.size).toBe(1);
});
