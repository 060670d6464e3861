import { createStore, useStorePart } from "@/lib/store";

/** What a sound is a part of: a chapter of a book. */
export interface Track {
  /** Of the chapter. */
  title: string;
  /** Of the book. */
  album: string;
  artist: string;
  /** The address of the page that shows the book. */
  href: string;
  previous(): void;
  /** null for the last chapter. */
  next: (() => void) | null;
}

const store = createStore<{ id: string; track: Track } | null>(null);

/** Says what the sound with this id is a part of, while it is loaded or awaited. */
export const setTrack = (id: string, track: Track): void => store.set({ id, track });
export const clearTrack = (): void => store.set(null);
export const subscribeToTrack = store.subscribe;

/** Returns what a sound is a part of; null for one that stands for itself. */
export function trackOf(id: string | undefined): Track | null {
  const known = store.get();
  return known !== null && known.id === id ? known.track : null;
}

export const useTrack = (id: string): Track | null =>
  useStorePart(store, (known) => (known?.id === id ? known.track : null));
