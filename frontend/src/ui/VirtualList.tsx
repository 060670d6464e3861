import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";

interface Props<T> {
  items: readonly T[];
  keyOf(item: T): string;
  /** The height of one item in pixels before it is measured. */
  estimate: number | ((item: T) => number);
  render(item: T, index: number): ReactNode;
  label: string;
  role?: "list" | "listbox";
  className?: string;
  /** Called when the end comes near. */
  onEnd?(): void;
  /** Scrolls to this item when it changes. */
  focusIndex?: number;
  /** After the last item: "loading more" and the like. */
  footer?: ReactNode;
}

/** A long list of which only the visible part exists. In a listbox, render gives elements of role option. */
export function VirtualList<T>({ items, keyOf, estimate, render, label, role = "list", className = "", onEnd, focusIndex, footer }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const sizeOf = (index: number) => {
    const item = items[index];
    return typeof estimate === "number" ? estimate : item === undefined ? 36 : estimate(item);
  };
  const list = useVirtualizer({
    count: items.length, getScrollElement: () => frame.current, estimateSize: sizeOf, overscan: 8,
    getItemKey: (index) => { const item = items[index]; return item === undefined ? index : keyOf(item); },
    initialRect: { width: 800, height: 600 },
  });
  const rows = list.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 10 && items.length > 0) onEnd?.();
  }, [last, items.length, onEnd]);
  useEffect(() => {
    if (focusIndex !== undefined && focusIndex >= 0) list.scrollToIndex(focusIndex);
  }, [focusIndex, list]);
  return (
    <div ref={frame} className={`overflow-y-auto ${className}`}>
      <div role={role} aria-label={label} className="relative" style={{ height: list.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <div key={row.key} ref={list.measureElement} data-index={row.index} role={role === "list" ? "listitem" : "presentation"}
              className="absolute inset-x-0 top-0" style={{ transform: `translateY(${row.start}px)` }}>
              {render(item, row.index)}
            </div>
          );
        })}
      </div>
      {footer}
    </div>
  );
}
