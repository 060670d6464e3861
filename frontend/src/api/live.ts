import { createStore, useStore } from "@/lib/store";
import type { DownloadEvent } from "./eventSchemas";
import { hasEnded, type Generation, type GenerationStatus, type ModelProgress } from "./types";

/** The state of a running generation, as the event stream reports it. */
export interface LiveGeneration {
  id: string;
  status: GenerationStatus;
  progress: number;
  /** What it is made for: a book. */
  request?: Generation["request"];
}

/** The state of a download, as the event stream reports it; the speed is that of the last seconds. */
export interface LiveDownload {
  model_name: string;
  status: ModelProgress["status"];
  current: number;
  total: number;
  bytesPerSecond: number;
  etaSeconds: number | null;
  /** Set while the server waits before the next attempt. */
  retry: ModelProgress["retry"] | null;
  at: number;
}

const generations = createStore<ReadonlyMap<string, LiveGeneration>>(new Map());
/** Generations with an event since the stream opened, and those that ended since: responses may be older than these. */
const reported = new Set<string>();
const ended = new Set<string>();
const downloads = createStore<ReadonlyMap<string, LiveDownload>>(new Map());

function changed<V>(map: ReadonlyMap<string, V>, key: string, value: V | undefined): ReadonlyMap<string, V> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}

/** Applies an event of the stream, which is always the newest state. */
export function applyGenerationEvent(state: LiveGeneration): void {
  reported.add(state.id);
  if (hasEnded(state.status)) ended.add(state.id);
  else ended.delete(state.id); // a retry
  store(state);
}

/** Reports whether a response may be older than the event that ended its generation. */
export const mayBeOlder = ({ id, status }: Pick<LiveGeneration, "id" | "status">): boolean =>
  !hasEnded(status) && ended.has(id);

/** Says that a generation that has ended is requested again: the response is newer than the event that ended it. */
export const expectAgain = (id: string): void => void ended.delete(id);

/** Applies a response, unless it arrives after the event that ended the generation. */
export function applyGeneration(state: LiveGeneration): void {
  if (!mayBeOlder(state)) store(state);
}

function store(state: LiveGeneration): void {
  const before = generations.get().get(state.id);
  if (hasEnded(state.status)) {
    if (before) generations.set((map) => changed(map, state.id, undefined));
    return;
  }
  const again = before?.status !== "generating" && state.status === "queued"; // a retry starts at 0
  const progress = again ? state.progress : Math.max(state.progress, before?.progress ?? 0);
  const { id, status, request = before?.request ?? null } = state;
  generations.set((map) => changed(map, id, { id, status, progress, request }));
}

/** Forgets the events of the previous stream, as a new one has opened. */
export function startStream(): void {
  reported.clear();
  ended.clear();
}

/** Replaces all states from before the stream opened, since ends may have been missed. Events since then win. */
export function setGenerations(states: LiveGeneration[]): void {
  const newer = [...generations.get()].filter(([id]) => reported.has(id));
  const listed = states.filter((state) => !reported.has(state.id)).map((state) => [state.id, state] as const);
  generations.set(new Map([...listed, ...newer]));
}

/** Applies an event of a download, at `now` in milliseconds. */
export function applyDownloadEvent(event: DownloadEvent, now = Date.now()): void {
  if (event.status === "complete" || event.status === "error" || event.status === "idle") {
    downloads.set((map) => (map.has(event.model_name) ? changed(map, event.model_name, undefined) : map));
    return;
  }
  const { model_name, status, current, total } = event;
  downloads.set((map) =>
    changed(map, model_name, {
      model_name,
      status,
      current,
      total,
      retry: event.retry ?? null,
      at: now,
      bytesPerSecond: event.bytes_per_second ?? 0,
      etaSeconds: event.eta_seconds ?? null,
    }),
  );
}

export function clearDownloads(): void {
  downloads.set(new Map());
}

/** All queued and running generations, oldest first. */
export function useLiveGenerations(): LiveGeneration[] {
  const map = useStore(generations);
  return [...map.values()].sort((a, b) => a.id.localeCompare(b.id)); // ids contain their time
}

/** The generations that do not belong to a book: those give way to all others, and are shown with their book. */
export const useOwnGenerations = (): LiveGeneration[] =>
  useLiveGenerations().filter(({ request }) => !request?.book_id);

export function useLiveGeneration(id: string | undefined): LiveGeneration | undefined {
  const map = useStore(generations);
  return id === undefined ? undefined : map.get(id);
}

export function useLiveDownload(name: string): LiveDownload | undefined {
  return useStore(downloads).get(name);
}

export function useLiveDownloads(): LiveDownload[] {
  return [...useStore(downloads).values()];
}
