import type { CSSProperties } from "react";

const quietest = -60; // dB, the start of the meter

/** Returns a level in dB below full scale as a part of the meter, 0 to 1. */
export const partOfLevel = (db: number): number => Math.min(1, Math.max(0, 1 - db / quietest));

/** The level of a microphone, with the highest sample of the last moment as a mark. Both are in dB below full scale. */
export function LevelMeter({ label, level, peak }: { label: string; level: number; peak: number }) {
  const style = { "--level": partOfLevel(level), "--peak": partOfLevel(peak) } as CSSProperties;
  return (
    <span
      className="k-level"
      role="meter"
      aria-label={label}
      aria-valuemin={quietest}
      aria-valuemax={0}
      aria-valuenow={Math.round(Math.max(quietest, level))}
      style={style}
    >
      <i />
      <b />
    </span>
  );
}
