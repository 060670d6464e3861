import { isAbort } from "@/api/errors";
import { createStore, useStorePart, type Store } from "@/lib/store";
import { output } from "./output";

export type ShortState = "loading" | "playing" | "failed";
interface Now {
  id: string | null;
  state: ShortState;
  error: unknown;
}

export interface ShortRequest {
  /** A name that no other sound of the same kind has. */
  id: string;
  load(signal: AbortSignal): Promise<Blob>;
  /** Where it begins, in seconds; 0 if left out. */
  from?: number;
  /** Called when it sounds. */
  onPlaying?(audio: HTMLAudioElement): void;
}

const idle: Now = { id: null, state: "playing", error: null };
const errorOf = ({ state, error }: Now): unknown => (state === "failed" ? error : null);

/** Plays short files of one kind, which are loaded as a whole: one of them at a time. */
export class ShortSound {
  readonly now: Store<Now> = createStore(idle);
  private audio: HTMLAudioElement | null = null;
  private pending: AbortController | null = null;
  private readonly source = { stop: () => this.stop() };

  /** `causeOf` returns what to say of an error. */
  constructor(private readonly causeOf: (error: unknown) => unknown = (error) => error) {}

  /** Plays a file, or stops it. */
  toggle(request: ShortRequest): void {
    const { id, state } = this.now.get();
    if (id === request.id && state !== "failed") this.stop();
    else void this.start(request);
  }

  readonly stop = (): void => {
    this.release();
    this.now.set(idle);
  };

  /** Reports whether this element plays now. */
  isPlaying(audio: HTMLAudioElement): boolean {
    return this.audio === audio;
  }

  private release(): void {
    this.pending?.abort();
    this.pending = null;
    this.audio?.pause();
    if (this.audio?.src) URL.revokeObjectURL(this.audio.src);
    this.audio = null;
  }

  private async start({ id, load, from = 0, onPlaying }: ShortRequest): Promise<void> {
    this.release();
    output.claim(this.source);
    const request = new AbortController();
    this.pending = request;
    this.now.set({ id, state: "loading", error: null });
    try {
      const file = await load(request.signal);
      if (this.pending !== request) return;
      const next = new Audio(URL.createObjectURL(file));
      this.audio = next;
      next.currentTime = from;
      next.addEventListener("ended", () => this.audio === next && this.stop());
      await output.play(this.source, next);
      if (this.audio !== next) return;
      this.now.set({ id, state: "playing", error: null });
      onPlaying?.(next);
    } catch (error) {
      if (isAbort(error) || this.pending !== request) return;
      this.release();
      this.now.set({ id, state: "failed", error: this.causeOf(error) });
    }
  }
}

export function useShortState({ now }: ShortSound, id: string): ShortState | undefined {
  return useStorePart(now, (one) => (one.id === id ? one.state : undefined));
}

/** The error of the last one; null unless it failed. */
export function useShortError({ now }: ShortSound): unknown {
  return useStorePart(now, errorOf);
}
