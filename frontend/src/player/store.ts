import { apiUrl } from "@/api/client";
import { readGeneration } from "@/api/generations";
import { isScript, readScript } from "@/api/scripts";
import { isTranscript, readTranscript } from "@/api/transcriptions";
import type { Chunk, Generation } from "@/api/types";
import { createStore, useStore, useStorePart } from "@/lib/store";
import { output } from "./output";

/** What the player needs of a generation; joined scripts and transcripts are played as one too. */
export type Sound = Pick<
  Generation,
  "id" | "title" | "text" | "status" | "duration" | "audio_url" | "audio_path" | "chunks"
>;

export interface PlayerState {
  generation: Sound | null;
  playing: boolean;
  /** Seconds. */
  duration: number;
  rate: number;
  /** The audio could not be played. */
  failed: boolean;
}

const store = createStore<PlayerState>({
  generation: null,
  playing: false,
  duration: 0,
  rate: 1,
  failed: false,
});
/** The playhead in seconds, separate from the rest because it changes with every frame. */
const position = createStore(0);
let audio: HTMLAudioElement | null = null;
let renewedAt = 0; // when the address was last renewedAt
let frame: number | null = null;

const change = (part: Partial<PlayerState>) => store.set((s) => ({ ...s, ...part }));

const source = { stop: () => audio?.pause() };

/** The audio element of the player, created at the first use. */
function element(): HTMLAudioElement {
  if (audio) return audio;
  audio = new Audio();
  audio.preload = "auto";
  audio.addEventListener("timeupdate", updatePosition);
  audio.addEventListener("play", () => {
    output.claim(source); // media keys start it too
    change({ playing: true, failed: false });
    updateEachFrame();
  });
  audio.addEventListener("pause", () => {
    change({ playing: false });
    updatePosition();
  });
  audio.addEventListener("ended", () => change({ playing: false }));
  audio.addEventListener("error", () => void renew());
  return audio;
}

function updatePosition(): void {
  if (audio && store.get().generation) position.set(audio.currentTime);
}

/** Updates the position with every frame: timeupdate events are up to 250 ms apart. */
function updateEachFrame(): void {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    updatePosition();
    if (audio && !audio.paused) updateEachFrame();
  });
}

/** Returns the same sound with an audio address that is valid for another hour. */
async function withNewAddress(sound: Sound): Promise<Sound> {
  const { id } = sound;
  if (!isScript(id) && !isTranscript(id)) return readGeneration(id);
  const { audio_url, audio_path, duration } = await (isScript(id) ? readScript(id) : readTranscript(id));
  return { ...sound, audio_url, audio_path, duration };
}

/** Renews the address after an error, at most every 10 s: addresses of audio expire after an hour. */
async function renew(): Promise<void> {
  const { generation, playing } = store.get();
  if (!generation) return;
  if (Date.now() - renewedAt < 10_000) return change({ failed: true, playing: false });
  renewedAt = Date.now();
  const time = position.get();
  try {
    const again = await withNewAddress(generation);
    if (store.get().generation?.id !== again.id) return;
    setSource(again, time);
    if (playing) await output.play(source, element());
  } catch {
    change({ failed: true, playing: false });
  }
}

function setSource(generation: Sound, time: number): void {
  const audio = element();
  audio.src = apiUrl(generation.audio_url);
  audio.currentTime = time;
  audio.playbackRate = store.get().rate;
  position.set(time);
  change({ generation, duration: generation.duration, failed: false });
}

export const player = {
  get: store.get,
  subscribe: store.subscribe,
  /** Loads a finished generation; another take of the same one keeps the position. */
  load(generation: Sound, options: { play?: boolean; at?: number } = {}): void {
    const now = store.get();
    const same = now.generation?.id === generation.id;
    if (!same) renewedAt = 0;
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
    if (!store.get().generation) return;
    output.claim(source);
    output.play(source, element()).catch(() => change({ playing: false })); // a browser may require a click first
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
  setVolume: output.setVolume,
  /** Stops and hides the bar. */
  close(): void {
    audio?.pause();
    audio?.removeAttribute("src");
    position.set(0);
    change({ generation: null, playing: false, duration: 0, failed: false });
  },
};

const takesOf = (generation: Sound | null): string => generation?.chunks.map((chunk) => chunk.take).join() ?? "";

export function chunkAt(chunks: readonly Chunk[], time: number): number {
  return chunks.findIndex((chunk) => time >= chunk.start && time < chunk.end);
}

/** The state of the player without the playhead. */
export function usePlayer(): PlayerState {
  return useStore(store);
}

/** The playhead, for parts that move without rendering. */
export const playhead = { get: position.get, subscribe: position.subscribe };

/** Returns a value derived from the playhead; renders only when it changes. */
export function usePlayhead<P>(pick: (seconds: number) => P): P {
  return useStorePart(position, pick);
}

/** Reports whether this generation is loaded and playing. */
export function usePlaying(id: string | undefined): "playing" | "paused" | "other" {
  return useStorePart(store, (s) =>
    id === undefined || s.generation?.id !== id ? "other" : s.playing ? "playing" : "paused",
  );
}

const loaded = (s: PlayerState) => s.generation;

/** Returns the chunk of this generation under the playhead, -1 if there is none. */
export function usePlayingChunk(id: string | undefined): number {
  const generation = useStorePart(store, loaded);
  return usePlayhead((time) => (generation && generation.id === id ? chunkAt(generation.chunks, time) : -1));
}
