import { history, undo } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { fit, maxCharacters } from "../content";
import { locate } from "../locate";
import { effects, marksField, stateOf, type Making } from "./marks";
import { markupPattern, readMarkup, respellMarkup } from "./markup";

const text = "The lamp was lit. She climbed the stairs. The ferry passed.";
const chunks = ["The lamp was lit.", "She climbed the stairs.", "The ferry passed."];

function open() {
  const state = EditorState.create({ doc: text, extensions: [marksField, history()] });
  return state.update({ effects: effects.setPlaces.of(locate(text, chunks)) }).state;
}
const shown = (state: EditorState, making: Making | null = null) => state.field(marksField).places.filter((p) => p.to > p.from).map((p) => stateOf(p, making));
const edit = (state: EditorState, find: string, insert: string) => {
  const from = state.doc.toString().indexOf(find);
  return state.update({ changes: { from, to: from + find.length, insert }, userEvent: "input" }).state;
};

test("an edit makes only its own passage hollow, and undoing it fills it again", () => {
  const changed = edit(open(), "climbed", "ran up");
  expect(shown(changed)).toEqual(["sound", "changed", "sound"]);
  expect(shown(edit(changed, "ran up", "climbed"))).toEqual(["sound", "sound", "sound"]);
});

test("text before a passage moves it and changes nothing", () => {
  expect(shown(edit(open(), "The lamp", "New words. The lamp"))).toEqual(["sound", "sound", "sound"]);
});

test("typing on at the last word changes a passage, a new sentence does not", () => {
  expect(shown(edit(open(), "lit.", "lit. Then"))[0]).toBe("sound");
  expect(shown(edit(open(), "stairs.", "stairs.x"))).toEqual(["sound", "sound", "sound"]);
  expect(shown(edit(open(), "stairs.", "stairsx."))).toEqual(["sound", "changed", "sound"]);
});

test("a deleted passage comes back with undo", () => {
  let state = edit(open(), "She climbed the stairs.", "");
  expect(shown(state)).toEqual(["sound", "sound"]);
  undo({ state, dispatch: (tr) => { state = tr.state; } });
  expect(shown(state)).toEqual(["sound", "sound", "sound"]);
});

test("what is being made pulses: all from one chunk on, or one", () => {
  expect(shown(open(), { from: 1 })).toEqual(["sound", "making", "making"]);
  expect(shown(open(), { from: 0, only: 1 })).toEqual(["sound", "making", "sound"]);
});

const read = (line: string) => [...line.matchAll(markupPattern())].map((match) => readMarkup(match as RegExpExecArray));

test("knows pauses, respellings and marks of expression, and leaves other brackets alone", () => {
  expect(read("[pause 0.5s] [Pause 800 ms] [pause 2]")).toEqual([{ kind: "pause", seconds: 0.5 }, { kind: "pause", seconds: 0.8 }, { kind: "pause", seconds: 2 }]);
  expect(read("[[Caoimhe|KEE-va]] [[x|/ˈkiːvə/]]")).toEqual([{ kind: "respell", word: "Caoimhe", reading: "KEE-va" }, { kind: "respell", word: "x", reading: "/ˈkiːvə/" }]);
  expect(read("[sighs] [deep_breath]")).toEqual([{ kind: "tag", name: "sighs" }, { kind: "tag", name: "deep_breath" }]);
  expect(read("[1] [note] [[raw]] [pause] [pause 90s] <b>").filter(Boolean)).toEqual([]);
});

test("a respelling cannot break out of its brackets", () => {
  expect(respellMarkup("a]b", "c|d]]")).toBe("[[a b|c d]]");
});

test("five million characters are cut to what fits", () => {
  const { text: part, cut } = fit("x".repeat(5_000_000), 1000);
  expect(part).toHaveLength(maxCharacters - 1000);
  expect(cut).toBe(5_000_000 - maxCharacters + 1000);
});
