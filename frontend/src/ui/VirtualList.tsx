import { useVirtualizer } from "@tanstack/react-virtual";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ReactNode,
  type RefObject,
} from "react";

interface Props<T> {
  items: readonly T[];
  keyOf(item: T): string;
  /** The height of one item in pixels before it is measured. */
  estimate: number | ((item: T) => number);
  render(item: T, index: number): ReactNode;
  label: string;
  role?: "list" | "listbox" | "grid";
  className?: string;
  /** Called when the end of the list is near. */
  onEnd?(): void;
  /** Scrolls to this item when it changes. */
  focusIndex?: number;
  /** Set to a function that scrolls to an item, also one that it scrolled to before. */
  scrollTo?: RefObject<((index: number) => void) | null>;
  /** Rendered after the last item: "loading more" and the like. */
  footer?: ReactNode;
}

/** Returns the previous array while the items are the same, because callers filter into a new array in each render. */
function useSame<T>(items: readonly T[]): readonly T[] {
  const last = useRef(items);
  const before = last.current;
  if (before !== items && (before.length !== items.length || items.some((item, i) => item !== before[i])))
    last.current = items;
  return last.current;
}

/**
 * A long list that renders only its visible part. In a listbox, `render` returns elements of role option; in a grid,
 * elements of role row.
 */
export function VirtualList<T>({
  items: given,
  keyOf,
  estimate,
  render,
  label,
  role = "list",
  className = "",
  onEnd,
  focusIndex,
  scrollTo,
  footer,
}: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const items = useSame(given);
  const name = useRef(keyOf);
  name.current = keyOf;
  // A new function makes the virtualizer measure all items again, so its identity changes only with the items.
  const keyAt = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : name.current(item);
    },
    [items],
  );
  const sizeOf = (index: number) => {
    const item = items[index];
    return typeof estimate === "number" ? estimate : item === undefined ? 36 : estimate(item);
  };
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: sizeOf,
    overscan: 8,
    getItemKey: keyAt,
    initialRect: { width: 800, height: 600 },
  });
  // The virtualizer forgets all sizes then, and its observer reports only those that change.
  useLayoutEffect(() => {
    frame.current?.querySelectorAll<HTMLDivElement>("[data-index]").forEach(list.measureElement);
  }, [items, list]);
  const rows = list.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 10 && items.length > 0) onEnd?.();
  }, [last, items.length, onEnd]);
  useEffect(() => {
    if (focusIndex !== undefined && focusIndex >= 0) list.scrollToIndex(focusIndex);
  }, [focusIndex, list]);
  useImperativeHandle(scrollTo, () => (index: number) => list.scrollToIndex(index), [list]);
  return (
    <div ref={frame} className={`overflow-y-auto ${className}`}>
      <div role={role} aria-label={label} className="relative" style={{ height: list.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <div
              key={row.key}
              ref={list.measureElement}
              data-index={row.index}
              role={role === "list" ? "listitem" : "presentation"}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {render(item, row.index)}
            </div>
          );
        })}
      </div>
      {footer}
    </div>
  );
}
