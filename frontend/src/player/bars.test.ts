import { describe, expect, it } from "vitest";
import { barsOf, pathOf } from "./bars";
import { joinPeaks } from "./peaks";

describe("the waveform", () => {
  /** Returns peaks of speech, 25 a second: syllables of a level, and silence where a pause is. */
  const speech = (seconds: number, level: (at: number) => number, pause = { from: 0, to: 0 }) =>
    Array.from({ length: seconds * 25 }, (_, i) => {
      const at = i / 25;
      const size = at >= pause.from && at < pause.to ? 0.002 : level(at) * (0.6 + 0.4 * Math.abs(Math.sin(at * 11)));
      return [-size, size];
    });

  it.each([0, 0.1, 0.2, 0.3])("shows a pause of half a second as a gap, wherever it begins: %f", (begin) => {
    const from = 20 + begin;
    const bars = barsOf(
      speech(47, () => 0.6, { from, to: from + 0.5 }),
      120,
    );
    const at = Math.floor((from * 120) / 47);
    const spoken = Math.min(...bars.slice(5, at - 1), ...bars.slice(at + 4, -5));
    expect(spoken).toBeGreaterThan(0.2);
    expect(Math.min(...bars.slice(at, at + 3))).toBeLessThan(spoken / 3);
  });

  it("shows loud and quiet parts apart, and a quiet recording as quiet", () => {
    const bars = barsOf(
      speech(30, (at) => (at < 15 ? 0.8 : 0.3)),
      100,
    );
    expect(Math.min(...bars.slice(5, 45))).toBeGreaterThan(Math.max(...bars.slice(55)) * 1.5);
    expect(
      Math.max(
        ...barsOf(
          speech(30, () => 0.04),
          100,
        ),
      ),
    ).toBeLessThan(0.25);
  });

  it("of an hour has phrases too, though every bar holds speech and pauses", () => {
    const bars = barsOf(
      speech(3600, (at) => (at % 60 < 40 ? 0.6 : 0.45)),
      120,
    );
    expect(Math.max(...bars) - Math.min(...bars)).toBeGreaterThan(0.2);
    expect(bars.every((bar) => bar > 0.1 && bar <= 1)).toBe(true);
  });

  it.each([60, 120, 300])(
    "of nearly three hours of levelled speech shows louder and quieter parts in %d bars",
    (count) => {
      const seconds = 10_020;
      const sizes = Array.from({ length: 8_000 }, (_, i) => {
        const at = (i / 8_000) * seconds;
        const level = 0.55 + 0.012 * Math.sin(at / 900) + 0.03 * Math.abs(Math.sin(i * 7.3));
        return [-level, level];
      });
      const bars = barsOf(sizes, count);
      expect(Math.max(...bars) - Math.min(...bars)).toBeGreaterThan(0.2);
      expect(Math.min(...bars)).toBeGreaterThan(0.05);
    },
  );

  it("of silence is a line of dots, with round ends", () => {
    const silent = Array.from({ length: 900 }, () => [0, 0]);
    expect(barsOf(silent, 2)).toEqual([0, 0]);
    expect(barsOf([], 3)).toEqual([0, 0, 0]);
    expect(pathOf([0, 1], 3, 40)).toBe("M1 19.9v0.1M4 3.0v34.0");
  });

  it("of a joined script is that of its turns with the pauses between", () => {
    expect(
      joinPeaks(
        [
          { peaks: [[-1, 1]], seconds: 1 },
          { peaks: [[-0.5, 0.5]], seconds: 2 },
        ],
        1,
        4,
      ),
    ).toEqual([
      [-1, 1],
      [0, 0],
      [-0.5, 0.5],
      [-0.5, 0.5],
    ]);
  });
});
