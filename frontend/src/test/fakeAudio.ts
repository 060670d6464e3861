import { vi } from "vitest";

interface Part {
  /** When it begins, in seconds of the context. */
  at: number;
  seconds: number;
  stopped: boolean;
}

/** Replaces AudioContext by one whose clock a test moves. */
export function fakeAudio() {
  const parts: Part[] = [];
  const gain = { value: 1 };
  const all = {
    parts,
    gain,
    now: 0,
    isRunning: false,
    isClosed: false,
    advance: (seconds: number): void => void seconds,
  };
  class FakeSource {
    buffer: { duration: number } | null = null;
    onended: (() => void) | null = null;
    part: Part = { at: 0, seconds: 0, stopped: false };
    connect = () => undefined;
    disconnect = () => undefined;
    start(at: number) {
      this.part = { at, seconds: this.buffer?.duration ?? 0, stopped: false };
      parts.push(this.part);
      sources.add(this);
    }
    stop() {
      this.part.stopped = true;
      sources.delete(this);
    }
  }
  const sources = new Set<FakeSource>();
  class FakeContext {
    destination = {};
    sampleRate: number;
    constructor({ sampleRate }: { sampleRate: number }) {
      this.sampleRate = sampleRate;
    }
    get currentTime() {
      return all.now;
    }
    get state() {
      return all.isRunning ? "running" : "suspended";
    }
    createGain = () => ({ gain, connect: () => undefined });
    createBuffer = (_channels: number, frames: number, rate: number) => ({
      duration: frames / rate,
      copyToChannel: () => undefined,
    });
    createBufferSource = () => new FakeSource();
    resume = () => Promise.resolve(void (all.isRunning = true));
    suspend = () => Promise.resolve(void (all.isRunning = false));
    close = () => Promise.resolve(void (all.isClosed = true));
  }
  all.advance = (seconds) => {
    if (!all.isRunning) return;
    all.now += seconds;
    for (const source of [...sources]) {
      if (source.part.at + source.part.seconds > all.now) continue;
      sources.delete(source);
      source.onended?.();
    }
  };
  vi.stubGlobal("AudioContext", FakeContext);
  return all;
}

/** A response of /generate/{id}/live to which a test adds seconds of sound, and which it ends. */
export function livePart(rate: number, first = 0) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) });
  const add = (seconds: number, value = 8_000) =>
    controller.enqueue(new Uint8Array(new Int16Array(seconds * rate).fill(value).buffer));
  if (first > 0) add(first);
  return {
    response: new Response(body, { headers: { "X-Sample-Rate": String(rate), "X-Channels": "1" } }),
    add,
    end: () => controller.close(),
  };
}
