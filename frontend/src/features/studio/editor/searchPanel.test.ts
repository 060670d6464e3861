import { EditorView } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { getByRole, queryByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSearch, searchPanel, searchPhrases } from "./searchPanel";

let view: EditorView | undefined;
// Without animation frames the editor measures nothing: jsdom has no layout.
beforeEach(() => void vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0));
afterEach(() => view?.destroy());

test("Find has translated texts, goes to the next match, replaces it, and closes with Escape", async () => {
  const phrases = searchPhrases(i18next.getFixedT("en", "studio"));
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc: "One lamp, two lamps.", extensions: searchPanel(phrases) }),
  });
  const user = userEvent.setup();
  openSearch(view);
  const field = getByRole(view.dom, "textbox", { name: "Find" });
  expect(field).toHaveFocus();
  expect(getByRole(view.dom, "checkbox", { name: "Whole words" })).toBeVisible();
  await user.type(field, "lamp");
  await user.click(getByRole(view.dom, "button", { name: "Next" }));
  expect(view.state.sliceDoc(view.state.selection.main.from)).toBe("lamp, two lamps.");
  await user.click(getByRole(view.dom, "button", { name: "Next" }));
  expect(view.state.sliceDoc(view.state.selection.main.from)).toBe("lamps.");
  await user.type(getByRole(view.dom, "textbox", { name: "Replace with" }), "light");
  await user.click(getByRole(view.dom, "button", { name: "Replace" }));
  expect(view.state.doc.toString()).toBe("One lamp, two lights.");
  await user.type(field, "{Escape}");
  expect(queryByRole(view.dom, "textbox", { name: "Find" })).toBeNull();
});
