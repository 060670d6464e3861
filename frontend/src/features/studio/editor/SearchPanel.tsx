import type { Text } from "@codemirror/state";
import type { EditorView, ViewUpdate } from "@codemirror/view";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { emptyQuery, expressionOf, FindPanel, matchesIn, type FindQuery, type Match } from "@/features/find";
import {
  closeSearchPanel,
  openSearchPanel,
  replaceAll,
  replaceNext,
  selectedWords,
  selectMatch,
  showQuery,
  type SearchEvents,
  type SearchPlace,
} from "./searchPanel";

interface Shown {
  doc: Text;
  selection: Match;
}
const shownOf = ({ state }: EditorView | ViewUpdate): Shown => ({ doc: state.doc, selection: state.selection.main });

/** The state of find and replace; its panel is drawn by SearchPanel. */
export function useSearch() {
  const [place, setPlace] = useState<SearchPlace | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [query, setQuery] = useState(emptyQuery);
  const [request, setRequest] = useState({ withReplace: false, n: 0 });
  const events: SearchEvents = {
    onPanel: (next) => {
      setPlace(next);
      setShown(next && shownOf(next.view));
    },
    onUpdate: (update) => setShown(shownOf(update)),
  };
  function open(view: EditorView, withReplace: boolean): void {
    const selected = selectedWords(view);
    if (selected !== "") setQuery((before) => ({ ...before, search: selected }));
    // At once: the next key belongs to the panel.
    flushSync(() => {
      setRequest(({ n }) => ({ withReplace, n: n + 1 }));
      openSearchPanel(view);
    });
  }
  return {
    place,
    shown,
    query,
    setQuery,
    request,
    events,
    open,
    showReplace: (withReplace: boolean) => setRequest((before) => ({ ...before, withReplace })),
  };
}

type Search = ReturnType<typeof useSearch>;
type OpenSearch = Search & { place: SearchPlace; shown: Shown };

/** Find and replace above the text. */
export function SearchPanel({ search }: { search: Search }) {
  const { place, shown } = search;
  if (!place || !shown) return null;
  return createPortal(<Panel search={{ ...search, place, shown }} />, place.dom);
}

function Panel({ search }: { search: OpenSearch }) {
  const { query, shown, place } = search;
  const { view } = place;
  const { selection } = shown;
  const doc = useDeferredValue(shown.doc); // counting does not hold up typing
  const matches = useMemo(() => matchesIn(doc.toString(), expressionOf(query)), [doc, query]);
  const current = matches.findIndex(({ from, to }) => from === selection.from && to === selection.to);
  useEffect(() => showQuery(view, query), [view, query]);

  /** Shows a new query and goes to its next match. */
  function find(next: FindQuery): void {
    search.setQuery(next);
    const found = matchesIn(view.state.doc.toString(), expressionOf(next));
    const { from } = view.state.selection.main;
    const match = found.find((one) => one.from >= from) ?? found[0];
    if (match && next.replace === query.replace) selectMatch(view, match);
  }
  function step(by: 1 | -1): void {
    const { from, to } = view.state.selection.main;
    const next =
      by > 0
        ? (matches.find((one) => one.from >= to && one.to > from) ?? matches[0])
        : (matches.findLast((one) => one.to <= from) ?? matches.at(-1));
    if (next) selectMatch(view, next);
  }
  return (
    <FindPanel
      request={search.request}
      query={query}
      count={matches.length}
      current={current}
      showReplace={search.showReplace}
      onQuery={find}
      step={step}
      replace={() => replaceNext(view)}
      replaceAll={() => replaceAll(view)}
      close={() => {
        closeSearchPanel(view);
        view.focus();
      }}
    />
  );
}
