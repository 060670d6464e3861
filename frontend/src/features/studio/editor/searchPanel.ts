import {
  closeSearchPanel,
  highlightSelectionMatches,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import type { TFunction } from "i18next";
import { expressionOf, replacementOf, sourceOf, type FindQuery, type Match } from "@/features/find";
import "./searchPanel.css";

/** The place of the panel above the text, while it is open. */
export interface SearchPlace {
  dom: HTMLElement;
  view: EditorView;
}
export interface SearchEvents {
  /** The panel was opened, or closed: null. */
  onPanel(place: SearchPlace | null): void;
  /** The text or the selection has changed while the panel is open. */
  onUpdate(update: ViewUpdate): void;
}

/** Returns what screen readers hear, by the English phrases that CodeMirror looks up. */
export function searchPhrases(t: TFunction<"studio">): Record<string, string> {
  return {
    "current match": t("studio:search.currentMatch"),
    "on line": t("studio:search.onLine"),
    "replaced match on line $": t("studio:search.replacedOnLine"),
    "replaced $ matches": t("studio:search.replaced"),
  };
}

/** The matches in the text, and a panel above it that the screen fills. */
export function searchPanel(phrases: Record<string, string>, events: SearchEvents): Extension {
  return [
    search({
      top: true,
      createPanel: (view) => {
        const dom = document.createElement("div");
        return {
          dom,
          top: true,
          mount: () => events.onPanel({ dom, view }),
          update: (update) => {
            if (update.docChanged || update.selectionSet) events.onUpdate(update);
          },
          destroy: () => events.onPanel(null),
        };
      },
    }),
    highlightSelectionMatches(),
    EditorState.phrases.of(phrases),
  ];
}

/** Marks the matches of a query. All kinds of query are regular expressions, so that they match as elsewhere. */
export function showQuery(view: EditorView, query: FindQuery): void {
  view.dispatch({
    effects: setSearchQuery.of(
      new SearchQuery({
        search: expressionOf(query) ? sourceOf(query) : "",
        replace: replacementOf(query),
        caseSensitive: query.matchCase,
        regexp: true,
      }),
    ),
  });
}

export function selectMatch(view: EditorView, { from, to }: Match): void {
  view.dispatch({
    selection: EditorSelection.single(from, to),
    effects: EditorView.scrollIntoView(EditorSelection.range(from, to), { y: "nearest", yMargin: 80 }),
    userEvent: "select.search",
  });
}

/** Returns the selected part of a line, to find it. */
export function selectedWords(view: EditorView): string {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, Math.min(to, from + 200));
  return text.includes("\n") ? "" : text;
}

export { closeSearchPanel, openSearchPanel, replaceAll, replaceNext };
