import { isAbort } from "@/api/errors";
import { fetchLiveAudio, type LiveAudio } from "@/api/liveAudio";
import { framesOf, pcmDecoder, type Samples } from "./samples";

const part = 10; // seconds of a request: not all browsers stop reading when the page does

interface Options {
  id: string;
  /** Where it begins, in seconds. */
  from: number;
  /** Called when the rate and the channels of the samples are known, before the first ones. */
  onOpen(audio: Pick<LiveAudio, "rate" | "channels">): void;
  /** Called with samples and the frame at which they begin. */
  onSamples(samples: Samples, at: number): void;
  /** Reports whether more samples are to wait until there is space again. */
  isFull(): boolean;
  /** Called when the server has no more samples: the generation has ended, or the connection. */
  onEnd(): void;
}

/** Reads the samples of a generation while it is made. */
export class LiveReader {
  /** Frames a second; 1 until it is known. */
  rate = 1;
  /** Where reading began, in seconds. */
  start: number;
  private received = 0; // the frame after the last one that arrived
  private isOpen = false;
  private request: AbortController | null = null;
  private onSpace: (() => void) | null = null;

  constructor(private readonly options: Options) {
    this.start = options.from;
  }

  get isReading(): boolean {
    return this.request !== null;
  }

  /** Reads what comes next, until the server has no more. */
  async read(): Promise<void> {
    this.request?.abort();
    const mine = new AbortController();
    this.request = mine;
    try {
      while (await this.readPart(mine.signal)) {
        while (!mine.signal.aborted && this.options.isFull())
          await new Promise<void>((resolve) => (this.onSpace = resolve));
      }
    } catch (error) {
      if (isAbort(error)) return;
    }
    if (mine.signal.aborted) return;
    this.request = null;
    this.options.onEnd();
  }

  /** Ends reading; what is read next begins at a position in seconds. Returns its frame. */
  seek(seconds: number): number {
    this.start = seconds;
    this.received = Math.round(seconds * this.rate);
    this.stop();
    this.request = null;
    return this.received;
  }

  /** Says that samples were played, so that others may be read. */
  makeSpace(): void {
    this.onSpace?.();
  }

  stop(): void {
    this.request?.abort();
    this.makeSpace();
  }

  /** Reads one part and reports whether the generation has more. */
  private async readPart(signal: AbortSignal): Promise<boolean> {
    const audio = await this.fetchPart(signal);
    if (!audio) return false;
    this.open(audio);
    const from = this.received;
    const decode = pcmDecoder(audio.channels);
    const reader = audio.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted || done) break;
      this.take(decode(value));
    }
    return this.received - from >= Math.round(part * this.rate);
  }

  /** Requests what comes next; a changed text begins with its first new passage. */
  private async fetchPart(signal: AbortSignal): Promise<LiveAudio | null> {
    const { id } = this.options;
    if (this.isOpen) return fetchLiveAudio(id, this.received / this.rate, part, signal);
    const audio = await fetchLiveAudio(id, this.start, part, signal);
    if (!audio || audio.newFrom <= this.start) return audio;
    this.start = audio.newFrom;
    void audio.body.cancel();
    return fetchLiveAudio(id, this.start, part, signal);
  }

  private open({ rate, channels }: LiveAudio): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.rate = rate;
    this.received = Math.round(this.start * rate);
    this.options.onOpen({ rate, channels });
  }

  private take(samples: Samples): void {
    const at = this.received;
    this.received += framesOf(samples);
    if (this.received > at) this.options.onSamples(samples, at);
  }
}
