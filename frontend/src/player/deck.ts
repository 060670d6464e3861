import type { Sink } from "./device";

const lead = 0.03; // seconds until a sound begins: what the browser needs to render it in time
const fade = 0.01; // seconds: too short to be heard, long enough not to click
const steps = 33; // of a fade

const rising = Float32Array.from({ length: steps }, (_, i) => Math.sin((i / (steps - 1)) * (Math.PI / 2)));
const falling = Float32Array.from(rising).reverse();

interface Track {
  gain: GainNode;
  seconds: number;
}

/**
 * Plays sounds side by side from one start, of which one is heard. As all of them run, another one can be heard from the next
 * moment on, at the same second, without a gap; the two overlap for 10 ms at equal power. `onEnd` is called when the one that
 * is heard ends, and when it is changed to one that is over already.
 */
export function createDeck(context: AudioContext, onEnd: () => void) {
  const master = context.createGain();
  master.connect(context.destination);
  const tracks = new Map<string, Track>();
  const started: AudioBufferSourceNode[] = [];
  let origin = 0; // the time of the context at which all begin
  let heard = "";
  let fadesUntil = 0;
  let isOver = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    for (const part of started) {
      part.onended = null;
      part.stop();
    }
    tracks.clear();
    master.disconnect();
    onEnd();
  }
  const seconds = () => Math.max(0, context.currentTime - origin);

  return {
    /** Adds a sound where the others are; the first one begins, and is heard. */
    add(key: string, buffer: AudioBuffer): void {
      if (isOver || tracks.has(key)) return;
      const isFirst = tracks.size === 0;
      const start = context.currentTime + lead;
      if (isFirst) {
        origin = start;
        heard = key;
      }
      const gain = context.createGain();
      gain.gain.value = isFirst ? 1 : 0;
      gain.connect(master);
      const part = context.createBufferSource();
      part.buffer = buffer;
      part.connect(gain);
      part.onended = () => heard === key && end();
      const at = Math.max(start, origin);
      if (at - origin < buffer.duration) {
        part.start(at, at - origin);
        started.push(part);
      }
      tracks.set(key, { gain, seconds: buffer.duration });
    },
    /** Makes another sound the one that is heard. */
    hear(key: string): void {
      const [from, to] = [tracks.get(heard), tracks.get(key)];
      if (!from || !to || from === to) return;
      heard = key;
      if (seconds() >= to.seconds) return end();
      const at = Math.max(context.currentTime, fadesUntil);
      from.gain.gain.setValueCurveAtTime(falling, at, fade);
      to.gain.gain.setValueCurveAtTime(rising, at, fade);
      fadesUntil = at + fade;
    },
    has: (key: string): boolean => tracks.has(key),
    seconds: (): number => Math.min(seconds(), tracks.get(heard)?.seconds ?? 0),
    stop: end,
    // As an element, for `output`.
    sink: context as Sink,
    play: (): Promise<void> => context.resume(),
    pause(): void {
      if (context.state !== "closed") void context.suspend(); // `output` holds it until another sound plays
    },
    get paused(): boolean {
      return isOver || context.state !== "running";
    },
    get volume(): number {
      return master.gain.value;
    },
    set volume(volume: number) {
      master.gain.value = volume;
    },
  };
}

export type Deck = ReturnType<typeof createDeck>;
