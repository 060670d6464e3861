import { useEffectEvent, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { flushSync } from "react-dom";
import { emptyQuery, FindPanel, type FindQuery, type FindRequest } from "@/features/find";
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

/** Find and replace in a transcript; `frame` holds its paragraphs. */
export function useFind(page: Page, frame: RefObject<HTMLElement | null>, scrollTo: (paragraph: number) => void): Find {
  const [request, setRequest] = useState<FindRequest | null>(null);
  const [query, setQuery] = useState(emptyQuery);
  const [wanted, setWanted] = useState(0);
  const before = useRef<Element | null>(null); // what had the focus
  const { segments, editor } = page;
  const found = useMemo(() => (request ? findIn(segments, query) : none), [request, query, segments]);
  const at = Math.min(wanted, found.length - 1);
  const match = found[at];
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
  function onQuery(next: FindQuery): void {
    setQuery(next);
    if (next.replace === query.replace) setWanted(0);
  }
  /** Replaces matches in one step of undo. */
  function replace(all: readonly Found[]): void {
    if (all.length === 0 || !page.isEditable) return;
    const { changes, replacements } = replaceIn(segments, all, query);
    editor.change(changes);
    void editor.save();
    const first = all[0];
    if (all.length > 1 || !first) return setWanted(0);
    const remaining = findIn(withChanges(segments, changes), query);
    setWanted(indexFrom(remaining, first.from + (replacements[0]?.length ?? 0))); // not what was just inserted
  }
  const panel = request ? (
    <FindPanel
      request={request}
      query={query}
      count={found.length}
      current={at}
      canReplace={page.isEditable}
      showReplace={(withReplace) => setRequest({ ...request, withReplace })}
      onQuery={onQuery}
      step={(by) => setWanted((at + by + found.length) % Math.max(1, found.length))}
      replace={() => replace(match ? [match] : [])}
      replaceAll={() => replace(found)}
      close={close}
    />
  ) : null;
  return { panel, hits, current: match?.hits ?? [], open };
}
