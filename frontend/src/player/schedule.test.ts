import { beforeEach, describe, expect, it } from "vitest";
import { fakeAudio } from "@/test/fakeAudio";
import { createSchedule } from "./schedule";

const rate = 8_000;
let audio: ReturnType<typeof fakeAudio>;
beforeEach(() => {
  audio = fakeAudio();
  audio.isRunning = true;
});

const tone = (seconds: number) => Float32Array.from({ length: seconds * rate }, (_, i) => Math.sin(i / 7) / 2);

/** Schedules a tone of so many seconds in parts of half a second. */
function scheduled(seconds: number, speed: number) {
  const schedule = createSchedule({ rate, channels: 1, volume: 1, speed, onPlayed: () => undefined });
  schedule.clear(0);
  for (let at = 0; at < seconds * rate; at += rate / 2) schedule.add([tone(seconds).subarray(at, at + rate / 2)]);
  return schedule;
}

/** Lets time pass as it does: what is stretched later needs the ends of parts before. */
function advance(seconds: number): void {
  for (let left = seconds; left > 1e-6; left -= 0.05) audio.advance(Math.min(left, 0.05));
}

/** Returns what the context plays; fails where parts leave a gap or overlap. */
function played(): Float32Array {
  const parts = audio.parts
    .filter(({ stopped }) => !stopped)
    .map(({ at, seconds, samples }) => ({
      at: Math.round(at * rate),
      samples: samples.subarray(0, Math.round(seconds * rate)),
    }))
    .sort((a, b) => a.at - b.at);
  parts.reduce((end, { at, samples }) => {
    expect(at).toBe(end);
    return end + samples.length;
  }, parts[0]?.at ?? 0);
  return Float32Array.from(parts.flatMap(({ samples }) => [...samples]));
}
const steepest = (samples: Float32Array) =>
  samples.reduce((max, x, i) => Math.max(max, Math.abs(x - (samples[i - 1] ?? x))), 0);
const seconds = () => played().length / rate;

describe("the speed", () => {
  it("of 1 plays the samples as they are", () => {
    const schedule = scheduled(2, 1);
    schedule.finish();
    expect(played()).toEqual(tone(2));
  });

  it("leaves no gap between many samples that arrive at once", () => {
    const schedule = createSchedule({ rate, channels: 1, volume: 1, speed: 0.5, onPlayed: () => undefined });
    schedule.add([tone(6)]);
    schedule.add([tone(6)]);
    schedule.finish();
    advance(25);
    expect(seconds()).toBeCloseTo(24, 0);
  });

  it.each([0.5, 0.75, 1.25, 1.5, 2])("of %d moves the playhead by it", (speed) => {
    const schedule = scheduled(4, speed);
    schedule.finish();
    for (const at of [0.5, 1, 1.5]) {
      advance(0.03 + at - audio.now);
      expect(schedule.frame() / rate).toBeCloseTo(at * speed, 2);
    }
    advance(4 / speed);
    expect(seconds()).toBeCloseTo(4 / speed, 1);
    expect(schedule.hasPlayedAll()).toBe(true);
    expect(schedule.frame()).toBe(4 * rate);
  });

  it.each([
    [1, 2],
    [2, 1],
    [1.5, 0.75],
    [0.5, 1.25],
  ])("changes from %d to %d soon, without a click or gap, and to its end", (before, after) => {
    const schedule = scheduled(6, before);
    schedule.finish();
    advance(1.03);
    schedule.setSpeed(after);
    expect(schedule.frame() / rate).toBeCloseTo(before, 2);
    advance(0.2);
    const soon = schedule.frame();
    advance(0.5);
    expect((schedule.frame() - soon) / rate).toBeCloseTo(0.5 * after, 2);
    advance(12);
    expect(schedule.frame()).toBe(6 * rate);
    expect(seconds()).toBeGreaterThan(1 + (6 - before) / after - 0.3);
    expect(seconds()).toBeLessThan(1 + (6 - before) / after + 0.3);
    expect(steepest(played().subarray(0, -rate / 10))).toBeLessThan(1.1 * steepest(tone(6)));
  });

  it("of 1 again plays the source as it is", () => {
    const schedule = scheduled(4, 1);
    advance(0.53);
    schedule.setSpeed(1.5);
    advance(0.5);
    schedule.setSpeed(1);
    const left = played();
    expect(left.subarray(-2 * rate)).toEqual(tone(4).subarray(-2 * rate));
  });

  it("changes as often as it is asked for at once", () => {
    const schedule = scheduled(6, 1);
    advance(1.03);
    for (const speed of [1.25, 1.5, 2, 1.5, 0.75]) {
      schedule.setSpeed(speed);
      advance(0.02);
      expect(schedule.frame() / rate).toBeCloseTo(audio.now - 0.03, 2);
    }
    advance(7);
    expect(seconds()).toBeGreaterThan(1 + 5 / 0.75 - 0.3);
    expect(steepest(played())).toBeLessThan(1.1 * steepest(tone(6)));
  });

  it("holds for samples that come later, after a wait and after a seek", () => {
    const schedule = scheduled(1, 1);
    advance(2);
    schedule.setSpeed(2);
    expect(schedule.frame()).toBe(rate);
    schedule.add([tone(2)]);
    advance(0.53);
    expect(schedule.frame() / rate).toBeCloseTo(2, 2);
    schedule.clear(10 * rate);
    schedule.add([tone(2)]);
    advance(0.53);
    expect(schedule.frame() / rate).toBeCloseTo(11, 2);
  });
});
