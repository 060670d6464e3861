import { expect, test } from "vitest";
import { createScriptStore, parseScript } from "@/features/script/scriptStore";
import { emptyScript } from "@/features/script/model";
import { parseText, serializeText, textOf } from "@/features/studio/drafts/textDocument";
import { unsavedDrafts } from "./unsaved";

const text = {
  text: "The lamp was lit.\nIt burned.",
  profile_id: "p1",
  speed: 1.2,
  seed: 7,
  format: "mp3",
  normalize: true,
  limit: false,
  max_chunk_chars: 300,
  crossfade_ms: null,
  steps: null,
  hosted: { stability: 0, language_override: true },
  named: true,
  generation_id: "g1",
};
const script = {
  kind: "script",
  title: "Radio",
  gapMs: 500,
  speakers: [{ id: "a", name: "Ida", profileId: "p1", hue: 3 }],
  turns: [{ id: "t", speakerId: "a", text: "Hello.", spoken: { generationId: "g", text: "Hello.", profileId: "p1" } }],
  scriptId: "s1",
  joined: { takes: "g:0", at: "2" },
};

test("a stored text is one turn, and is stored again unchanged", () => {
  const document = parseText(text);
  expect(document.turns).toHaveLength(1);
  expect(textOf(document)).toBe(text.text);
  expect(serializeText(document)).toEqual(text);
});

test("a text of an older version, or with wrong options, has no options of a hosted voice", () => {
  const older = Object.fromEntries(Object.entries(text).filter(([name]) => name !== "hosted"));
  expect(parseText(older)).toEqual({ ...parseText(text), hosted: null });
  expect(parseText({ ...text, hosted: { stability: 7 } }).hosted).toBeNull();
});

test("a stored script is read unchanged", () => {
  expect(parseScript(script)).toEqual(script);
});

test("invalid fields that another program wrote into a script count as absent", () => {
  const broken = {
    ...script,
    title: 5,
    gapMs: "long",
    joined: "yes",
    turns: [{ id: "t", speakerId: "unknown", text: "Hello.", spoken: {} }],
    more: true,
  };
  expect(parseScript(broken)).toEqual({
    ...script,
    title: "",
    gapMs: 300,
    joined: undefined,
    turns: [{ id: "t", speakerId: "a", text: "Hello.", spoken: undefined }],
  });
  expect(parseScript({ ...script, speakers: "nobody" })).toBeNull();
  expect(parseScript({ ...script, turns: [] })).toBeNull();
});

test("an unsaved draft of an earlier version is found, and invalid entries are skipped", () => {
  const unsaved = unsavedDrafts("voicewright.test.unsaved");
  localStorage.setItem(
    "voicewright.test.unsaved.d1",
    JSON.stringify({ id: "d1", name: "One", content: { text: "x" } }),
  );
  localStorage.setItem("voicewright.test.unsaved.d2", "{");
  localStorage.setItem("voicewright.test.unsaved.d3", JSON.stringify({ id: 3, content: null }));
  expect(unsaved.all()).toEqual([{ id: "d1", since: undefined, slot: "", name: "One", content: { text: "x" } }]);
});

test("a script whose fields the server returns in another order is no conflict", async () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, part]) => [name, reversed(part)]),
    );
  };
  const { ApiError } = await import("@/api/errors");
  const draft = { id: "d1", name: "Radio", created_at: "1", updated_at: "1", content: script };
  const stored = { ...draft, updated_at: "2", content: reversed(script) as typeof script };
  const created: string[] = [];
  const store = createScriptStore(
    {
      create: ({ name }) => {
        created.push(name);
        return Promise.resolve({ ...draft, id: "d2", name });
      },
      update: ({ since }) =>
        since === "2"
          ? Promise.resolve({ ...stored, updated_at: "3" })
          : Promise.reject(new ApiError(409, { code: "draft_changed" })),
      read: () => Promise.resolve(stored),
    },
    emptyScript(["Host", "Guest"]),
    { untitled: () => "Untitled", copyOf: (name) => `${name} (copy)` },
  );
  store.open(draft);
  store.change((now) => ({ ...now, title: "Radio play" }));
  await store.save();
  expect(store.state.get()).toMatchObject({ id: "d1", saving: "clean", savedAt: "3", conflict: null });
  expect(created).toEqual([]);
});
