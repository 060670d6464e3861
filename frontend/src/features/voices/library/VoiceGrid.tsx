import { useEffect, useRef, type ReactNode } from "react";
import { VirtualList } from "@/ui";

interface Props<T> {
  items: readonly T[];
  keyOf(item: T): string;
  estimate(item: T): number;
  render(item: T): ReactNode;
  label: string;
  focusIndex: number;
  /** Rendered after the last row; scrolls with the rows. */
  footer?: ReactNode;
}

/** Up to this number all rows are rendered, which helps screen readers and searching in the page. */
const short = 80;

const frameClass = "min-h-0 flex-1 py-1";

/** A list of voices as an ARIA grid; a long one renders only its visible part. */
export function VoiceGrid<T>(props: Props<T>) {
  return props.items.length > short ? (
    <VirtualList role="grid" className={frameClass} {...props} />
  ) : (
    <PlainGrid {...props} />
  );
}

function PlainGrid<T>({ items, keyOf, render, label, focusIndex, footer }: Props<T>) {
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    grid.current?.children[focusIndex]?.scrollIntoView({ block: "nearest" });
  }, [focusIndex]);
  return (
    <div className={`overflow-y-auto ${frameClass}`}>
      <div ref={grid} role="grid" aria-label={label}>
        {items.map((item) => (
          <div key={keyOf(item)} role="presentation">
            {render(item)}
          </div>
        ))}
      </div>
      {footer}
    </div>
  );
}
