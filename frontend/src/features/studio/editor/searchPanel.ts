import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import type { TFunction } from "i18next";
import "./searchPanel.css";

/** The shortcuts of the panel. Others of CodeMirror, such as Mod-d, belong to the app or the browser. */
const used = new Set(["F3", "Mod-g", "Escape"]);
const keys = searchKeymap.filter(({ key }) => key !== undefined && used.has(key));

/** Returns the texts of the panel by the English phrases that CodeMirror looks up. */
export function searchPhrases(t: TFunction<"studio">): Record<string, string> {
  return {
    Find: t("studio:search.find"),
    Replace: t("studio:search.replaceWith"),
    next: t("studio:search.next"),
    previous: t("studio:search.previous"),
    all: t("studio:search.all"),
    "match case": t("studio:search.matchCase"),
    regexp: t("studio:search.regexp"),
    "by word": t("studio:search.wholeWords"),
    replace: t("studio:search.replace"),
    "replace all": t("studio:search.replaceAll"),
    close: t("common:close"),
    "current match": t("studio:search.currentMatch"),
    "on line": t("studio:search.onLine"),
    "replaced match on line $": t("studio:search.replacedOnLine"),
    "replaced $ matches": t("studio:search.replaced"),
  };
}

/** Find and replace in a panel above the text. */
export function searchPanel(phrases: Record<string, string>): Extension {
  return [
    search({ top: true }),
    highlightSelectionMatches(),
    EditorState.phrases.of(phrases),
    keymap.of([{ key: "Mod-f", run: openSearch, scope: "editor search-panel" }, ...keys]),
  ];
}

/** Opens the panel and focuses its field, which selecting the text in it does not do in every browser. */
export function openSearch(view: EditorView): boolean {
  openSearchPanel(view);
  view.dom.querySelector<HTMLElement>(".cm-search [main-field]")?.focus();
  return true;
}
