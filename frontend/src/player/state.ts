import { hasEnded, type Chunk, type Generation, type LivePeaks } from "@/api/types";
import { createStore, useStore, useStorePart } from "@/lib/store";

/** What the player needs of a generation; joined scripts and transcripts are played as one too. */
export type Sound = Pick<
  Generation,
  "id" | "title" | "text" | "status" | "duration" | "audio_url" | "audio_path" | "chunks"
> &
  Partial<Pick<Generation, "profile_name">>;

/** What there is of a running generation. */
export interface Growth {
  /** Of all audio so far. */
  seconds: number;
  peaks: LivePeaks["peaks"];
  chunks: LivePeaks["chunks"];
}

export interface PlayerState {
  generation: Sound | null;
  playing: boolean;
  /** Seconds. */
  duration: number;
  rate: number;
  /** The audio could not be played. */
  failed: boolean;
  /** The peaks of a generation that is still made; null for a complete one. */
  growing: Growth["peaks"] | null;
  /** The chunks that there are of a changed text while it is made; those of its generation are of the version before. */
  revised: readonly Chunk[];
  /** Where playing goes on by itself when there is more speech, in seconds; null unless it waits. */
  waiting: number | null;
}

/** How a sound is loaded. */
export interface LoadOptions {
  play?: boolean;
  /** Seconds. */
  at?: number;
  /** Called once when the sound has been played to its end, or a generation that is made failed and has no more. */
  onPlayed?: (() => void) | undefined;
}

/** How a generation is followed while it is made. */
export interface FollowOptions extends Pick<LoadOptions, "onPlayed"> {
  play: boolean;
  /** Reports whether another sound plays that is not to be stopped. */
  busy: () => boolean;
  /** The text of the generation is being changed: it begins with the first new passage. */
  changes?: boolean;
  /** Called when it is loaded. */
  onStart?: () => void;
}

export const store = createStore<PlayerState>({
  generation: null,
  playing: false,
  duration: 0,
  rate: 1,
  failed: false,
  growing: null,
  revised: [],
  waiting: null,
});
/** Changes a part of the state. */
export const change = (part: Partial<PlayerState>) => store.set((s) => ({ ...s, ...part }));
/** The playhead in seconds, separate from the rest because it changes with every frame. */
export const position = createStore(0);

/** Returns the state of a sound of which there is so much. */
export function grown(generation: Sound, { seconds, peaks, chunks }: Growth, changes: boolean): Partial<PlayerState> {
  const found = chunks.map((chunk) => ({ text: "", ...chunk, take: 0, takes: 1 }));
  return {
    generation: { ...generation, duration: seconds, chunks: changes ? [] : found },
    revised: changes ? found : [],
    duration: seconds,
    growing: peaks,
  };
}

/** Reports whether the loaded sound is what was finished of a stopped or failed generation. */
export const isPartial = ({ generation, growing }: PlayerState): boolean =>
  growing !== null && generation !== null && generation.status !== "complete" && hasEnded(generation.status);

/** Reports whether nothing is left to hear of a generation: it was cancelled, or what was finished of it is deleted. */
export const isDropped = ({ status, partial }: Generation, heard: PlayerState): boolean =>
  partial === null && (status === "cancelled" || (status === "failed" && isPartial(heard)));

const takesOf = (generation: Sound | null): string => generation?.chunks.map((chunk) => chunk.take).join() ?? "";

/** Reports whether a sound has other audio than the loaded one. */
export const isOther = ({ generation, duration, failed }: PlayerState, next: Sound): boolean =>
  generation?.id !== next.id ||
  failed ||
  duration !== next.duration ||
  takesOf(generation) !== takesOf(next) ||
  generation.audio_path !== next.audio_path;

export function chunkAt(chunks: readonly Chunk[], time: number): number {
  return chunks.findIndex((chunk) => time >= chunk.start && time < chunk.end);
}

/** Returns how much of the passage under the playhead has been heard, 0 to 1; of all audio where it has no passages. */
export function heardPart(): number {
  const { generation, revised, duration } = store.get();
  const time = position.get();
  const chunks = revised.length > 0 ? revised : (generation?.chunks ?? []);
  const { start, end } = chunks[chunkAt(chunks, time)] ?? { start: 0, end: duration };
  return end > start ? Math.max(0, Math.min(1, (time - start) / (end - start))) : 0;
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
const revisedOf = (s: PlayerState) => s.revised;

/** Returns the chunk of this generation under the playhead, -1 if there is none. */
export function usePlayingChunk(id: string | undefined): number {
  const generation = useStorePart(store, loaded);
  return usePlayhead((time) => (generation && generation.id === id ? chunkAt(generation.chunks, time) : -1));
}

/** Returns the number in `revised` of the chunk of this generation under the playhead, -1 if there is none. */
export function usePlayingRevised(id: string | undefined): number {
  const generation = useStorePart(store, loaded);
  const revised = useStorePart(store, revisedOf);
  return usePlayhead((time) => (generation && generation.id === id ? chunkAt(revised, time) : -1));
}
