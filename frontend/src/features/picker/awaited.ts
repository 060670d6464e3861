import { createStore, useStore } from "@/lib/store";
import type { Voice } from "@/features/voices/library";

/** A voice that a screen chooses once its model is downloaded. */
export interface Awaited {
  model: string;
  /** The voice; without it the model's first one that speaks the language. */
  voice?: Voice | undefined;
  language: string;
  /** The id of the profile in use at the time: whoever chooses another one keeps it. */
  inUse: string | undefined;
  /** The profiles that existed before the download. */
  before: ReadonlySet<string>;
  /** The text, as Studio counts those that were opened, to speak with the voice. */
  speakText?: number | undefined;
  /** The generation to speak again with the voice. */
  speakAgain?: string | undefined;
}

/** By place, such as the text of Studio or a speaker of a script. */
const all = createStore<ReadonlyMap<string, Awaited>>(new Map());

export const awaitVoice = (place: string, awaited: Awaited): void =>
  all.set((before) => new Map(before).set(place, awaited));

export const forgetAwaited = (place: string): void =>
  all.set((before) => (before.has(place) ? new Map([...before].filter(([other]) => other !== place)) : before));

export const useAwaited = (place: string): Awaited | undefined => useStore(all).get(place);
