import * as v from "valibot";
import { storedValue } from "@/lib/storedValue";
import { route, type Sink } from "./device";
import { framesOf, type Samples } from "./samples";
import { createStretch, type Stretched } from "./stretch";

const lead = 0.03; // seconds until the first samples sound: what the browser needs to render them in time
const speedLead = 0.1; // seconds until another speed sounds: time to stretch the samples
const mostStretched = 5; // seconds that are stretched at once

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
  /** 2 is twice as fast, at the same pitch. */
  speed: number;
  /** Called when a part of the samples has been played. */
  onPlayed(): void;
}

/** Samples that are scheduled. */
interface Part extends Pick<Stretched, "hop" | "place"> {
  node: AudioBufferSourceNode;
  /** The frame of the context at which it begins. */
  at: number;
  frames: number;
}

/** A frame of the context from which on one speed is heard. */
interface Run {
  at: number;
  /** The frame of the source that sounds there. */
  from: number;
  speed: number;
}

const frameOf = ({ at, from, speed }: Run, time: number) => from + Math.floor(Math.max(0, time - at) * speed);

/**
 * Plays samples one after the other without a gap. The context has the rate of the samples, so that each part begins at
 * a whole frame of it and none is resampled by itself. Frames are those of the source where nothing else is said.
 */
export function createSchedule({ rate, channels, volume, speed, onPlayed }: Options) {
  const context = openContext(rate);
  const gain = context.createGain();
  gain.gain.value = volume;
  gain.connect(context.destination);
  const parts = new Set<Part>();
  let runs: Run[] = []; // the one that sounds, and those that follow
  let end = -Infinity; // the frame of the context after the last part
  let kept: { samples: Samples; from: number }[] = []; // the source of what can still be heard
  let next = 0; // the frame after the last one that was added
  let stretched = 0; // the frame after the last one that was stretched; Infinity after all
  let place = 0; // the frame that continues the last part
  let isComplete = false;
  let stretch = createStretch({ rate, channels, speed, from: next });

  const now = () => Math.round(context.currentTime * rate); // a frame of the context
  function frame(): number {
    while (runs[1] && runs[1].at <= now()) runs.shift();
    return runs[0] ? Math.min(next, frameOf(runs[0], Math.min(now(), end))) : next;
  }

  /** Drops a part, and the source of what has been played. */
  function drop(part: Part): void {
    parts.delete(part);
    part.node.onended = null;
    part.node.disconnect();
    const [first] = parts;
    const needed = first ? first.place(0) : place;
    kept = kept.filter(({ samples, from }) => from + framesOf(samples) > needed);
  }

  /** Schedules samples after the last ones, or at once if those have been played. */
  function put({ samples, hop, place: placeOf }: Stretched): void {
    const frames = framesOf(samples);
    if (frames === 0) return;
    if (end < now()) {
      end = now() + Math.ceil(lead * rate);
      runs = [{ at: end, from: placeOf(0), speed }];
    }
    const buffer = context.createBuffer(channels, frames, rate);
    samples.forEach((channel, i) => buffer.copyToChannel(channel, i));
    const node = context.createBufferSource();
    const part = { node, at: end, frames, hop, place: placeOf };
    node.buffer = buffer;
    node.connect(gain);
    node.onended = () => {
      drop(part);
      fill();
      onPlayed();
    };
    node.start(end / rate);
    parts.add(part);
    end += frames;
    place = placeOf(frames / hop);
  }

  /** Schedules what was added; at another speed than 1 only what is heard soon, as stretching takes time. */
  function fill(): void {
    for (const { samples, from } of kept) {
      const to = from + framesOf(samples);
      if (to <= stretched) continue;
      if (speed !== 1 && end > now() + mostStretched * rate) return;
      put(stretch.add(samples.map((channel) => channel.subarray(Math.max(0, stretched - from)))));
      stretched = to;
    }
    if (!isComplete || stretched > next) return;
    stretched = Infinity;
    put(stretch.end());
  }

  /** Ends what is scheduled where the source can be continued, soon after a frame of the context. */
  function cut(after: number): void {
    for (const part of [...parts]) {
      const hops = Math.max(0, Math.ceil((after - part.at) / part.hop));
      const frames = hops * part.hop;
      if (frames >= part.frames) continue; // has been played by then
      if (part.at + frames < end) {
        end = part.at + frames;
        place = part.place(hops);
      }
      part.node.stop((part.at + frames) / rate);
      part.frames = frames;
      if (frames === 0) drop(part);
    }
  }

  return {
    sink: context as Sink,
    /** Adds samples after the last ones. */
    add(samples: Samples): void {
      const end = next + framesOf(samples);
      for (const first = next; next < end; next = Math.min(end, next + rate))
        // a second each, as fill takes whole ones
        kept.push({
          samples: samples.map((channel) => channel.subarray(next - first, next - first + rate)),
          from: next,
        });
      fill();
    },
    /** Plays all that was added: there is no more. */
    finish(): void {
      isComplete = true;
      fill();
    },
    /** Changes the speed of what sounds a moment later. */
    setSpeed(to: number): void {
      if (to === speed) return;
      speed = to;
      cut(now() + Math.ceil(speedLead * rate));
      stretched = place;
      stretch = createStretch({ rate, channels, speed, from: place });
      if (runs.length > 0) runs.push({ at: end, from: place, speed });
      fill();
    },
    /** The frame that sounds now. */
    frame,
    /** Seconds that are added and not played. */
    ahead: (): number => (next - frame()) / rate,
    /** Reports whether samples were scheduled since the start or the last clear. */
    hasBegun: (): boolean => runs.length > 0,
    hasPlayedAll: (): boolean => end <= now(),
    /** Drops all samples; the next ones are those of a frame. */
    clear(at: number): void {
      for (const part of parts) {
        part.node.stop();
        drop(part);
      }
      runs = [];
      end = -Infinity;
      kept = [];
      next = stretched = place = at;
      isComplete = false;
      stretch = createStretch({ rate, channels, speed, from: at });
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
