import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { isPressed } from "@/lib/commands";
import type { Entry } from "./entries";
import { EntryCard, EntryRow } from "./EntryRow";
import { VoiceGrid } from "./VoiceGrid";
import type { Voice } from "./voice";

export type View = "list" | "cards";

interface Line {
  key: string;
  entries: Entry[];
}

/** Headings take a full line; all other entries share a line as far as there is space. */
function linesOf(entries: readonly Entry[], columns: number): Line[] {
  const lines: Line[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last && entry.kind !== "heading" && last.entries[0]?.kind !== "heading" && last.entries.length < columns)
      last.entries.push(entry);
    else lines.push({ key: entry.key, entries: [entry] });
  }
  return lines;
}

/** The active row, and how the keys move it. */
export function useListKeys({
  entries,
  first = "",
  columns,
  onEnter,
  onSpace,
  onFavorite,
  onType,
}: {
  entries: readonly Entry[];
  first?: string;
  columns: number;
  onEnter(entry: Entry): void;
  onSpace(voice: Voice): void;
  onFavorite(voice: Voice): void;
  onType?(): void;
}) {
  const [wantedKey, setActive] = useState(first);
  const frame = useRef<HTMLDivElement>(null);
  const stops = useMemo(() => entries.filter((entry) => entry.kind !== "heading"), [entries]);
  const marked = stops.find((entry) => entry.key === wantedKey) ?? stops[0];

  /** Rows outside the window do not exist before the list has scrolled to them. */
  function focus(key: string, tries = 10): void {
    const row = [...(frame.current?.querySelectorAll<HTMLElement>("[data-key]") ?? [])].find(
      (element) => element.dataset.key === key,
    );
    if (row) row.focus();
    else if (tries > 0) requestAnimationFrame(() => focus(key, tries - 1));
  }
  function moveTo(index: number): void {
    const entry = stops[Math.max(0, Math.min(stops.length - 1, index))];
    if (!entry) return;
    setActive(entry.key);
    focus(entry.key);
  }
  /** Moves the focus from a row that is about to disappear. */
  function leave(entry: Entry): void {
    const at = stops.findIndex(({ key }) => key === entry.key);
    moveTo(at + 1 < stops.length ? at + 1 : at - 1);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    const inField = target.matches("input[type=text], input:not([type])");
    if (!inField && target.closest("[data-key]") === null) return;
    const onRow = target.matches("[data-key]");
    const active = (onRow ? stops.find((entry) => entry.key === target.dataset.key) : undefined) ?? marked;
    const at = active ? stops.indexOf(active) : -1;
    const sideways = document.dir === "rtl" ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: columns * 8,
      PageUp: columns * -8,
    };
    if (!inField)
      Object.assign(steps, {
        Home: -stops.length,
        End: stops.length,
        ...(columns > 1 ? { ArrowRight: sideways, ArrowLeft: -sideways } : {}),
      });
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) {
      event.preventDefault();
      moveTo(inField ? at : at + step); // from the search, the first press goes to the row that is active already
    } else if (event.key === "Enter" && (onRow || inField) && active) {
      event.preventDefault();
      onEnter(active);
    } else if (event.key === " " && (onRow || (inField && (target as HTMLInputElement).value === "")) && active) {
      event.preventDefault(); // otherwise the list would scroll
      if (active.kind === "voice") onSpace(active.voice);
      else if (active.kind === "group") onEnter(active);
    } else if (onRow && isPressed(event, "*") && active?.kind === "voice") {
      event.preventDefault();
      onFavorite(active.voice);
    } else if (onRow && event.key.length === 1 && event.key !== " ") {
      onType?.(); // the letter goes into the search
    }
  }
  return { active: marked, setActive, leave, onKeyDown, frame };
}

interface Props {
  label: string;
  entries: readonly Entry[];
  view: View;
  columns: number;
  keys: ReturnType<typeof useListKeys>;
  isSelected(entry: Entry): boolean;
  /** The voice in use, where a replacement is chosen. */
  current?: string | undefined;
  onEnter(entry: Entry): void;
  onActive?(entry: Entry): void;
  end?: (voice: Voice, tabIndex: number) => ReactNode;
  /** Rendered after the rows; scrolls with them. */
  after?: ReactNode;
}

export function VoiceList({
  label,
  entries,
  view,
  columns,
  keys,
  isSelected,
  current,
  onEnter,
  onActive,
  end,
  after,
}: Props) {
  const { active, setActive, frame } = keys;
  const across = view === "cards" ? columns : 1;
  const lines = useMemo(() => linesOf(entries, across), [entries, across]);
  const focusIndex = lines.findIndex((line) => line.entries.some((entry) => entry.key === active?.key));
  const propsOf = (entry: Entry) => ({
    entry,
    active: entry.key === active?.key,
    selected: isSelected(entry),
    current: entry.key === current,
    end,
    onActive: () => {
      setActive(entry.key);
      onActive?.(entry);
    },
    onEnter: () => onEnter(entry),
  });
  const one = (line: Line) => {
    const first = line.entries[0];
    if (!first) return null;
    if (view === "list" || first.kind === "heading") return <EntryRow {...propsOf(first)} />;
    return (
      <div
        role="row"
        className="grid gap-3 px-3 pb-3"
        style={{ gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))` }}
      >
        {line.entries.map((entry) => (
          <EntryCard key={entry.key} {...propsOf(entry)} />
        ))}
      </div>
    );
  };
  return (
    <div ref={frame} className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <VoiceGrid
        items={lines}
        keyOf={(line) => line.key}
        label={label}
        focusIndex={focusIndex}
        footer={after}
        estimate={(line) => (line.entries[0]?.kind === "heading" ? 36 : view === "cards" ? 138 : 52)}
        render={one}
      />
    </div>
  );
}
