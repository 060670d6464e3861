import { history, redo, undo, deleteCharBackward, deleteCharForward } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { chips, setTagButtons } from "./chips";
import { tagChanges } from "./insertions";

const changed = (before: string, after: string) => {
  const changes = tagChanges(before, after);
  const state = EditorState.create({ doc: before });
  return [state.update({ changes }).state.doc.toString(), changes.map(({ insert }) => insert)];
};

test.each([
  ["Hello, world.", "[laughs] Hello, [sighs] world.", ["[laughs] ", "[sighs] "]],
  ["He said. No.", "He said. No. [laughs]", [" [laughs]"]],
  ["One.\n\nTwo.", "One. [sighs]\n\nTwo.", [" [sighs]"]],
  ["One.\n\nTwo.", "One.\n\n[sad] Two.", ["[sad] "]],
  ["Hi [laughs] you", "[excited] Hi [laughs] you", ["[excited] "]],
  ["[a] x [pause 1s] y", "[b] [a] x [pause 1s] [c] y", ["[b] ", "[c] "]],
  ["[[Caoimhe|KEE-va]] 😀 [1]", "[[Caoimhe|KEE-va]] [happy] 😀 [1]", ["[happy] "]],
])("inserts only the tags: %j", (before, after, inserted) => {
  expect(changed(before, after)).toEqual([after, inserted]);
});

test("keeps the white space of the text, and no change is no change", () => {
  expect(changed("A  b\nc", "A b [sighs] c")).toEqual(["A  b [sighs]\nc", [" [sighs]"]]);
  expect(tagChanges("A  b\nc ", "A b c")).toEqual([]);
});

test("moves a tag, and takes other forms of Unicode as they are", () => {
  expect(changed("[sighs] Hello", "Hello [sighs]")[0]).toBe(" Hello [sighs]");
  expect(changed("Cafe\u0301 noir", "[happy] Café noir")[0]).toBe("[happy] Café noir");
});

const texts = {
  seconds: (value: number) => `${value} s`,
  name: (markup: object) => JSON.stringify(markup),
  remove: (tag: string) => `Remove ${tag}`,
};
let view: EditorView;
function open(doc: string, isOn = true) {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc, extensions: [chips(texts), history()] }),
  });
  onTestFinished(() => view.destroy());
  view.dispatch({ effects: setTagButtons.of(isOn) });
  return within(view.dom);
}
beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0); // the editor measures its layout, which jsdom has not
});
const text = () => view.state.doc.toString();

test("every audio tag has a button, by click and by keyboard, and undo restores the chip", async () => {
  const user = userEvent.setup();
  const page = open("[laughs] Hello, [warmly] world [pause 1s] [1].");
  expect(page.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "Remove [laughs]",
    "Remove [warmly]",
  ]);
  await user.click(page.getByRole("button", { name: "Remove [warmly]" }));
  expect(text()).toBe("[laughs] Hello, world [pause 1s] [1].");
  page.getByRole("button", { name: "Remove [laughs]" }).focus();
  await user.keyboard("{Enter}");
  expect(text()).toBe("Hello, world [pause 1s] [1].");
  undo(view);
  expect(page.getAllByRole("button")).toHaveLength(1);
  undo(view);
  expect(text()).toBe("[laughs] Hello, [warmly] world [pause 1s] [1].");
  expect(page.getAllByRole("button")).toHaveLength(2);
});

test("Backspace and Delete beside a chip, or on its button, remove it whole", async () => {
  const page = open("Hi [laughs] you [sighs] all [happy] now");
  view.dispatch({ selection: { anchor: "Hi [laughs]".length } });
  deleteCharBackward(view);
  expect(text()).toBe("Hi  you [sighs] all [happy] now");
  view.dispatch({ selection: { anchor: "Hi  you ".length } });
  deleteCharForward(view);
  expect(text()).toBe("Hi  you  all [happy] now");
  page.getByRole("button").focus();
  await userEvent.keyboard("{Backspace}");
  expect(text()).toBe("Hi  you  all now");
});

test("all inserted tags are one undo step, which redo makes again", () => {
  const page = open("Hello, world.");
  view.dispatch({ changes: tagChanges(text(), "[laughs] Hello, [sighs] world.") });
  expect(page.getAllByRole("button")).toHaveLength(2);
  undo(view);
  expect(text()).toBe("Hello, world.");
  expect(page.queryByRole("button")).toBeNull();
  redo(view);
  expect(page.getAllByRole("button")).toHaveLength(2);
});

test("other voices have chips without buttons, for known tags only", () => {
  const page = open("[laughs] Hello, [warmly] world", false);
  expect(page.queryByRole("button")).toBeNull();
  expect(page.getAllByRole("img")).toHaveLength(1);
  view.dispatch({ effects: setTagButtons.of(true) });
  expect(page.getAllByRole("button")).toHaveLength(2);
});
