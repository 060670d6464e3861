import { fetchPreview } from "@/api/profiles";
import { isAbort } from "@/api/errors";
import { createStore, useStorePart } from "@/lib/store";
import { player } from "@/player";

type State = "loading" | "playing" | "failed";
interface Preview {
  id: string | null;
  state: State;
  error: unknown;
}

const nothing: Preview = { id: null, state: "playing", error: null };
const store = createStore<Preview>(nothing);
let audio: HTMLAudioElement | null = null;
let asked: AbortController | null = null;

function end(): void {
  asked?.abort();
  asked = null;
  audio?.pause();
  if (audio?.src) URL.revokeObjectURL(audio.src);
  audio = null;
}

export function stopPreview(): void {
  end();
  store.set(nothing);
}

async function start(id: string): Promise<void> {
  end();
  if (player.get().playing) player.pause(); // one sound at a time
  const request = new AbortController();
  asked = request;
  store.set({ id, state: "loading", error: null });
  try {
    const file = await fetchPreview(id, request.signal);
    if (asked !== request) return;
    const sound = new Audio(URL.createObjectURL(file));
    audio = sound;
    sound.addEventListener("ended", () => audio === sound && stopPreview());
    await sound.play();
    if (audio === sound) store.set({ id, state: "playing", error: null });
  } catch (error) {
    if (!isAbort(error) && asked === request) store.set({ id, state: "failed", error });
  }
}

/** Plays a few seconds of a voice, or stops them. Only one voice sounds at a time. */
export function togglePreview(id: string): void {
  const now = store.get();
  if (now.id === id && now.state !== "failed") stopPreview();
  else void start(id);
}

export function usePreviewState(id: string): State | undefined {
  return useStorePart(store, (s) => (s.id === id ? s.state : undefined));
}

/** Why the last preview did not sound; null while all is well. */
export function usePreviewError(): unknown {
  return useStorePart(store, errorOf);
}

const errorOf = (s: Preview): unknown => (s.state === "failed" ? s.error : null);
