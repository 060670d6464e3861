import { EditorView } from "@codemirror/view";
import { act, render, screen, waitFor } from "@testing-library/react";
import { Suspense, use, type ReactElement } from "react";
import { expect, test, vi } from "vitest";
import { Editor } from "./Editor";
import type { EditorHandle, EditorProps } from "./handle";

const nothing = () => undefined;
const handles: EditorHandle[] = [];
const props = {
  text: "The lamp",
  label: "Text",
  placeholder: "",
  onReady: (handle) => handles.push(handle),
  onChange: nothing,
  onCursor: nothing,
  onChunk: nothing,
  onFull: nothing,
  onLeave: nothing,
} as Partial<EditorProps> as EditorProps;

/** Texts or code of another part of the screen, which React waits for. */
function Loading({ promise }: { promise: Promise<unknown> | null }) {
  if (promise) use(promise);
  return null;
}
const aScreen = (promise: Promise<unknown> | null) => (
  <Suspense fallback="Loading">
    <Editor {...props} />
    <Loading promise={promise} />
  </Suspense>
);

/** Hides the screen until the returned function is called. */
async function hide(rerender: (ui: ReactElement) => void): Promise<() => Promise<void>> {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  await act(async () => rerender(aScreen(promise)));
  await screen.findByText("Loading");
  return () =>
    act(async () => {
      resolve();
      await promise;
    });
}
const page = () =>
  waitFor(() => EditorView.findFromDOM(document.querySelector<HTMLElement>(".cm-editor") as HTMLElement));

test("the editor replaces the plain field also when it arrives while the screen waits for another part", async () => {
  const { rerender } = render(aScreen(null));
  expect(screen.getByRole("textbox", { name: "Text" })).toHaveValue("The lamp");
  const show = await hide(rerender);
  await import("./CodeMirrorEditor");
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await vi.dynamicImportSettled();
  await show();
  await waitFor(() => expect(document.querySelector(".cm-content")).toHaveTextContent("The lamp"));
  expect(document.querySelector("textarea")).toBeNull();
});

test("typed text and its undo stay while the screen waits for another part", async () => {
  const { rerender } = render(aScreen(null));
  const view = await page();
  view?.dispatch({ changes: { from: 8, insert: " was lit" }, userEvent: "input.type" });
  const show = await hide(rerender);
  await show();
  expect((await page())?.state.doc.toString()).toBe("The lamp was lit");
  expect(handles.at(-1)?.text()).toBe("The lamp was lit");
});
