import type { Sink } from "./device";
import { LiveReader } from "./liveReader";
import { framesOf, pauseFinder, type Pause, type Samples } from "./samples";
import { createSchedule, type Schedule } from "./schedule";

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
export class Live {
  readonly id: string;
  private readonly reader: LiveReader;
  private schedule: Schedule | null = null;
  private pauses = pauseFinder(1, pause);
  private volumeNow = 1;
  private speed: number;
  private held: Samples[] = []; // while it waits
  private reserve = firstReserve;
  private hasEnded = false;
  private state: LiveState = { paused: true, waiting: null };

  constructor(private readonly options: Options) {
    const { id, from, playbackRate } = options;
    this.id = id;
    this.speed = playbackRate;
    this.reader = new LiveReader({
      id,
      from,
      onOpen: (audio) => this.start(audio),
      onSamples: (samples, at) => this.take(samples, at),
      isFull: () => (this.schedule?.ahead() ?? 0) + this.heldSeconds() > mostAhead,
      onEnd: () => {
        if (this.hasEnded) this.complete();
        options.onEnd();
      },
    });
  }

  get paused(): boolean {
    return this.state.paused;
  }
  get sink(): Sink | undefined {
    return this.schedule?.sink;
  }
  get volume(): number {
    return this.volumeNow;
  }
  set volume(next: number) {
    this.volumeNow = next;
    this.schedule?.setVolume(next);
  }
  get playbackRate(): number {
    return this.speed;
  }
  set playbackRate(next: number) {
    this.speed = next;
    this.schedule?.setSpeed(next);
  }

  /** Waits for the first samples, and reads those to come. */
  open(): void {
    void this.reader.read();
  }

  play(): Promise<void> {
    this.change({ paused: false });
    return this.schedule?.resume() ?? Promise.resolve();
  }

  pause(): void {
    if (this.state.paused) return;
    this.change({ paused: true });
    void this.schedule?.suspend();
  }

  /** Returns what is heard now, in seconds. */
  position(): number {
    return this.schedule ? this.schedule.frame() / this.reader.rate : this.reader.start;
  }

  /** Reports whether there were samples to play. */
  hasBegun(): boolean {
    return this.schedule?.hasBegun() ?? false;
  }

  seek(seconds: number): void {
    this.schedule?.clear(this.reader.seek(seconds));
    this.pauses.reset();
    this.held = [];
    this.hasEnded = false;
    this.change({ waiting: null });
    void this.reader.read();
  }

  /** Pauses at the start. */
  rewind(): void {
    this.pause();
    this.seek(0);
  }

  /** The server makes no more samples: plays those that are there, and those that are being read. */
  finish(): void {
    this.hasEnded = true;
    this.release();
    if (this.schedule === null) this.options.onPlayedAll();
    else if (!this.reader.isReading) this.complete();
  }

  /** Reads on after a connection that broke. */
  retry(): void {
    void this.reader.read();
  }

  /** Returns the first pause of speech after a position; null if none is known. All are in seconds. */
  pauseAfter(seconds: number): Pause | null {
    const { rate } = this.reader;
    const found = this.pauses.after(Math.round(seconds * rate));
    return found && { from: found.from / rate, to: found.to / rate };
  }

  close(): void {
    this.state = { paused: true, waiting: null };
    this.reader.stop();
    this.schedule?.close();
    this.schedule = null;
  }

  private change(next: Partial<LiveState>): void {
    this.state = { ...this.state, ...next };
    this.options.onChange(this.state);
  }

  private heldSeconds(): number {
    return this.held.reduce((sum, samples) => sum + framesOf(samples), 0) / this.reader.rate;
  }

  private start(audio: { rate: number; channels: number }): void {
    this.schedule = createSchedule({
      ...audio,
      volume: this.volumeNow,
      speed: this.speed,
      onPlayed: () => this.onPlayed(),
    });
    this.pauses = pauseFinder(audio.rate, pause);
    this.schedule.clear(Math.round(this.reader.start * audio.rate));
    this.options.onOpen();
    if (this.state.paused) void this.schedule?.suspend();
    setTimeout(() => !this.schedule?.isRunning() && this.pause(), startLimit); // the browser requires a click first
  }

  private onPlayed(): void {
    this.reader.makeSpace();
    if (!this.schedule?.hasPlayedAll() || this.state.paused) return;
    if (this.hasEnded && !this.reader.isReading) this.options.onPlayedAll();
    else this.wait();
  }

  /** Pauses until there is more speech. */
  private wait(): void {
    if (this.state.waiting === null) this.change({ waiting: this.position() });
  }

  /** Plays what was held. */
  private release(): void {
    if (this.state.waiting === null) return;
    this.reserve = Math.min(mostReserve, this.reserve * 2);
    for (const samples of this.held) this.schedule?.add(samples);
    this.held = [];
    this.change({ waiting: null });
  }

  /** Plays the last samples: all of them have been read. */
  private complete(): void {
    this.release();
    this.schedule?.finish();
    if (this.schedule?.hasPlayedAll() && !this.state.paused) this.options.onPlayedAll();
  }

  private take(samples: Samples, at: number): void {
    const { schedule } = this;
    if (!schedule) return;
    this.pauses.add(samples, at);
    if (schedule.hasBegun() && this.state.waiting === null && schedule.hasPlayedAll()) this.wait(); // before the event that says so
    if (this.state.waiting === null) return schedule.add(samples);
    this.held.push(samples);
    if (this.heldSeconds() >= this.reserve * this.speed) this.release();
  }
}
