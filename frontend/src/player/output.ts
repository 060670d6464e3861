import { prefs } from "@/lib/prefs";
import { createStore, useStore } from "@/lib/store";

/** A part of the page that plays audio: the player, takes, previews of voices. */
export interface AudioSource {
  /** Called when another source starts. */
  stop(): void;
}

const volume = createStore(prefs.get().volume);
let active: AudioSource | null = null;
let element: HTMLAudioElement | null = null;

/** The only audio output of the window: at most one source plays, and all have one volume. */
export const output = {
  /** Makes a source active and stops the previous one; call it when a person starts the source, before it loads. */
  claim(source: AudioSource): void {
    if (active === source) return;
    const before = active;
    active = source;
    element = null;
    before?.stop();
  },

  /** Plays an element of a source, unless another source was started meanwhile. */
  async play(source: AudioSource, next: HTMLAudioElement): Promise<void> {
    if (active !== source) return;
    if (element !== next) element?.pause();
    element = next;
    element.volume = volume.get();
    await element.play();
  },

  /** Sets the volume, 0 to 1. `keep` stores it in this browser. */
  setVolume(next: number, keep = true): void {
    volume.set(next);
    if (element) element.volume = next;
    if (keep) prefs.set({ volume: next });
  },
};

export function useVolume(): number {
  return useStore(volume);
}
