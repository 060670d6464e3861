import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";

interface Props<T> {
  items: readonly T[];
  keyOf(item: T): string;
  estimate(item: T): number;
  render(item: T): ReactNode;
  label: string;
  focusIndex: number;
  after?: ReactNode;
}

/** Up to this many lines all of them exist, which is kinder to screen readers and to search in the page. */
const short = 80;

/** A list of voices as an ARIA grid; of a long one only the visible part exists. */
export function VoiceGrid<T>(props: Props<T>) {
  return props.items.length > short ? <VirtualGrid {...props} /> : <PlainGrid {...props} />;
}

function PlainGrid<T>({ items, keyOf, render, label, focusIndex, after }: Props<T>) {
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    grid.current?.children[focusIndex]?.scrollIntoView({ block: "nearest" });
  }, [focusIndex]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto py-1">
      <div ref={grid} role="grid" aria-label={label}>
        {items.map((item) => (
          <div key={keyOf(item)} role="presentation">
            {render(item)}
          </div>
        ))}
      </div>
      {after}
    </div>
  );
}

/** The kit's VirtualList as an ARIA grid: rows here hold buttons of their own, which a list box may not. */
function VirtualGrid<T>({ items, keyOf, estimate, render, label, focusIndex, after }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
    estimateSize: (index) => {
      const item = items[index];
      return item === undefined ? 52 : estimate(item);
    },
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  useEffect(() => {
    if (focusIndex >= 0) list.scrollToIndex(focusIndex);
  }, [focusIndex, list]);
  return (
    <div ref={frame} className="min-h-0 flex-1 overflow-y-auto py-1">
      <div role="grid" aria-label={label} className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <div
              key={row.key}
              ref={list.measureElement}
              data-index={row.index}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
      {after}
    </div>
  );
}
