import { redo, undo } from "@codemirror/commands";
import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { act, render, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { Editor } from "./Editor";
import type { EditorProps } from "./handle";

const nothing = () => undefined;

/** Opens an editor, and returns it with a function that closes it and returns its last state. */
async function open(text: string, left?: EditorState) {
  let last: EditorState | undefined;
  const props: Partial<EditorProps> = {
    text,
    left,
    label: "Text",
    placeholder: "",
    onReady: nothing,
    onChange: nothing,
    onCursor: nothing,
    onChunk: nothing,
    onFull: nothing,
    onLeave: (state) => (last = state),
  };
  const { unmount, container } = render(<Editor {...(props as EditorProps)} />);
  const element = await waitFor(() => {
    const found = container.querySelector<HTMLElement>(".cm-editor");
    expect(found).not.toBeNull();
    return found as HTMLElement;
  });
  const view = EditorView.findFromDOM(element) as EditorView;
  const close = () => {
    act(unmount);
    return last;
  };
  return { view, close, text: () => view.state.doc.toString() };
}

test("undo goes on after the draft was shown in another view, whose change is one step", async () => {
  const first = await open("The lamp");
  first.view.dispatch({ changes: { from: 8, insert: " was lit" }, userEvent: "input.type" });
  const second = await open("The ferry was lit. It came.", first.close());
  const step = (back: boolean) => {
    (back ? undo : redo)(second.view);
    return second.text();
  };
  expect([step(true), step(true)]).toEqual(["The lamp was lit", "The lamp"]);
  expect([step(false), step(false)]).toEqual(["The lamp was lit", "The ferry was lit. It came."]);
});

test("what is typed after the return is a step of its own", async () => {
  const first = await open("The lamp");
  const second = await open("The ferry", first.close());
  second.view.dispatch({ changes: { from: 9, insert: " came" }, userEvent: "input.type" });
  undo(second.view);
  expect(second.text()).toBe("The ferry");
});
