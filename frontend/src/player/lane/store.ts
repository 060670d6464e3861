import { createStore, useStorePart } from "@/lib/store";
import type { LaneTurn } from "./stretches";

/** Who speaks when in a sound. */
export interface SpeakerLane {
  /** The names, and the class that sets the colour of each. */
  speakers: readonly { name: string; className: string }[];
  turns: readonly LaneTurn[];
  /** Numbers of the speakers who step back; the others are shown in full. */
  dimmed: ReadonlySet<number>;
  /** All of it in words. */
  summary: string;
}

const store = createStore<{ id: string; lane: SpeakerLane } | null>(null);

/** Shows who speaks when under the waveform of the sound with this id, while it is loaded; null shows nothing. */
export const setLane = (id: string, lane: SpeakerLane | null): void =>
  store.set((known) => (lane ? { id, lane } : known?.id === id ? null : known));

export const useLane = (id: string): SpeakerLane | null =>
  useStorePart(store, (known) => (known?.id === id ? known.lane : null));
