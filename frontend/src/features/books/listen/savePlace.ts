import { api, dataOf } from "@/api/client";
import { createStore } from "@/lib/store";
import { player, playhead } from "@/player";
import type { Place } from "./chapters";

const interval = 8_000; // ms between two while it plays

interface Heard {
  book: string;
  place: Place;
}

/** Stores in the library where a book is heard: every few seconds, when it pauses and when the page closes. */
export function savePlaces(current: () => Heard | null) {
  const known = createStore<ReadonlyMap<string, Place>>(new Map());
  let last = 0;
  let wasPlaying = false;

  function save(keepalive = false): void {
    const heard = current();
    if (!heard) return;
    const { book, place } = heard;
    const before = known.get().get(book);
    if (before?.chapter_id === place.chapter_id && before.seconds === place.seconds) return;
    last = Date.now();
    known.set((map) => new Map(map).set(book, place));
    const params = { path: { book_id: book } };
    // The next one is a few seconds later, so that one which fails is no loss.
    dataOf(api.PUT("/books/{book_id}/place", { params, body: place, keepalive })).catch(() => undefined);
  }

  playhead.subscribe(() => {
    if (player.get().playing && Date.now() - last >= interval) save();
  });
  player.subscribe(() => {
    const { playing } = player.get();
    if (wasPlaying && !playing) save();
    wasPlaying = playing;
  });
  window.addEventListener("pagehide", () => save(true));
  return { known, restart: () => void (last = 0) };
}
