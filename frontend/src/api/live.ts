import { createStore, useStore, useStorePart } from "@/lib/store";
import { hasEnded, type GenerationStatus, type ModelProgress } from "./types";

/** What the stream says about a generation that is being made. */
export interface LiveGeneration {
  id: string;
  status: GenerationStatus;
  progress: number;
}

/** What the stream says about a download; speed and time left are measured here. */
export interface LiveDownload {
  model_name: string;
  status: ModelProgress["status"];
  current: number;
  total: number;
  bytesPerSecond: number;
  etaSeconds: number | null;
  /** While the program waits to ask again, after an attempt that failed. */
  retry: ModelProgress["retry"] | null;
  at: number;
}

const generations = createStore<ReadonlyMap<string, LiveGeneration>>(new Map());
/** What this stream told of, and what has ended since it opened: answers of requests may be older than that. */
const heard = new Set<string>();
const ended = new Set<string>();
const downloads = createStore<ReadonlyMap<string, LiveDownload>>(new Map());

function changed<V>(map: ReadonlyMap<string, V>, key: string, value: V | undefined): ReadonlyMap<string, V> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}

/** An event of the stream: the newest that is known. */
export function noteGeneration(state: LiveGeneration): void {
  heard.add(state.id);
  if (hasEnded(state.status)) ended.add(state.id);
  else ended.delete(state.id); // a retry
  show(state);
}

/** The answer of a request: it may come after the event that the work has ended, and does not bring it back. */
export function noteAnswer(state: LiveGeneration): void {
  if (hasEnded(state.status) || !ended.has(state.id)) show(state);
}

function show(state: LiveGeneration): void {
  const before = generations.get().get(state.id);
  if (hasEnded(state.status)) {
    if (before) generations.set((map) => changed(map, state.id, undefined));
    return;
  }
  const again = before?.status !== "generating" && state.status === "queued"; // a retry starts from nothing
  const progress = again ? state.progress : Math.max(state.progress, before?.progress ?? 0);
  generations.set((map) => changed(map, state.id, { id: state.id, status: state.status, progress }));
}

/** A stream has opened: what the one before told may be old. */
export function startHearing(): void {
  heard.clear();
  ended.clear();
}

/** Replaces what was known before the stream opened: ends may have been missed. What it told since then stays. */
export function setGenerations(states: LiveGeneration[]): void {
  const told = [...generations.get()].filter(([id]) => heard.has(id));
  const asked = states.filter((state) => !heard.has(state.id)).map((state) => [state.id, state] as const);
  generations.set(new Map([...asked, ...told]));
}

export function noteDownload(
  event: Pick<ModelProgress, "model_name" | "status" | "current" | "total" | "retry">,
  now = Date.now(),
): void {
  if (event.status === "complete" || event.status === "error" || event.status === "idle") {
    downloads.set((map) => (map.has(event.model_name) ? changed(map, event.model_name, undefined) : map));
    return;
  }
  const before = downloads.get().get(event.model_name);
  const speed = measure(before, event.current, now);
  const left = event.total - event.current;
  downloads.set((map) =>
    changed(map, event.model_name, {
      ...event,
      retry: event.retry ?? null,
      at: now,
      bytesPerSecond: speed,
      etaSeconds: speed > 0 ? left / speed : null,
    }),
  );
}

/** A speed that follows changes within about two seconds and does not jump from message to message. */
function measure(before: LiveDownload | undefined, current: number, now: number): number {
  if (!before || now <= before.at || current < before.current) return before?.bytesPerSecond ?? 0;
  const seconds = (now - before.at) / 1000;
  const present = (current - before.current) / seconds;
  if (before.bytesPerSecond === 0) return present;
  const weight = Math.min(1, seconds / 2);
  return before.bytesPerSecond * (1 - weight) + present * weight;
}

export function clearDownloads(): void {
  downloads.set(new Map());
}

/** All generations that wait or are being made, oldest first. */
export function useLiveGenerations(): LiveGeneration[] {
  const map = useStore(generations);
  return [...map.values()].sort((a, b) => a.id.localeCompare(b.id)); // ids carry their time
}

export function useLiveGeneration(id: string | undefined): LiveGeneration | undefined {
  const map = useStorePart(generations, (all) => all);
  return id === undefined ? undefined : map.get(id);
}

export function useLiveDownload(name: string): LiveDownload | undefined {
  return useStore(downloads).get(name);
}

export function useLiveDownloads(): LiveDownload[] {
  return [...useStore(downloads).values()];
}
