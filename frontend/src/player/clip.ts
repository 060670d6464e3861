import { failureOf, isAbort } from "@/api/errors";
import { createStore, useStorePart } from "@/lib/store";
import { output } from "./output";

type State = "loading" | "playing";
interface Clip {
  id: string | null;
  state: State;
  error: unknown;
}
interface ClipRequest {
  /** A name that no other clip has. */
  id: string;
  load(signal: AbortSignal): Promise<Blob>;
  /** The seconds to play; the complete clip if left out. */
  part?: { from: number; to: number } | undefined;
}

const idle: Clip = { id: null, state: "playing", error: null };
const store = createStore<Clip>(idle);
const head = createStore(0);
const source = { stop: stopClip };
let audio: HTMLAudioElement | null = null;
let pending: AbortController | null = null;

/** The position in seconds of the clip that plays. */
export const clipHead = { get: head.get, subscribe: head.subscribe };

function release(): void {
  pending?.abort();
  pending = null;
  audio?.pause();
  if (audio?.src) URL.revokeObjectURL(audio.src);
  audio = null;
}

export function stopClip(): void {
  release();
  store.set(idle);
}

/** Moves the position with the audio and stops at the end of the part. */
function follow(element: HTMLAudioElement, to: number): void {
  const move = () => {
    if (audio !== element) return;
    head.set(Math.min(to, element.currentTime));
    if (element.currentTime >= to) stopClip();
    else requestAnimationFrame(move);
  };
  move();
}

function causeOf(error: unknown): unknown {
  return error instanceof DOMException && error.name === "NotSupportedError"
    ? failureOf({ code: "not_playable", detail: error.message, remedy: "" })
    : error;
}

async function start({ id, load, part }: ClipRequest): Promise<void> {
  release();
  output.claim(source);
  const request = new AbortController();
  pending = request;
  store.set({ id, state: "loading", error: null });
  try {
    const file = await load(request.signal);
    if (pending !== request) return;
    const next = new Audio(URL.createObjectURL(file));
    audio = next;
    next.currentTime = part?.from ?? 0;
    next.addEventListener("ended", () => audio === next && stopClip());
    await output.play(source, next);
    if (audio !== next) return;
    store.set({ id, state: "playing", error: null });
    follow(next, part?.to ?? Infinity);
  } catch (error) {
    if (isAbort(error) || pending !== request) return;
    release();
    store.set({ ...idle, error: causeOf(error) });
  }
}

/** Plays a short recording or a part of it, or stops it. */
export function toggleClip(request: ClipRequest): void {
  if (store.get().id === request.id) stopClip();
  else void start(request);
}

export function useClipState(id: string): State | undefined {
  return useStorePart(store, (s) => (s.id === id ? s.state : undefined));
}

/** The error of the last clip; null unless it failed. */
export function useClipError(): unknown {
  return useStorePart(store, errorOf);
}

const errorOf = (s: Clip): unknown => s.error;
