import { isAbort } from "@/api/errors";
import { fetchLiveAudio, type LiveAudio } from "@/api/liveAudio";
import type { Sink } from "./device";
import { framesOf, pauseFinder, pcmDecoder, type Pause, type Samples } from "./samples";
import { createSchedule, type Schedule } from "./schedule";

const part = 10; // seconds of a request: not all browsers stop reading when the page does
const mostAhead = 20; // seconds in memory
const pause = 0.15; // seconds of silence in which the player may change to the file
const startLimit = 3_000; // ms until the browser plays
const firstReserve = 2; // seconds to hear before playing goes on; doubled with each wait
const mostReserve = 8;

export interface LiveState {
  paused: boolean;
  /** Where playing goes on by itself, in seconds; null unless it waits for speech. */
  waiting: number | null;
}

interface Options {
  id: string;
  /** Where it begins, in seconds. */
  from: number;
  /** 2 is twice as fast, at the same pitch. */
  playbackRate: number;
  onChange(state: LiveState): void;
  /** Called before the first samples are played; may close it. */
  onOpen(): void;
  /** Called when the server has no more samples: the generation has ended, or the connection. */
  onEnd(): void;
  /** Called when all samples have been played after that. */
  onPlayedAll(): void;
}

/** Plays a generation while it is made. Samples are dropped when they have been played, and read again after a seek. */
export function createLive({ id, from, playbackRate, onChange, onOpen, onEnd, onPlayedAll }: Options) {
  let schedule: Schedule | null = null;
  let pauses = pauseFinder(1, pause);
  let rate = 1;
  let volume = 1;
  let start = from; // seconds, until the rate is known
  let received = 0; // the frame after the last one that arrived
  let held: Samples[] = []; // while it waits
  let reserve = firstReserve;
  let request: AbortController | null = null;
  let onSpace: (() => void) | null = null;
  let ended = false;
  let state: LiveState = { paused: true, waiting: null };

  function change(next: Partial<LiveState>): void {
    state = { ...state, ...next };
    onChange(state);
  }
  const heldSeconds = () => held.reduce((sum, samples) => sum + framesOf(samples), 0) / rate;
  const position = () => (schedule ? schedule.frame() / rate : start);

  function onPlayed(): void {
    onSpace?.();
    if (!schedule?.hasPlayedAll() || state.paused) return;
    if (ended && request === null) onPlayedAll();
    else wait();
  }

  /** Pauses until there is more speech. */
  function wait(): void {
    if (state.waiting === null) change({ waiting: position() });
  }

  /** Plays what was held. */
  function release(): void {
    if (state.waiting === null) return;
    reserve = Math.min(mostReserve, reserve * 2);
    for (const samples of held) schedule?.add(samples);
    held = [];
    change({ waiting: null });
  }

  /** Plays the last samples: all of them have been read. */
  function complete(): void {
    release();
    schedule?.finish();
    if (schedule?.hasPlayedAll() && !state.paused) onPlayedAll();
  }

  function take(samples: Samples): void {
    if (!schedule || framesOf(samples) === 0) return;
    pauses.add(samples, received);
    received += framesOf(samples);
    if (schedule.hasBegun() && state.waiting === null && schedule.hasPlayedAll()) wait(); // before the event that says so
    if (state.waiting === null) return schedule.add(samples);
    held.push(samples);
    if (heldSeconds() >= reserve * playbackRate) release();
  }
  function open(audio: { rate: number; channels: number }): void {
    if (schedule) return;
    ({ rate } = audio);
    schedule = createSchedule({ ...audio, volume, speed: playbackRate, onPlayed });
    pauses = pauseFinder(rate, pause);
    received = Math.round(start * rate);
    schedule.clear(received);
    onOpen();
    if (state.paused) void schedule?.suspend();
    setTimeout(() => !schedule?.isRunning() && controls.pause(), startLimit); // the browser requires a click first
  }

  /** Requests what comes next; a changed text begins with its first new passage. */
  async function fetchPart(signal: AbortSignal): Promise<LiveAudio | null> {
    if (schedule) return fetchLiveAudio(id, received / rate, part, signal);
    const audio = await fetchLiveAudio(id, start, part, signal);
    if (!audio || audio.newFrom <= start) return audio;
    start = audio.newFrom;
    void audio.body.cancel();
    return fetchLiveAudio(id, start, part, signal);
  }

  /** Reads one part and reports whether the generation has more. */
  async function readPart(signal: AbortSignal): Promise<boolean> {
    const audio = await fetchPart(signal);
    if (!audio) return false;
    open(audio);
    const from = received;
    const decode = pcmDecoder(audio.channels);
    const reader = audio.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted || done) break;
      take(decode(value));
    }
    return received - from >= Math.round(part * rate);
  }

  async function read(): Promise<void> {
    request?.abort();
    const mine = new AbortController();
    request = mine;
    try {
      while (await readPart(mine.signal)) {
        while (!mine.signal.aborted && (schedule?.ahead() ?? 0) + heldSeconds() > mostAhead)
          await new Promise<void>((resolve) => (onSpace = resolve));
      }
    } catch (error) {
      if (isAbort(error)) return;
    }
    if (mine.signal.aborted) return;
    request = null;
    if (ended) complete();
    onEnd();
  }

  const controls = {
    id,
    get paused(): boolean {
      return state.paused;
    },
    get sink(): Sink | undefined {
      return schedule?.sink;
    },
    get volume(): number {
      return volume;
    },
    set volume(next: number) {
      volume = next;
      schedule?.setVolume(next);
    },
    get playbackRate(): number {
      return playbackRate;
    },
    set playbackRate(next: number) {
      playbackRate = next;
      schedule?.setSpeed(next);
    },
    /** Waits for the first samples, and reads those to come. */
    open: (): void => void read(),
    play(): Promise<void> {
      change({ paused: false });
      return schedule?.resume() ?? Promise.resolve();
    },
    pause(): void {
      if (state.paused) return;
      change({ paused: true });
      void schedule?.suspend();
    },
    /** Seconds. */
    position,
    /** Reports whether there were samples to play. */
    hasBegun: (): boolean => schedule?.hasBegun() ?? false,
    seek(seconds: number): void {
      start = seconds;
      received = Math.round(seconds * rate);
      schedule?.clear(received);
      pauses.reset();
      held = [];
      ended = false;
      request?.abort();
      request = null;
      onSpace?.();
      change({ waiting: null });
      void read();
    },
    /** Pauses at the start. */
    rewind(): void {
      controls.pause();
      controls.seek(0);
    },
    /** The server makes no more samples: plays those that are there, and those that are being read. */
    finish(): void {
      ended = true;
      release();
      if (schedule === null) onPlayedAll();
      else if (request === null) complete();
    },
    /** Reads on after a connection that broke. */
    retry: (): void => void read(),
    /** Returns the first pause of speech after a position; null if none is known. All are in seconds. */
    pauseAfter(seconds: number): Pause | null {
      const found = pauses.after(Math.round(seconds * rate));
      return found && { from: found.from / rate, to: found.to / rate };
    },
    close(): void {
      state = { paused: true, waiting: null };
      request?.abort();
      onSpace?.();
      schedule?.close();
      schedule = null;
    },
  };
  return controls;
}

export type Live = ReturnType<typeof createLive>;
