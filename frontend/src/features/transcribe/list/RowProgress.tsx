import type { CSSProperties, ReactNode } from "react";

interface Props {
  label: string;
  /** Null while the progress is unknown. */
  value: number | null;
  text: string;
  /** A small button after the text. */
  end?: ReactNode;
}

/** A small progress bar at the end of a row, with its text. */
export function RowProgress({ label, value, text, end }: Props) {
  const percent = value === null ? undefined : Math.round(value * 100);
  return (
    <span className="flex min-w-36 flex-none items-center justify-end gap-2 text-12 whitespace-nowrap text-ink-2">
      {value === null ? null : (
        <span
          className="k-bar w-12 @max-[520px]/main:hidden"
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <i style={{ "--p": `${percent ?? 0}%` } as CSSProperties} />
        </span>
      )}
      {text}
      {end}
    </span>
  );
}
