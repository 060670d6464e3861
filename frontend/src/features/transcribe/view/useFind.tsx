import { useEffectEvent, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { flushSync } from "react-dom";
import { emptyQuery, FindPanel, type FindRequest } from "@/features/find";
import { withChanges } from "../text/changes";
import { findIn, replaceIn, type Found, type Hit } from "../text/find";
import type { Page } from "./usePage";

const none: readonly Found[] = [];

export interface Find {
  panel: ReactNode;
  hits: readonly Hit[];
  /** Those of the selected match. */
  current: readonly Hit[];
  open(withReplace: boolean): void;
}

/** Returns what is selected in the text, if it is within a line. */
function selectedWords(frame: HTMLElement | null): string {
  const selection = document.getSelection();
  const isHere = selection !== null && frame !== null && frame.contains(selection.anchorNode);
  const words = isHere ? selection.toString() : "";
  return words.length > 200 || words.includes("\n") ? "" : words.trim();
}

const indexFrom = (found: readonly Found[], position: number): number =>
  Math.max(
    0,
    found.findIndex(({ from }) => from >= position),
  );

/** The search in a transcript: what is searched for while the panel is open, and the selected match. */
function useSearch({ visible: segments }: Page) {
  const [request, setRequest] = useState<FindRequest | null>(null);
  const [query, setQuery] = useState(emptyQuery);
  const [wanted, setWanted] = useState(0);
  const found = useMemo(() => (request ? findIn(segments, query) : none), [request, query, segments]);
  const at = Math.min(wanted, found.length - 1);
  return { request, setRequest, query, setQuery, found, at, match: found[at], setWanted };
}
type Search = ReturnType<typeof useSearch>;

/** Replaces matches in one step of undo. */
function replaceMatches(
  { visible: segments, editor }: Page,
  { query, setWanted }: Search,
  all: readonly Found[],
): void {
  const first = all[0];
  if (!first) return;
  const { changes, replacements } = replaceIn(segments, all, query);
  editor.change(changes);
  void editor.save();
  if (all.length > 1) return setWanted(0);
  const remaining = findIn(withChanges(segments, changes), query);
  setWanted(indexFrom(remaining, first.from + (replacements[0]?.length ?? 0))); // not what was just inserted
}

function SearchPanel({ page, search, close }: { page: Page; search: Search; close(): void }) {
  const { request, setRequest, query, setQuery, found, at, match, setWanted } = search;
  if (!request) return null;
  const replace = (all: readonly Found[]) => {
    if (page.isEditable) replaceMatches(page, search, all);
  };
  return (
    <FindPanel
      request={request}
      query={query}
      count={found.length}
      current={at}
      canReplace={page.isEditable}
      showReplace={(withReplace) => setRequest({ ...request, withReplace })}
      onQuery={(next) => {
        setQuery(next);
        if (next.replace === query.replace) setWanted(0);
      }}
      step={(by) => setWanted((at + by + found.length) % Math.max(1, found.length))}
      replace={() => replace(match ? [match] : [])}
      replaceAll={() => replace(found)}
      close={close}
    />
  );
}

/** Find and replace in a transcript; `frame` holds its paragraphs. */
export function useFind(page: Page, frame: RefObject<HTMLElement | null>, scrollTo: (paragraph: number) => void): Find {
  const search = useSearch(page);
  const { request, setRequest, setQuery, found, match } = search;
  const before = useRef<Element | null>(null); // what had the focus
  const hits = useMemo(() => found.flatMap((one) => one.hits), [found]);
  const segment = match?.hits[0]?.segment;

  const show = useEffectEvent(() => {
    if (segment === undefined) return;
    scrollTo(page.paragraphs.findIndex((paragraph) => paragraph.segments.some(({ id }) => id === segment)));
    // The list draws the paragraph after it has scrolled.
    requestAnimationFrame(() =>
      frame.current?.querySelector("mark[data-current]")?.scrollIntoView({ block: "nearest" }),
    );
  });
  useEffect(() => show(), [segment, match?.from]);

  function open(withReplace: boolean): void {
    const words = selectedWords(frame.current);
    if (!request) before.current = document.activeElement;
    // At once: the next key belongs to the panel.
    flushSync(() => {
      if (words !== "") setQuery((last) => ({ ...last, search: words }));
      setRequest((last) => ({ withReplace: withReplace && page.isEditable, n: (last?.n ?? 0) + 1 }));
    });
  }
  function close(): void {
    setRequest(null);
    const row = segment === undefined ? null : frame.current?.querySelector(`[data-segment="${segment}"]`);
    const time = row?.closest(".tr-par")?.querySelector<HTMLElement>(".tr-time");
    if (time) time.focus();
    else if (before.current instanceof HTMLElement) before.current.focus();
  }
  const panel = request ? <SearchPanel page={page} search={search} close={close} /> : null;
  return { panel, hits, current: match?.hits ?? [], open };
}
