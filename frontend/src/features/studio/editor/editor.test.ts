import { history, undo } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, test, vi } from "vitest";
import { locate } from "./locateChunks";
import { chunkAtPosition, effects, marks, marksField, stateOf, type Pending } from "./marks";
import { asWritten, markupPattern, readMarkup, respellMarkup } from "@/lib/markup";
import { markPress } from "./markPress";

const text = "The lamp was lit. She climbed the stairs. The ferry passed.";
const chunks = ["The lamp was lit.", "She climbed the stairs.", "The ferry passed."];

function open() {
  const state = EditorState.create({ doc: text, extensions: [marksField, history()] });
  return state.update({ effects: effects.setChunkRanges.of(locate(text, chunks)) }).state;
}
const shown = (state: EditorState, pending: Pending | null = null) =>
  state
    .field(marksField)
    .ranges.filter((p) => p.to > p.from)
    .map((p) => stateOf(p, pending));
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

test("typing at the last word changes a passage, a new sentence does not", () => {
  expect(shown(edit(open(), "lit.", "lit. Then"))[0]).toBe("sound");
  expect(shown(edit(open(), "stairs.", "stairs.x"))).toEqual(["sound", "sound", "sound"]);
  expect(shown(edit(open(), "stairs.", "stairsx."))).toEqual(["sound", "changed", "sound"]);
});

test("the passage of a new version that is heard is marked, and moves with the text", () => {
  const view = new EditorView({ doc: text, extensions: marks({ name: (state) => state }) });
  const from = text.indexOf("She");
  const heard = () => [...view.contentDOM.querySelectorAll(".st-now")].map((part) => part.textContent);
  view.dispatch({ effects: effects.setPlaying.of({ from, to: from + 23 }) });
  expect(heard()).toEqual(["She climbed the stairs."]);
  view.dispatch({ changes: { from: 0, insert: "Once. " } });
  expect(heard()).toEqual(["She climbed the stairs."]);
  view.dispatch({ effects: effects.setPlaying.of(-1) });
  expect(heard()).toEqual([]);
});

test("undo restores a deleted passage", () => {
  let state = edit(open(), "She climbed the stairs.", "");
  expect(shown(state)).toEqual(["sound", "sound"]);
  undo({
    state,
    dispatch: (tr) => {
      state = tr.state;
    },
  });
  expect(shown(state)).toEqual(["sound", "sound", "sound"]);
});

test("repeated text keeps its positions when all is deleted and restored", () => {
  const [words, parts] = ["Yes. No way. Yes.", ["Yes.", "No way.", "Yes."]];
  let state = EditorState.create({ doc: words, extensions: [marksField, history()] });
  state = state.update({ effects: effects.setChunkRanges.of(locate(words, parts)) }).state;
  state = edit(state, words, "");
  undo({
    state,
    dispatch: (tr) => {
      state = tr.state;
    },
  });
  expect(state.field(marksField).ranges.map(({ from, same }) => [from, same])).toEqual([
    [0, true],
    [5, true],
    [13, true],
  ]);
});

test("in a long text an edit compares only the passages nearby, and shifts all others", () => {
  const sentences = Array.from({ length: 400 }, (_, i) => `Sentence number ${i} of a long text.`);
  const whole = sentences.join(" ");
  let state = EditorState.create({ doc: whole, extensions: [marksField, history()] });
  state = state.update({ effects: effects.setChunkRanges.of(locate(whole, sentences)) }).state;
  const untouched = state.field(marksField).ranges[10];
  state = edit(state, "number 200 of", "number two hundred of");
  state = state.update({
    changes: [
      { from: 0, insert: "So. " },
      { from: state.doc.length, insert: " End." },
    ],
  }).state;
  const { ranges: places } = state.field(marksField);
  expect(places.filter(({ same }) => !same)).toHaveLength(1);
  expect(
    places.every((place) => place.chunk === 200 || state.doc.sliceString(place.from, place.to) === place.text),
  ).toBe(true);
  expect(places[10]).toMatchObject({ from: (untouched?.from ?? 0) + 4, same: true });
  expect(chunkAtPosition(state, places[300]?.from ?? 0)).toBe(300);
  expect(chunkAtPosition(state, 2)).toBe(-1);
});

