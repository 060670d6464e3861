import { describe, expect, it } from "vitest";
import { framesOf, type Samples } from "./samples";
import { createStretch } from "./stretch";

const rate = 24_000;
const speeds = [0.5, 0.75, 1.25, 1.5, 2];

const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

/** Noise that is the same in every run. */
function noise(seconds: number): Float32Array<ArrayBuffer> {
  let seed = 1;
  return Float32Array.from({ length: seconds * rate }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  });
}

/** Stretches samples that arrive in parts of so many frames. */
function stretched(source: Samples, speed: number, size = 5_000): Samples {
  const stretch = createStretch({ rate, channels: source.length, speed, from: 0 });
  const parts: Samples[] = [];
  for (let at = 0; at < framesOf(source); at += size)
    parts.push(stretch.add(source.map((channel) => channel.subarray(at, at + size))).samples);
  parts.push(stretch.end().samples);
  return source.map((_, c) => Float32Array.from(parts.flatMap((part) => [...(part[c] ?? [])])));
}
const mono = (source: Float32Array<ArrayBuffer>, speed: number) => stretched([source], speed)[0] ?? new Float32Array();

function frequency(samples: Float32Array): number {
  const rising = [...samples.keys()].filter((i) => (samples[i - 1] ?? 1) < 0 && (samples[i] ?? 0) >= 0);
  return ((rising.length - 1) * rate) / ((rising.at(-1) ?? 0) - (rising[0] ?? 0));
}
const level = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
/** Returns the second around which the sound between two seconds is. */
function middle(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  let moment = 0;
  samples.subarray(from * rate, to * rate).forEach((x, i) => {
    sum += x * x;
    moment += x * x * i;
  });
  return from + moment / sum / rate;
}
const steepest = (samples: Float32Array) =>
  samples.reduce((max, x, i) => Math.max(max, Math.abs(x - (samples[i - 1] ?? x))), 0);

describe.each(speeds)("at speed %d", (speed) => {
  it.each([50, 220, 1_000])("a tone of %d Hz keeps its pitch and level, without a click", (hertz) => {
    const out = mono(tone(hertz, 3), speed);
    expect(out.length / rate).toBeCloseTo(3 / speed, 1);
    expect(out.length % 480).toBe(0);
    const middle = out.subarray(rate / 10, -rate / 10); // its end fades into silence
    expect(frequency(middle) / hertz).toBeCloseTo(1, 2);
    expect(level(middle)).toBeCloseTo(level(tone(hertz, 3)), 1);
    expect(steepest(middle)).toBeLessThan(1.1 * steepest(tone(hertz, 3)));
  });

  it("noise has no gap", () => {
    const out = mono(noise(3), speed);
    const windows = Array.from({ length: Math.floor(out.length / 240) - 4 }, (_, i) =>
      level(out.subarray(i * 240, (i + 1) * 240)),
    );
    expect(Math.min(...windows)).toBeGreaterThan(0.5 * level(noise(3)));
  });

  it("a sound is heard at its place", () => {
    const source = new Float32Array(6 * rate);
    const sounds = Array.from({ length: 35 }, (_, n) => 0.3 + n * 0.153);
    for (const at of sounds) source.set(noise(0.03), Math.round(at * rate));
    const out = mono(source, speed);
    const errors = sounds.map((at) => middle(out, (at - 0.05) / speed, (at + 0.08) / speed) * speed - (at + 0.015));
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.013);
    expect(Math.abs(errors.reduce((sum, error) => sum + error) / errors.length)).toBeLessThan(0.005);
  });

  it("the result does not depend on how the source is cut", () => {
    const source = [noise(1)];
    expect(stretched(source, speed, 333)).toEqual(stretched(source, speed, rate));
  });

  it("channels stay together", () => {
    const [left, right] = stretched([noise(1), noise(1).map((x) => x / 2)], speed);
    expect(right).toEqual(left?.map((x) => x / 2));
  });
});

it("speed 1 returns the same samples", () => {
  const stretch = createStretch({ rate, channels: 1, speed: 1, from: 0 });
  const source = [noise(1)];
  expect(stretch.add(source).samples).toBe(source);
  expect(framesOf(stretch.end().samples)).toBe(0);
});

it("another speed continues a piece without a click", () => {
  const source = tone(220, 3);
  const first = createStretch({ rate, channels: 1, speed: 1.5, from: 0 }).add([source]);
  const from = first.place(20);
  const second = createStretch({ rate, channels: 1, speed: 0.75, from }).add([source.subarray(from)]);
  const all = Float32Array.from([
    ...(first.samples[0]?.subarray(0, 20 * first.hop) ?? []),
    ...(second.samples[0] ?? []),
  ]);
  expect(steepest(all)).toBeLessThan(1.1 * steepest(source));
  expect(from / rate).toBeCloseTo((20 * first.hop * 1.5) / rate, 1);
});
