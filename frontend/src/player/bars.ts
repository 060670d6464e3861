type Peaks = readonly (readonly number[])[];

const typical = 0.5; // the height of a typical bar beside the loudest one
const minPower = 0.8;
const maxPower = 5; // more only as long as the quietest spoken bar stays above `lowest`
const lowest = 0.3;
const silence = 0.04; // of the loudest bar: room tone and the ends of words
const spoken = 0.1; // of the loudest bar: bars that count for what is typical

const sizeOf = (peak: readonly number[]): number =>
  Math.min(
    1,
    peak.reduce((loud, value) => Math.max(loud, Math.abs(value)), 0),
  );
const loudestOf = (sizes: readonly number[]): number => sizes.reduce((loud, size) => Math.max(loud, size), 0);

/** Returns the mean as the ear weighs it: half a bar of silence counts for more than half a bar of speech. */
const meanOf = (sizes: readonly number[]): number =>
  (sizes.reduce((sum, size) => sum + Math.sqrt(size), 0) / Math.max(1, sizes.length)) ** 2;

function parts(sizes: readonly number[], count: number): number[][] {
  const at = (i: number) => Math.floor((i * sizes.length) / count);
  return Array.from({ length: count }, (_, i) => sizes.slice(at(i), Math.max(at(i) + 1, at(i + 1))));
}

/** Returns the power by which a fraction becomes `height`. */
const powerTo = (height: number, fraction: number): number => Math.log(height) / Math.log(fraction);

/** Returns the power by which the median of what is spoken becomes `typical`, within limits. */
function powerFor(bars: readonly number[], loudest: number): number {
  const voiced = bars.filter((bar) => bar > spoken * loudest).sort((a, b) => a - b);
  const median = voiced[Math.floor(voiced.length / 2)] ?? loudest;
  if (median === loudest) return 1;
  const power = Math.max(minPower, powerTo(typical, median / loudest));
  // The means of hours of levelled speech differ by a few hundredths.
  const max = Math.max(maxPower, powerTo(lowest, (voiced[0] ?? loudest) / loudest));
  return Math.min(power, max);
}

/**
 * Returns the waveform as `count` bars from 0 to 1. A bar is the mean of its part, so that pauses are gaps, and its
 * distance from the loudest one is scaled by one power for all: louder parts stay higher, equally loud ones equal, and
 * phrases differ in long audio too, where all means are similar. A quiet recording stays low.
 */
export function barsOf(peaks: Peaks, count: number): number[] {
  const sizes = peaks.map(sizeOf);
  const bars = parts(sizes, count).map(meanOf);
  const loudest = loudestOf(bars);
  if (loudest === 0) return bars;
  const height = Math.sqrt(loudestOf(sizes));
  const power = powerFor(bars, loudest);
  return bars.map((bar) => (bar < silence * loudest ? 0 : height * (bar / loudest) ** power));
}

/** Returns the bars as one SVG path, 2 pixels thick with round ends: silence is a dot. */
export function pathOf(bars: readonly number[], pitch: number, height: number): string {
  return bars
    .map((loud, i) => {
      const size = Math.max(0.1, loud * (height - 6));
      return `M${i * pitch + 1} ${((height - size) / 2).toFixed(1)}v${size.toFixed(1)}`;
    })
    .join("");
}