/** A page with marks; jsdom has no layout, so events are sent to the marks themselves. */
function withMarks() {
  const actions = {
    play: vi.fn<(chunk: number) => void>(),
    open: vi.fn<(chunk: number, mark: () => DOMRect) => void>(),
  };
  const view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc: text, extensions: [marks({ name: (state) => state }), markPress(actions)] }),
  });
  view.dispatch({ effects: effects.setChunkRanges.of(locate(text, chunks)) });
  const mark = (chunk: number) => view.dom.querySelector(`.st-mark[data-chunk="${chunk}"]`) as HTMLElement;
  const send = (chunk: number, name: string, at = 0) =>
    mark(chunk).dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true, clientX: at }));
  return { actions, view, mark, send };
}

test("a click on a mark plays it, a long press opens its takes, and a drag does neither", () => {
  vi.useFakeTimers();
  const { actions, view, send } = withMarks();
  send(1, "pointerdown");
  send(1, "pointerup");
  expect(actions.play).toHaveBeenCalledExactlyOnceWith(1);
  send(2, "pointerdown");
  vi.advanceTimersByTime(400);
  expect(actions.open).toHaveBeenCalledExactlyOnceWith(2, expect.any(Function));
  send(2, "pointerup");
  send(0, "pointerdown");
  send(0, "pointermove", 40);
  vi.advanceTimersByTime(400);
  send(0, "pointerup");
  expect(send(0, "contextmenu")).toBe(false); // suppresses the browser's menu
  expect(actions.open).toHaveBeenLastCalledWith(0, expect.any(Function));
  expect([actions.play.mock.calls.length, actions.open.mock.calls.length]).toEqual([1, 2]);
  view.destroy();
  vi.useRealTimers();
});

test("running chunks pulse: all from one chunk on, one, or those that were edited", () => {
  expect(shown(open(), { from: 1 })).toEqual(["sound", "generating", "generating"]);
  expect(shown(open(), { from: 0, only: 1 })).toEqual(["sound", "generating", "sound"]);
  const changed = edit(open(), "climbed", "ran up");
  expect(shown(changed, { from: 0, changed: true })).toEqual(["sound", "generating", "sound"]);
});

const read = (line: string) => [...line.matchAll(markupPattern())].map((match) => readMarkup(match as RegExpExecArray));

test("recognises pauses, respellings and expression tags, and ignores other brackets", () => {
  expect(read("[pause 0.5s] [Pause 800 ms] [pause 2]")).toEqual([
    { kind: "pause", seconds: 0.5 },
    { kind: "pause", seconds: 0.8 },
    { kind: "pause", seconds: 2 },
  ]);
  expect(read("[[Caoimhe|KEE-va]] [[x|/ˈkiːvə/]]")).toEqual([
    { kind: "respell", word: "Caoimhe", respelling: "KEE-va" },
    { kind: "respell", word: "x", respelling: "/ˈkiːvə/" },
  ]);
  expect(read("[sighs] [deep_breath]")).toEqual([
    { kind: "tag", name: "sighs" },
    { kind: "tag", name: "deep_breath" },
  ]);
  expect(
    read("[pause] [pause 1,5s] [pause 90s] [pause 1 min]").map((mark) => mark?.kind === "pause" && mark.seconds),
  ).toEqual([0.5, 1.5, 60, 60]);
  expect(read("[1] [note] [[raw]] [pauses 1] [pause for effect] <b>").filter(Boolean)).toEqual([]);
});

test("a respelling cannot break out of its brackets", () => {
  expect(respellMarkup("a]b", "c|d]]")).toBe("[[a b|c d]]");
});

test("a read-only text shows its words as written", () => {
  expect(asWritten("Her name was [[Caoimhe|KEE-va]], [[nginx|/ˈɛndʒɪn/]] [laughs]")).toBe(
    "Her name was Caoimhe, nginx [laughs]",
  );
});
