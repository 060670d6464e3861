import { isAbort } from "@/api/errors";
import { fetchHostedPreview } from "@/api/hosted";
import { fetchVoiceSample } from "@/api/models";
import { fetchPreview } from "@/api/profiles";
import { createStore, useStorePart } from "@/lib/store";
import { output } from "./output";

type State = "loading" | "playing" | "failed";
interface Preview {
  id: string | null;
  state: State;
  error: unknown;
}

const idle: Preview = { id: null, state: "playing", error: null };
const store = createStore<Preview>(idle);
const source = { stop: stopPreview };
let audio: HTMLAudioElement | null = null;
let pending: AbortController | null = null;

function release(): void {
  pending?.abort();
  pending = null;
  audio?.pause();
  if (audio?.src) URL.revokeObjectURL(audio.src);
  audio = null;
}

export function stopPreview(): void {
  release();
  store.set(idle);
}

/** The id of the published sample of a voice whose model is not downloaded. */
export const sampleId = (model: string, voice: string): string => `sample:${model}:${voice}`;

/** Previews of hosted voices have ids like "hosted:VOICE", published samples see sampleId; others are those of profiles. */
function fetchAudio(id: string, signal: AbortSignal): Promise<Blob> {
  const [prefix, name, ...voice] = id.split(":");
  if (prefix === "sample" && name) return fetchVoiceSample(name, voice.join(":"), signal);
  return prefix === "hosted" && name ? fetchHostedPreview(name, signal) : fetchPreview(id, signal);
}

async function start(id: string): Promise<void> {
  release();
  output.claim(source);
  const request = new AbortController();
  pending = request;
  store.set({ id, state: "loading", error: null });
  try {
    const file = await fetchAudio(id, request.signal);
    if (pending !== request) return;
    const next = new Audio(URL.createObjectURL(file));
    audio = next;
    next.addEventListener("ended", () => audio === next && stopPreview());
    await output.play(source, next);
    if (audio === next) store.set({ id, state: "playing", error: null });
  } catch (error) {
    if (!isAbort(error) && pending === request) store.set({ id, state: "failed", error });
  }
}

/** Plays a few seconds of a voice, or stops them. */
export function togglePreview(id: string): void {
  const now = store.get();
  if (now.id === id && now.state !== "failed") stopPreview();
  else void start(id);
}

export function usePreviewState(id: string): State | undefined {
  return useStorePart(store, (s) => (s.id === id ? s.state : undefined));
}

/** The error of the last preview; null unless it failed. */
export function usePreviewError(): unknown {
  return useStorePart(store, errorOf);
}

const errorOf = (s: Preview): unknown => (s.state === "failed" ? s.error : null);
