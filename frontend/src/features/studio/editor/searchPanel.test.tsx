import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderWithProviders } from "@/test";
import CodeMirrorEditor from "./CodeMirrorEditor";
import type { EditorHandle } from "./handle";

// Without animation frames the editor measures nothing: jsdom has no layout.
beforeEach(() => void vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0));

function show(text: string) {
  let handle: EditorHandle | undefined;
  const ignore = () => undefined;
  const view = renderWithProviders(
    <CodeMirrorEditor
      text={text}
      selection={{ from: 0, to: 0 }}
      label="Text"
      placeholder=""
      onChange={ignore}
      onChunk={ignore}
      onCursor={ignore}
      onMark={{ play: ignore, open: ignore }}
      onFiles={ignore}
      onFull={ignore}
      onTooLong={ignore}
      onLeave={ignore}
      onReady={(next) => (handle = next)}
    />,
  );
  const editor = () => handle as EditorHandle;
  return { ...view, editor, find: (withReplace = false) => act(() => editor().find(withReplace)) };
}

test("find counts the matches, goes through them around the end, and Escape goes back to the text", async () => {
  const { user, editor, find } = show("One lamp, two Lamps, three lamps.");
  find();
  const field = await screen.findByRole("textbox", { name: "Find" });
  await waitFor(() => expect(field).toHaveFocus());
  expect(screen.queryByRole("textbox", { name: "Replace with" })).toBeNull();
  await user.keyboard("lamp");
  await waitFor(() => expect(screen.getByText("1 of 3")).toBeInTheDocument());
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByText("2 of 3")).toBeInTheDocument());
  expect(editor().selection().text).toBe("Lamp");
  await user.keyboard("{Enter}{Enter}");
  await waitFor(() => expect(screen.getByText("1 of 3")).toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Previous match" }));
  await waitFor(() => expect(screen.getByText("3 of 3")).toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Match case" }));
  await waitFor(() => expect(screen.getByText("2 of 2")).toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Whole words" }));
  await waitFor(() => expect(screen.getByText("1 of 1")).toBeInTheDocument());
  await user.type(field, "{Escape}");
  expect(screen.queryByRole("textbox", { name: "Find" })).toBeNull();
  expect(screen.getByRole("textbox", { name: "Text" })).toHaveFocus();
});

test("replace changes the selected match, and replace all is one step of undo", async () => {
  const { user, editor, find } = show("One lamp, two lamps, three lamps.");
  find(true);
  await user.type(await screen.findByRole("textbox", { name: "Find" }), "lamp");
  await user.type(screen.getByRole("textbox", { name: "Replace with" }), "light");
  await user.click(screen.getByRole("button", { name: "Replace" }));
  expect(editor().text()).toBe("One light, two lamps, three lamps.");
  await user.click(screen.getByRole("button", { name: "Replace all" }));
  expect(editor().text()).toBe("One light, two lights, three lights.");
  await waitFor(() => expect(screen.getByText("No matches")).toBeInTheDocument());
  act(() => editor().focus());
  await user.keyboard("{Control>}z{/Control}");
  expect(editor().text()).toBe("One light, two lamps, three lamps.");
});
