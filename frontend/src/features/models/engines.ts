import type { Model } from "@/api/types";

/** The engines that this program speaks with, and the hue of each in the bar of used space. Models of other engines stand in
 * the registry already, but nothing could be done with them, so they show only when their files lie here. */
const hues: Record<string, number> = { kokoro: 190, supertonic: 285, kitten: 60, piper: 235 };

export const knownEngines = Object.keys(hues);

export function engineColour(engine: string): string {
  const hue = hues[engine];
  return hue === undefined ? "var(--wave)" : `oklch(var(--sp-l) var(--sp-c) ${hue})`;
}

const names: Record<string, string> = { kokoro: "Kokoro", supertonic: "Supertonic", kitten: "KittenTTS", piper: "Piper" };

/** Engines have names, not words: they are the same in every language. */
export const engineName = (engine: string): string => names[engine] ?? engine;

export const isKnown = (model: Model): boolean => knownEngines.includes(model.engine);
