import { framesOf, type Samples } from "./samples";

const hopSeconds = 0.02; // of the output; two hops are one window
const searchSeconds = 0.012; // to each side; the two sides hold a period of 42 Hz
const stepSeconds = 0.0002; // of the first search: a fifth of a period of 1 kHz

/** Samples to be played, and where the source continues them. */
export interface Stretched {
  samples: Samples;
  /** Frames of the samples, which are a multiple of it. */
  hop: number;
  /** Returns the frame of the source that continues the first n hops without a click. */
  place(n: number): number;
}

/** Changes the tempo of samples that come one after the other. */
export interface Stretch {
  /** Adds the next samples; returns what can be played by now. */
  add(samples: Samples): Stretched;
  /** Returns what is left after the last samples, up to a hop longer. */
  end(): Stretched;
}

interface Options {
  /** Frames a second. */
  rate: number;
  channels: number;
  /** 2 is twice as fast, half as long; 1 returns the samples as they are. */
  speed: number;
  /** The frame of the source with which the first samples begin. */
  from: number;
}

/**
 * Changes the tempo at equal pitch by WSOLA (Verhelst and Roelands, ICASSP 1993): pieces of the source are overlapped at the
 * place within 12 ms where they continue the sound best. So n frames of the output end within 12 ms of n * speed frames of the source.
 */
export function createStretch({ rate, channels, speed, from }: Options): Stretch {
  if (speed === 1) return createCopy(channels, from);
  const hop = Math.round(hopSeconds * rate);
  const search = Math.round(searchSeconds * rate);
  const step = Math.max(1, Math.round(stepSeconds * rate));
  const fade = Float32Array.from({ length: hop }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / hop));
  let held = silence(channels, 0); // what further pieces are taken from
  let start = from; // the frame of the source with which it begins
  let next = from; // the frame of the source that continues what was made
  let hops = 0; // made

  /** Returns the range of the source in which the next piece may begin. */
  function range(): [number, number] {
    const target = from + Math.round((hops + 1) * hop * speed) - hop;
    const first = Math.max(from, target - search);
    return [first, Math.max(first, target + search)];
  }

  function add(samples: Samples): Stretched {
    held = joined(held, samples);
    const guide = mixed(held);
    const out = silence(channels, Math.ceil(framesOf(held) / speed) + hop);
    const places = [next];
    for (let at = 0; ; at += hop) {
      const [first, last] = range();
      if (Math.max(next, last) + hop > start + framesOf(held)) break;
      const piece = start + bestPiece(guide, next - start, first - start, last - start, hop, step);
      out.forEach((channel, c) => overlap(channel, at, held[c] ?? channel, next - start, piece - start, fade));
      next = piece + hop;
      hops += 1;
      places.push(next);
    }
    const kept = Math.min(next, range()[0]);
    held = held.map((channel) => channel.subarray(kept - start));
    start = kept;
    const made = out.map((channel) => channel.subarray(0, (places.length - 1) * hop));
    return { samples: made, hop, place: (n) => places[n] ?? next };
  }
  return {
    add,
    end() {
      const frames = (start + framesOf(held) - from) / speed - hops * hop;
      const left = Math.max(0, Math.ceil(frames / hop) * hop);
      const { samples, place } = add(silence(channels, Math.ceil(2 * hop * (speed + 1)) + search));
      return { samples: samples.map((channel) => channel.subarray(0, left)), hop, place };
    },
  };
}

function createCopy(channels: number, from: number): Stretch {
  let next = from;
  return {
    add(samples) {
      const first = next;
      next += framesOf(samples);
      return { samples, hop: 1, place: (n) => first + n };
    },
    end: () => ({ samples: silence(channels, 0), hop: 1, place: () => next }),
  };
}

const silence = (channels: number, frames: number): Samples =>
  Array.from({ length: channels }, () => new Float32Array(frames));

const joined = (before: Samples, after: Samples): Samples =>
  before.map((channel, c) => {
    const all = new Float32Array(framesOf(before) + framesOf(after));
    all.set(channel);
    all.set(after[c] ?? [], channel.length);
    return all;
  });

/** Returns the sum of all channels. */
function mixed(samples: Samples): Float32Array {
  const [first = new Float32Array(0), ...others] = samples;
  if (others.length === 0) return first;
  return first.map((value, i) => others.reduce((sum, channel) => sum + (channel[i] ?? 0), value));
}

/** Writes what fades from one place of the source to another. */
function overlap(
  out: Float32Array,
  at: number,
  source: Float32Array,
  natural: number,
  piece: number,
  fade: Float32Array,
): void {
  fade.forEach((weight, i) => {
    out[at + i] = (source[natural + i] ?? 0) * (1 - weight) + (source[piece + i] ?? 0) * weight;
  });
}

/** Returns the place from first to last whose samples are most similar to the natural ones. */
function bestPiece(
  guide: Float32Array,
  natural: number,
  first: number,
  last: number,
  hop: number,
  step: number,
): number {
  const near = mostSimilar(guide, natural, first, last, hop, step);
  return mostSimilar(guide, natural, Math.max(first, near - step), Math.min(last, near + step), hop, 1);
}

/** Compares every step-th place by every step-th sample. */
function mostSimilar(
  guide: Float32Array,
  natural: number,
  first: number,
  last: number,
  hop: number,
  step: number,
): number {
  let best = Math.round((first + last) / 2); // the place of silence does not matter
  let bestScore = 0;
  for (let place = first; place <= last; place += step) {
    let dot = 0;
    let energy = 1e-9; // inaudible
    for (let i = 0; i < hop; i += step) {
      const x = guide[place + i] ?? 0;
      dot += x * (guide[natural + i] ?? 0);
      energy += x * x;
    }
    const score = dot / Math.sqrt(energy);
    if (score <= bestScore) continue;
    best = place;
    bestScore = score;
  }
  return best;
}
