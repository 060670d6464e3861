import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Editor } from "./Editor";
import type { EditorProps } from "./handle";

const loading = vi.hoisted(() => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
});

// jsdom has no layout for the editor itself, so a stand-in shows its initial state.
vi.mock("./CodeMirrorEditor", async () => {
  await loading.promise;
  type Props = EditorProps & { selection: { from: number; to: number } | null };
  return { default: ({ text, selection }: Props) => <output>{JSON.stringify({ text, selection })}</output> };
});

const nothing = () => undefined;
const props = { text: "Good", label: "Text", placeholder: "" } as EditorProps;

test("text typed before the editor has loaded is preserved, with the cursor position", async () => {
  render(<Editor {...props} onReady={nothing} onChange={nothing} onFull={nothing} />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  await userEvent.type(field, " morning");
  field.setSelectionRange(2, 4);
  loading.resolve();
  const editor = await screen.findByRole("status");
  expect(JSON.parse(editor.textContent)).toEqual({ text: "Good morning", selection: { from: 2, to: 4 } });
  expect(screen.queryByRole("textbox")).toBeNull();
});
