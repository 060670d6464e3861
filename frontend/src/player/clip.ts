import { failureOf } from "@/api/errors";
import { createStore } from "@/lib/store";
import { ShortSound, useShortError, useShortState, type ShortRequest } from "./shortSound";

interface ClipRequest extends Pick<ShortRequest, "id" | "load"> {
  /** The seconds to play; the complete clip if left out. */
  part?: { from: number; to: number } | undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof DOMException && error.name === "NotSupportedError"
    ? failureOf({ code: "not_playable", detail: error.message, remedy: "" })
    : error;
}

const sound = new ShortSound(causeOf);
const head = createStore(0);

export const { stop: stopClip } = sound;

/** The position in seconds of the clip that plays. */
export const clipHead = { get: head.get, subscribe: head.subscribe };

/** Moves the position with the audio and stops at the end of the part. */
function follow(audio: HTMLAudioElement, to: number): void {
  const move = () => {
    if (!sound.isPlaying(audio)) return;
    head.set(Math.min(to, audio.currentTime));
    if (audio.currentTime >= to) stopClip();
    else requestAnimationFrame(move);
  };
  move();
}

/** Plays a short recording or a part of it, or stops it. */
export function toggleClip({ id, load, part }: ClipRequest): void {
  sound.toggle({ id, load, from: part?.from ?? 0, onPlaying: (audio) => follow(audio, part?.to ?? Infinity) });
}

export function useClipState(id: string): "loading" | "playing" | undefined {
  const state = useShortState(sound, id);
  return state === "failed" ? undefined : state;
}

/** The error of the last clip; null unless it failed. */
export const useClipError = (): unknown => useShortError(sound);
