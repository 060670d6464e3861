import { vi } from "vitest";

interface Part {
  /** When it begins, in seconds of the context. */
  at: number;
  /** Where in its buffer it begins, in seconds. */
  from: number;
  seconds: number;
  samples: Float32Array;
  stopped: boolean;
  /** The gain of the node it is connected to, at a time of the context. */
  gain(at: number): number;
}

/** A gain that fades by curves. */
class FakeParam {
  value = 1;
  readonly curves: { values: Float32Array; at: number; seconds: number }[] = [];
  setValueCurveAtTime = (values: Float32Array, at: number, seconds: number) =>
    void this.curves.push({ values, at, seconds });
  valueAt(time: number): number {
    const curve = this.curves.findLast(({ at }) => at <= time);
    if (!curve) return this.value;
    const part = Math.min(1, (time - curve.at) / curve.seconds);
    return curve.values[Math.round(part * (curve.values.length - 1))] ?? 0;
  }
}

/** Replaces AudioContext by one whose clock a test moves. A file of n bytes is decoded as n milliseconds. */
export function fakeAudio() {
  const parts: Part[] = [];
  const all = {
    parts,
    gain: new FakeParam(), // of the node that was made last
    now: 0,
    isRunning: false,
    isClosed: false,
    misused: 0, // calls of a context that was closed
    devices: [] as string[], // beside that of the system
    device: "", // of the context that was routed last
    decoded: 0,
    advance: (seconds: number): void => void seconds,
  };
  class FakeSource {
    buffer: { duration: number; samples: Float32Array } | null = null;
    onended: (() => void) | null = null;
    part: Part = { at: 0, from: 0, seconds: 0, samples: new Float32Array(), stopped: false, gain: () => 1 };
    connect = (node: { gain: FakeParam }) => void (this.part.gain = (at) => node.gain.valueAt(at));
    disconnect = () => undefined;
    start(at: number, from = 0) {
      const samples = this.buffer?.samples ?? this.part.samples;
      this.part = { ...this.part, at, from, samples, seconds: (this.buffer?.duration ?? 0) - from };
      parts.push(this.part);
      sources.add(this);
    }
    stop(at = all.now) {
      if (!parts.includes(this.part))
        throw new DOMException("cannot call stop without calling start first", "InvalidStateError");
      const { at: start, from } = this.part;
      this.part.seconds = Math.min((this.buffer?.duration ?? 0) - from, Math.max(0, at - start));
      if (at > Math.max(all.now, this.part.at)) return; // it plays until then
      this.part.stopped = true;
      sources.delete(this);
    }
  }
  const sources = new Set<FakeSource>();
  class FakeContext {
    sinkId = "";
    destination = {};
    isClosed = false;
    sampleRate: number;
    constructor({ sampleRate = 48_000 }: { sampleRate?: number } = {}) {
      this.sampleRate = sampleRate;
      all.isClosed = false;
    }
    setSinkId(id: string) {
      if (this.isClosed) return this.change(() => undefined);
      if (id !== "" && !all.devices.includes(id)) return Promise.reject(new DOMException("", "NotFoundError"));
      return Promise.resolve(void (all.device = this.sinkId = id));
    }
    get currentTime() {
      return all.now;
    }
    get state() {
      return this.isClosed ? "closed" : all.isRunning ? "running" : "suspended";
    }
    createGain = () => {
      all.gain = new FakeParam();
      return { gain: all.gain, connect: () => undefined, disconnect: () => undefined };
    };
    createBuffer = (_channels: number, frames: number, rate: number) => {
      const samples = new Float32Array(frames);
      return {
        duration: frames / rate,
        samples, // of the first channel
        copyToChannel: (from: Float32Array, channel: number) => void (channel === 0 && samples.set(from)),
      };
    };
    createBufferSource = () => new FakeSource();
    private change(act: () => void) {
      if (this.isClosed) {
        all.misused += 1;
        return Promise.reject(new DOMException("the context is closed", "InvalidStateError"));
      }
      return Promise.resolve(act());
    }
    resume = () => this.change(() => void (all.isRunning = true));
    suspend = () => this.change(() => void (all.isRunning = false));
    close = () => this.change(() => void (all.isClosed = this.isClosed = true));
  }
  class FakeOfflineContext {
    decodeAudioData = (file: ArrayBuffer) => {
      all.decoded += 1;
      return Promise.resolve({ duration: file.byteLength / 1_000 });
    };
  }
  vi.stubGlobal("OfflineAudioContext", FakeOfflineContext);
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

/** Lets audio elements choose a device as the contexts of `audio` do. Returns a function that ends it. */
export function fakeDevices(audio: ReturnType<typeof fakeAudio>): () => void {
  const chosen = new WeakMap<object, string>();
  Object.defineProperties(HTMLMediaElement.prototype, {
    sinkId: {
      configurable: true,
      get(this: HTMLMediaElement) {
        return chosen.get(this) ?? "";
      },
    },
    setSinkId: {
      configurable: true,
      value(this: HTMLMediaElement, id: string) {
        if (id !== "" && !audio.devices.includes(id)) return Promise.reject(new DOMException("", "NotFoundError"));
        return Promise.resolve(void chosen.set(this, id));
      },
    },
  });
  return () => {
    Reflect.deleteProperty(HTMLMediaElement.prototype, "sinkId");
    Reflect.deleteProperty(HTMLMediaElement.prototype, "setSinkId");
  };
}

/** A response of /generate/{id}/live to which a test adds seconds of sound, and which it ends. */
export function livePart(rate: number, first = 0, newFrom = 0) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) });
  const add = (seconds: number, value = 8_000) =>
    controller.enqueue(new Uint8Array(new Int16Array(seconds * rate).fill(value).buffer));
  if (first > 0) add(first);
  return {
    response: new Response(body, {
      headers: { "X-Sample-Rate": String(rate), "X-Channels": "1", "X-New-From": String(newFrom) },
    }),
    add,
    end: () => controller.close(),
  };
}
