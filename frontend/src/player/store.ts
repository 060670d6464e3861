import { apiUrl, api } from "@/api/client";
import type { Chunk, Generation } from "@/api/types";
import { createStore, useStore, useStorePart } from "@/lib/store";

export interface PlayerState {
  generation: Generation | null;
  playing: boolean;
  /** Seconds. */
  time: number;
  duration: number;
  rate: number;
  volume: number;
  /** The sound could not be played. */
  failed: boolean;
}

const first: PlayerState = { generation: null, playing: false, time: 0, duration: 0, rate: 1, volume: 1, failed: false };
const store = createStore<PlayerState>(first);
let audio: HTMLAudioElement | null = null;
let renewed = 0; // when the address was last asked for anew

const change = (part: Partial<PlayerState>) => store.set((s) => ({ ...s, ...part }));

/** The one sound element of the window, made at the first use. */
function element(): HTMLAudioElement {
  if (audio) return audio;
  audio = new Audio();
  audio.preload = "auto";
  audio.addEventListener("timeupdate", () => change({ time: audio?.currentTime ?? 0 }));
  audio.addEventListener("play", () => { change({ playing: true, failed: false }); follow(); });
  audio.addEventListener("pause", () => change({ playing: false }));
  audio.addEventListener("ended", () => change({ playing: false }));
  audio.addEventListener("error", () => void renew());
  return audio;
}

/** Between two timeupdate events lie up to 250 ms, too rough for a playhead. */
function follow(): void {
  if (!audio || audio.paused) return;
  change({ time: audio.currentTime });
  requestAnimationFrame(follow);
}

/** Addresses of sound live for an hour; an older one is asked for again, once. */
async function renew(): Promise<void> {
  const { generation, time, playing } = store.get();
  if (!generation || Date.now() - renewed < 10_000) return change({ failed: true, playing: false });
  renewed = Date.now();
  try {
    const fresh = await api.get("/history/{generation_id}", { path: { generation_id: generation.id } });
    if (store.get().generation?.id !== fresh.id) return;
    setSource(fresh, time);
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
  change({ generation, time, duration: generation.duration, failed: false });
}

export const player = {
  get: store.get,
  subscribe: store.subscribe,
  /** Takes a finished generation; another take of the same one keeps the place. */
  load(generation: Generation, options: { play?: boolean; at?: number } = {}): void {
    const now = store.get();
    const same = now.generation?.id === generation.id;
    const changed = !same || now.duration !== generation.duration || takesOf(now.generation) !== takesOf(generation);
    if (changed) setSource(generation, options.at ?? (same ? Math.min(now.time, generation.duration) : 0));
    else if (options.at !== undefined) player.seek(options.at);
    if (options.play) player.play();
  },
  play(): void {
    if (store.get().generation) element().play().catch(() => change({ playing: false })); // a browser may want a click first
  },
  pause: (): void => element().pause(),
  toggle: (): void => (store.get().playing ? player.pause() : player.play()),
  seek(seconds: number): void {
    const time = Math.max(0, Math.min(seconds, store.get().duration));
    element().currentTime = time;
    change({ time });
  },
  setRate(rate: number): void {
    element().playbackRate = rate;
    change({ rate });
  },
  setVolume(volume: number): void {
    element().volume = volume;
    change({ volume });
  },
  /** Stops and hides the bar. */
  close(): void {
    audio?.pause();
    audio?.removeAttribute("src");
    change({ generation: null, playing: false, time: 0, duration: 0, failed: false });
  },
};

const takesOf = (generation: Generation | null): string => generation?.chunks.map((chunk) => chunk.take).join() ?? "";

export function chunkAt(chunks: readonly Chunk[], time: number): number {
  return chunks.findIndex((chunk) => time >= chunk.start && time < chunk.end);
}

/** The player with its time: renders with every step of the playhead. */
export function usePlayer(): PlayerState & typeof player {
  return { ...useStore(store), ...player };
}

/** Whether this generation is loaded, and whether it sounds: renders only when that changes. */
export function usePlaying(id: string | undefined): "playing" | "paused" | "other" {
  return useStorePart(store, (s) => (id === undefined || s.generation?.id !== id ? "other" : s.playing ? "playing" : "paused"));
}

/** Which chunk of this generation is under the playhead, -1 for none: for marks in the text. */
export function usePlayingChunk(id: string | undefined): number {
  return useStorePart(store, (s) => (s.generation && s.generation.id === id ? chunkAt(s.generation.chunks, s.time) : -1));
}
