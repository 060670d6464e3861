import * as v from "valibot";
import { storedValue } from "@/lib/storedValue";
import { route, type Sink } from "./device";
import { framesOf, type Samples } from "./samples";

const lead = 0.03; // seconds until the first samples sound: what the browser needs to render them in time

let warm: AudioContext | null = null; // has not played yet
/** The rate of the last voice, which the next one probably has too: a context of another rate is of no use to it. */
const lastRate = storedValue("voicewright.rate", v.pipe(v.number(), v.minValue(8_000), v.maxValue(96_000)), 22_050);

/** Starts the browser's audio before the first samples arrive, as that takes a moment. */
export function warmUp(): void {
  warm ??= new AudioContext({ sampleRate: lastRate.read() });
  void route(warm as Sink);
}

/** Ends what warmUp started, when nothing is going to play. */
export function coolDown(): void {
  void warm?.close();
  warm = null;
}

function openContext(rate: number): AudioContext {
  const context = warm;
  lastRate.write(rate);
  if (context?.sampleRate === rate) {
    warm = null;
    return context;
  }
  coolDown();
  return new AudioContext({ sampleRate: rate });
}

interface Options {
  rate: number;
  channels: number;
  volume: number;
  /** Called when a part of the samples has been played. */
  onPlayed(): void;
}

/**
 * Plays samples one after the other without a gap. The context has the rate of the samples, so that each part begins at
 * a whole frame of it and none is resampled by itself.
 */
export function createSchedule({ rate, channels, volume, onPlayed }: Options) {
  const context = openContext(rate);
  const gain = context.createGain();
  gain.gain.value = volume;
  gain.connect(context.destination);
  const parts = new Set<AudioBufferSourceNode>();
  let origin: number | null = null; // the time of the context at which `first` sounds; null while nothing is scheduled
  let first = 0; // frames
  let next = 0;

  const endsAt = () => (origin === null ? -Infinity : origin + (next - first) / rate);
  const frame = () => {
    if (origin === null) return next;
    return Math.max(first, Math.min(next, first + Math.floor((context.currentTime - origin) * rate)));
  };

  return {
    sink: context as Sink,
    /** Adds samples after the last ones, or at once if those have been played. */
    add(samples: Samples): void {
      const now = context.currentTime;
      if (endsAt() < now) {
        origin = Math.ceil((now + lead) * rate) / rate;
        first = next;
      }
      const buffer = context.createBuffer(channels, framesOf(samples), rate);
      samples.forEach((channel, i) => buffer.copyToChannel(channel, i));
      const part = context.createBufferSource();
      part.buffer = buffer;
      part.connect(gain);
      part.onended = () => {
        parts.delete(part);
        part.disconnect();
        onPlayed();
      };
      part.start(endsAt());
      parts.add(part);
      next += framesOf(samples);
    },
    /** The frame that sounds now. */
    frame,
    /** Seconds that are added and not played. */
    ahead: (): number => (next - frame()) / rate,
    hasPlayedAll: (): boolean => endsAt() <= context.currentTime,
    /** Drops all samples; the next ones are those of a frame. */
    clear(at: number): void {
      for (const part of parts) {
        part.onended = null;
        part.stop();
        part.disconnect();
      }
      parts.clear();
      origin = null;
      first = next = at;
    },
    setVolume(volume: number): void {
      gain.gain.value = volume;
    },
    /** Reports whether the browser plays: it may first require a click. */
    isRunning: (): boolean => context.state === "running",
    resume: (): Promise<void> => context.resume(),
    suspend: (): Promise<void> => context.suspend(),
    close(): void {
      void context.close();
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
