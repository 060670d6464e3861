import { prefs } from "@/lib/prefs";
import { createStore, useStore } from "@/lib/store";
import {
  canChooseDevice,
  chooseDevice,
  followDevices,
  isRouted,
  noteDevices,
  route,
  type Device,
  type Sink,
} from "./device";

/** A part of the page that plays audio: the player, takes, previews of voices. */
export interface AudioSource {
  /** Called when another source starts. */
  stop(): void;
}

/** An audio element, or what plays like one. */
type Playable = Pick<HTMLAudioElement, "play" | "pause" | "paused" | "volume"> & {
  /** What is played on a device, where it is not the sound itself. */
  readonly sink?: Sink | undefined;
};

const volume = createStore(prefs.get().volume);
let active: AudioSource | null = null;
let element: Playable | null = null;
let claims = 0;

const sinkOf = (sound: Playable): Sink => sound.sink ?? (sound as Sink);

/** The only audio output of the window: at most one source plays, and all have one volume and one device. */
export const output = {
  /** Makes a source active and stops the previous one; call it when a person starts the source, before it loads. */
  claim(source: AudioSource): void {
    claims += 1;
    if (active === source) return;
    const before = active;
    active = source;
    element = null;
    before?.stop();
  },

  /** Plays an element of a source, unless another source was started meanwhile. */
  async play(source: AudioSource, next: Playable): Promise<void> {
    if (active !== source) return;
    if (element !== next) element?.pause();
    element = next;
    element.volume = volume.get();
    if (!isRouted(sinkOf(next))) {
      await route(sinkOf(next));
      if (element !== next) return;
    }
    await next.play();
  },

  /** Returns a function that reports whether another sound was started since now and still plays. */
  watch(): () => boolean {
    const before = claims;
    return () => claims !== before && element !== null && !element.paused;
  },
  /** Lets a source go on with another element, which plays already. */
  replace(source: AudioSource, next: Playable): void {
    if (active !== source) return next.pause();
    element = next;
    next.volume = volume.get();
  },
  /** Plays on another device from now on, which is stored in this browser. */
  setDevice(device: Device): void {
    chooseDevice(device);
    if (element) void route(sinkOf(element));
  },
  /** Sets the volume, 0 to 1. `keep` stores it in this browser. */
  setVolume(next: number, keep = true): void {
    volume.set(next);
    if (element) element.volume = next;
    if (keep) prefs.set({ volume: next });
  },
};

/** Keeps what plays on the chosen device while devices come and go. Returns a function that stops. */
export function connectOutput(): () => void {
  if (!canChooseDevice()) return () => undefined;
  return followDevices((all) => {
    if (all.length > 0) noteDevices(all);
    if (element) void route(sinkOf(element));
  });
}

export function useVolume(): number {
  return useStore(volume);
}
