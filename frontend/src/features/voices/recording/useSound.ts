import { useCallback, useEffect, useRef, useState } from "react";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { fetchRecording } from "@/api/recordings";
import { checkSample, longestSample, shortestSample, type Part, type Sound } from "@/api/samples";
import type { SampleCheck } from "@/api/types";

const checkDelay = 300; // milliseconds after the last move of a handle

/** Returns the part with the shortest and the longest length that a sample may have, inside the recording. */
export function limitPart({ from, to }: Part, duration: number, moved: "from" | "to"): Part {
  const least = Math.min(shortestSample, duration);
  const inside = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  if (moved === "from") return { from: inside(from, Math.max(0, to - longestSample), Math.max(0, to - least)), to };
  return { from, to: inside(to, Math.min(duration, from + least), Math.min(duration, from + longestSample)) };
}

/** Runs one check at a time; a newer one replaces the one before. */
function useCheck() {
  const [check, setCheck] = useState<SampleCheck | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isChecking, setChecking] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(sound: Sound, part?: Part): Promise<SampleCheck | null> {
    running.current?.abort();
    const request = new AbortController();
    running.current = request;
    setChecking(true);
    setError(null);
    try {
      const result = await checkSample({ sound, part }, request.signal);
      if (running.current !== request) return null;
      setCheck(result);
      setChecking(false);
      return result;
    } catch (thrown) {
      if (running.current !== request) return null;
      setChecking(false);
      if (!isAbort(thrown)) setError(toApiError(thrown));
      return null;
    }
  }
  function reset(): void {
    running.current?.abort();
    running.current = null;
    setCheck(null);
    setError(null);
    setChecking(false);
  }
  return { check, error, isChecking, run, reset };
}

/** The recording that becomes a sample, the part of it that is used, and what the server says about that part. */
export function useSound() {
  const [sound, setSound] = useState<Sound | null>(null);
  const [part, setPart] = useState<Part | null>(null);
  const { check, error, isChecking, run, reset } = useCheck();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const load = useCallback(
    (): Promise<Blob> =>
      sound?.kind === "recording"
        ? fetchRecording(sound.id)
        : sound
          ? Promise.resolve(sound.file)
          : Promise.reject(new DOMException("no sound", "AbortError")),
    [sound],
  );

  /** Replaces the recording and reports whether it can be used; without a part the server finds the speech in it. */
  async function choose(next: Sound, within?: Part): Promise<boolean> {
    clearTimeout(timer.current);
    reset();
    setSound(next);
    setPart(null);
    const result = await run(next, within);
    if (result) setPart({ from: result.from, to: result.to });
    return result !== null;
  }
  return {
    sound,
    part,
    check,
    error,
    isChecking,
    load,
    choose,
    /** Moves one end of the part; the numbers follow once the handle rests. */
    move(end: "from" | "to", seconds: number): void {
      if (!sound || !part || !check) return;
      const next = limitPart({ ...part, [end]: seconds }, check.duration, end);
      if (next.from === part.from && next.to === part.to) return;
      setPart(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void run(sound, next), checkDelay);
    },
    clear(): void {
      clearTimeout(timer.current);
      reset();
      setSound(null);
      setPart(null);
    },
  };
}

export type SoundState = ReturnType<typeof useSound>;
