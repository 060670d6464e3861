/** The hue of each engine in the bar of used space. */
const hues: Record<string, number> = { kokoro: 190, supertonic: 285, kitten: 60, piper: 235 };

export function engineColour(engine: string): string {
  const hue = hues[engine];
  return hue === undefined ? "var(--wave)" : `oklch(var(--sp-l) var(--sp-c) ${hue})`;
}
