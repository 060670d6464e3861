import { apiUrl } from "@/api/client";
import { readGeneration } from "@/api/generations";
import { isScript, readScript } from "@/api/scripts";
import type { Chunk, Generation } from "@/api/types";
import { prefs } from "@/lib/prefs";
import { createStore, useStore, useStorePart } from "@/lib/store";

export interface PlayerState {
  generation: Generation | null;
  playing: boolean;
  /** Seconds. */
  duration: number;
  rate: number;
  /** 0 to 1. */
  volume: number;
  /** The sound could not be played. */
  failed: boolean;
}

const store = createStore<PlayerState>({
  generation: null,
  playing: false,
  duration: 0,
  rate: 1,
  volume: prefs.get().volume,
  failed: false,
});
/** Where the sound is, in seconds: apart from the rest, as it changes with every frame. */
const position = createStore(0);
let audio: HTMLAudioElement | null = null;
let renewed = 0; // when the address was last asked for anew
let frame: number | null = null;

const change = (part: Partial<PlayerState>) => store.set((s) => ({ ...s, ...part }));

/** The one sound element of the window, made at the first use. */
function element(): HTMLAudioElement {
  if (audio) return audio;
  audio = new Audio();
  audio.preload = "auto";
  audio.volume = store.get().volume;
  audio.addEventListener("timeupdate", tell);
  audio.addEventListener("play", () => {
    change({ playing: true, failed: false });
    follow();
  });
  audio.addEventListener("pause", () => {
    change({ playing: false });
    tell();
  });
  audio.addEventListener("ended", () => change({ playing: false }));
  audio.addEventListener("error", () => void renew());
  return audio;
}

function tell(): void {
  if (audio && store.get().generation) position.set(audio.currentTime);
}

/** Between two timeupdate events lie up to 250 ms, too rough for a playhead. */
function follow(): void {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    tell();
    if (audio && !audio.paused) follow();
  });
}

/** The same sound with an address that works for another hour. */
async function fresh(generation: Generation): Promise<Generation> {
  if (!isScript(generation.id)) return readGeneration(generation.id);
  const { audio_url, audio_path, duration } = await readScript(generation.id);
  return { ...generation, audio_url, audio_path, duration };
}

/** Addresses of sound live for an hour; an older one is asked for again, once. */
async function renew(): Promise<void> {
  const { generation, playing } = store.get();
  if (!generation) return;
  if (Date.now() - renewed < 10_000) return change({ failed: true, playing: false });
  renewed = Date.now();
  const time = position.get();
  try {
    const again = await fresh(generation);
    if (store.get().generation?.id !== again.id) return;
    setSource(again, time);
    if (playing) await element().play();
  } catch {
    change({ failed: true, playing: false });
  }
}

function setSource(generation: Generation, time: number): void {
  const sound = element();
  sound.src = apiUrl(generation.audio_url);
  sound.currentTime = time;
  sound.playbackRate = store.get().rate;
  position.set(time);
  change({ generation, duration: generation.duration, failed: false });
}

export const player = {
  get: store.get,
  subscribe: store.subscribe,
  /** Takes a finished generation; another take of the same one keeps the place. */
  load(generation: Generation, options: { play?: boolean; at?: number } = {}): void {
    const now = store.get();
    const same = now.generation?.id === generation.id;
    if (!same) renewed = 0;
    const changed =
      !same ||
      now.failed ||
      now.duration !== generation.duration ||
      takesOf(now.generation) !== takesOf(generation) ||
      now.generation?.audio_path !== generation.audio_path;
    if (changed) setSource(generation, options.at ?? (same ? Math.min(position.get(), generation.duration) : 0));
    else if (options.at !== undefined) player.seek(options.at);
    if (options.play) player.play();
  },
  play(): void {
    if (store.get().generation)
      element()
        .play()
        .catch(() => change({ playing: false })); // a browser may want a click first
  },
  pause: (): void => element().pause(),
  toggle: (): void => (store.get().playing ? player.pause() : player.play()),
  seek(seconds: number): void {
    const time = Math.max(0, Math.min(seconds, store.get().duration));
    element().currentTime = time;
    position.set(time);
  },
  setRate(rate: number): void {
    element().playbackRate = rate;
    change({ rate });
  },
  /** 0 to 1; `keep` remembers it in this window. */
  setVolume(volume: number, keep = true): void {
    element().volume = volume;
    change({ volume });
    if (keep) prefs.set({ volume });
  },
  /** Stops and hides the bar. */
  close(): void {
    audio?.pause();
    audio?.removeAttribute("src");
    position.set(0);
    change({ generation: null, playing: false, duration: 0, failed: false });
  },
};

const takesOf = (generation: Generation | null): string => generation?.chunks.map((chunk) => chunk.take).join() ?? "";

export function chunkAt(chunks: readonly Chunk[], time: number): number {
  return chunks.findIndex((chunk) => time >= chunk.start && time < chunk.end);
}

/** What is loaded and whether it sounds: renders when that changes, never by the playhead. */
export function usePlayer(): PlayerState {
  return useStore(store);
}

/** The playhead, for what is moved without rendering. */
export const playhead = { get: position.get, subscribe: position.subscribe };

/** Something worked out of the place of the playhead: renders only when that is another one. */
export function usePlayhead<P>(pick: (seconds: number) => P): P {
  return useStorePart(position, pick);
}

/** Whether this generation is loaded, and whether it sounds: renders only when that changes. */
export function usePlaying(id: string | undefined): "playing" | "paused" | "other" {
  return useStorePart(store, (s) =>
    id === undefined || s.generation?.id !== id ? "other" : s.playing ? "playing" : "paused",
  );
}

const loaded = (s: PlayerState) => s.generation;

/** Which chunk of this generation is under the playhead, -1 for none: for marks in the text. */
export function usePlayingChunk(id: string | undefined): number {
  const generation = useStorePart(store, loaded);
  return usePlayhead((time) => (generation && generation.id === id ? chunkAt(generation.chunks, time) : -1));
}
