/** The shape of a sound as `count` bars, each the loudest moment of its part, from 0 to 1. */
export function barsOf(peaks: readonly (readonly number[])[], count: number): number[] {
  const bars: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const from = Math.floor((i * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((i + 1) * peaks.length) / count));
    let loud = 0;
    for (let at = from; at < to; at += 1) for (const value of peaks[at] ?? []) loud = Math.max(loud, Math.abs(value));
    bars.push(Math.min(1, loud));
  }
  return bars;
}

/** Bars as one line of a picture, 2 pixels thick and round at the ends: silence is a dot. */
export function pathOf(bars: readonly number[], pitch: number, height: number): string {
  return bars.map((loud, i) => {
    const size = Math.max(0.1, loud * (height - 6));
    return `M${i * pitch + 1} ${((height - size) / 2).toFixed(1)}v${size.toFixed(1)}`;
  }).join("");
}
