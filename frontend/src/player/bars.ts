type Peaks = readonly (readonly number[])[];

const long = 600; // peaks, as of 100 s: each bar covers so much that some moment in it is loud
const mostPower = 12;
const sizeOf = (peak: readonly number[]): number =>
  Math.min(
    1,
    peak.reduce((loud, value) => Math.max(loud, Math.abs(value)), 0),
  );
const loudestOf = (sizes: readonly number[]): number => sizes.reduce((loud, size) => Math.max(loud, size), 0);
const meanOf = (sizes: readonly number[]): number =>
  Math.sqrt(sizes.reduce((sum, size) => sum + size * size, 0) / Math.max(1, sizes.length));

function parts(sizes: readonly number[], count: number): number[][] {
  const at = (i: number) => Math.floor((i * sizes.length) / count);
  return Array.from({ length: count }, (_, i) => sizes.slice(at(i), Math.max(at(i) + 1, at(i + 1))));
}

/** Returns the power by which the quietest tenth of the bars becomes a third of the loudest, within limits. */
function powerFor(bars: readonly number[], loudest: number): number {
  const quiet = [...bars].sort((a, b) => a - b)[Math.floor(bars.length / 10)] ?? 0;
  if (quiet === 0 || quiet === loudest) return 1;
  return Math.min(mostPower, Math.max(1, Math.log(1 / 3) / Math.log(quiet / loudest)));
}

/**
 * Returns the waveform as `count` bars from 0 to 1, each the loudest moment of its part. In long audio all of those are
 * similar, so there a bar is the root mean square of its peaks, and its distance from the loudest one is enlarged by
 * one power for the whole: louder bars stay higher, and equally loud ones stay equal.
 */
export function barsOf(peaks: Peaks, count: number): number[] {
  const sizes = peaks.map(sizeOf);
  if (sizes.length <= long) return parts(sizes, count).map(loudestOf);
  const bars = parts(sizes, count).map(meanOf);
  const loudest = loudestOf(bars);
  if (loudest === 0) return bars;
  const power = powerFor(bars, loudest);
  return bars.map((bar) => loudest * (bar / loudest) ** power);
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
