import { openContext } from "./context";
import type { Sink } from "./device";
import { framesOf, type Samples } from "./samples";
import { createStretch, type Stretch, type Stretched } from "./stretch";

const lead = 0.03; // seconds until the first samples sound: what the browser needs to render them in time
const speedLead = 0.1; // seconds until another speed sounds: time to stretch the samples
const mostStretched = 5; // seconds that are stretched at once

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
export class Schedule {
  private readonly context: AudioContext;
  private readonly gain: GainNode;
  private readonly parts = new Set<Part>();
  private runs: Run[] = []; // the one that sounds, and those that follow
  private end = -Infinity; // the frame of the context after the last part
  private kept: { samples: Samples; from: number }[] = []; // the source of what can still be heard
  private next = 0; // the frame after the last one that was added
  private stretched = 0; // the frame after the last one that was stretched; Infinity after all
  private place = 0; // the frame that continues the last part
  private isComplete = false;
  private speed: number;
  private stretch: Stretch;

  constructor(private readonly options: Options) {
    const { rate, volume, speed } = options;
    this.context = openContext(rate);
    this.gain = this.context.createGain();
    this.gain.gain.value = volume;
    this.gain.connect(this.context.destination);
    this.speed = speed;
    this.stretch = this.stretchFrom(0);
  }

  get sink(): Sink {
    return this.context as Sink;
  }

  /** Adds samples after the last ones. */
  add(samples: Samples): void {
    const { rate } = this.options;
    const end = this.next + framesOf(samples);
    for (const first = this.next; this.next < end; this.next = Math.min(end, this.next + rate)) {
      const at = this.next - first;
      // a second each, as fill takes whole ones
      this.kept.push({ samples: samples.map((channel) => channel.subarray(at, at + rate)), from: this.next });
    }
    this.fill();
  }

  /** Plays all that was added: there is no more. */
  finish(): void {
    this.isComplete = true;
    this.fill();
  }

  /** Changes the speed of what sounds a moment later. */
  setSpeed(speed: number): void {
    if (speed === this.speed) return;
    this.speed = speed;
    this.cut(this.now() + Math.ceil(speedLead * this.options.rate));
    this.stretched = this.place;
    this.stretch = this.stretchFrom(this.place);
    if (this.runs.length > 0) this.runs.push({ at: this.end, from: this.place, speed });
    this.fill();
  }

  /** Returns the frame that sounds now. */
  frame(): number {
    const now = this.now();
    while (this.runs[1] && this.runs[1].at <= now) this.runs.shift();
    return this.runs[0] ? Math.min(this.next, frameOf(this.runs[0], Math.min(now, this.end))) : this.next;
  }

  /** Returns the seconds that are added and not played. */
  ahead(): number {
    return (this.next - this.frame()) / this.options.rate;
  }

  /** Reports whether samples were scheduled since the start or the last clear. */
  hasBegun(): boolean {
    return this.runs.length > 0;
  }

  hasPlayedAll(): boolean {
    return this.end <= this.now();
  }

  /** Drops all samples; the next ones are those of a frame. */
  clear(at: number): void {
    for (const part of this.parts) {
      part.node.stop();
      this.drop(part);
    }
    this.runs = [];
    this.end = -Infinity;
    this.kept = [];
    this.next = this.stretched = this.place = at;
    this.isComplete = false;
    this.stretch = this.stretchFrom(at);
  }

  setVolume(volume: number): void {
    this.gain.gain.value = volume;
  }

  /** Reports whether the browser plays: it may first require a click. */
  isRunning(): boolean {
    return this.context.state === "running";
  }

  resume(): Promise<void> {
    return this.context.resume();
  }

  suspend(): Promise<void> {
    return this.context.suspend();
  }

  close(): void {
    void this.context.close();
  }

  /** Returns the frame of the context that sounds now. */
  private now(): number {
    return Math.round(this.context.currentTime * this.options.rate);
  }

  private stretchFrom(from: number): Stretch {
    const { rate, channels } = this.options;
    return createStretch({ rate, channels, speed: this.speed, from });
  }

  /** Drops a part, and the source of what has been played. */
  private drop(part: Part): void {
    this.parts.delete(part);
    part.node.onended = null;
    part.node.disconnect();
    const [first] = this.parts;
    const needed = first ? first.place(0) : this.place;
    this.kept = this.kept.filter(({ samples, from }) => from + framesOf(samples) > needed);
  }

  /** Schedules samples after the last ones, or at once if those have been played. */
  private put({ samples, hop, place }: Stretched): void {
    const { rate, onPlayed } = this.options;
    const frames = framesOf(samples);
    if (frames === 0) return;
    if (this.end < this.now()) {
      this.end = this.now() + Math.ceil(lead * rate);
      this.runs = [{ at: this.end, from: place(0), speed: this.speed }];
    }
    const node = this.nodeOf(samples);
    const part = { node, at: this.end, frames, hop, place };
    node.onended = () => {
      this.drop(part);
      this.fill();
      onPlayed();
    };
    node.start(this.end / rate);
    this.parts.add(part);
    this.end += frames;
    this.place = place(frames / hop);
  }

  private nodeOf(samples: Samples): AudioBufferSourceNode {
    const { rate, channels } = this.options;
    const buffer = this.context.createBuffer(channels, framesOf(samples), rate);
    samples.forEach((channel, i) => buffer.copyToChannel(channel, i));
    const node = this.context.createBufferSource();
    node.buffer = buffer;
    node.connect(this.gain);
    return node;
  }

  /** Schedules what was added; at another speed than 1 only what is heard soon, as stretching takes time. */
  private fill(): void {
    const { rate } = this.options;
    for (const { samples, from } of this.kept) {
      const to = from + framesOf(samples);
      if (to <= this.stretched) continue;
      if (this.speed !== 1 && this.end > this.now() + mostStretched * rate) return;
      const first = Math.max(0, this.stretched - from);
      this.put(this.stretch.add(samples.map((channel) => channel.subarray(first))));
      this.stretched = to;
    }
    if (!this.isComplete || this.stretched > this.next) return;
    this.stretched = Infinity;
    this.put(this.stretch.end());
  }

  /** Ends what is scheduled where the source can be continued, soon after a frame of the context. */
  private cut(after: number): void {
    for (const part of [...this.parts]) {
      const hops = Math.max(0, Math.ceil((after - part.at) / part.hop));
      const frames = hops * part.hop;
      if (frames >= part.frames) continue; // has been played by then
      if (part.at + frames < this.end) {
        this.end = part.at + frames;
        this.place = part.place(hops);
      }
      part.node.stop((part.at + frames) / this.options.rate);
      part.frames = frames;
      if (frames === 0) this.drop(part);
    }
  }
}

export const createSchedule = (options: Options): Schedule => new Schedule(options);
