import { expect, it } from "vitest";
import { heardAt, stretchesOf, type LaneTurn } from "./stretches";

const turn = (start: number, end: number, speaker: number): LaneTurn => ({ start, end, speaker });

it("joins the turns of a speaker, and shows the pauses between", () => {
  expect(stretchesOf([turn(0, 2, 0), turn(2, 4, 0), turn(5, 10, 1)], 10, 100)).toEqual([
    { x: 0, width: 40, row: 0, speaker: 0 },
    { x: 50, width: 50, row: 0, speaker: 1 },
  ]);
});

it("shows who speaks at once in a second row", () => {
  expect(stretchesOf([turn(0, 6, 0), turn(4, 8, 1), turn(8, 10, 0)], 10, 10)).toEqual([
    { x: 0, width: 6, row: 0, speaker: 0 },
    { x: 8, width: 2, row: 0, speaker: 0 },
    { x: 4, width: 4, row: 1, speaker: 1 },
  ]);
  expect(heardAt([turn(0, 6, 0), turn(4, 8, 1)], 5)).toEqual([0, 1]);
});

it("gives a pixel to who is heard there longest, and shows the shortest word", () => {
  expect(stretchesOf([turn(0, 0.3, 0), turn(0.3, 1, 1), turn(3.2, 3.3, 2)], 4, 4)).toEqual([
    { x: 0, width: 1, row: 0, speaker: 1 },
    { x: 3, width: 1, row: 0, speaker: 2 },
  ]);
});

it("draws no more than there are pixels, also of hours with thousands of turns", () => {
  const turns = Array.from({ length: 5000 }, (_, i) => turn(i * 2.16, i * 2.16 + 2.5, i % 7));
  const stretches = stretchesOf(turns, 10_800, 700);
  expect(stretches.length).toBeLessThanOrEqual(1400);
  expect(new Set(stretches.map(({ speaker }) => speaker)).size).toBe(7);
});

it("has nothing to draw without a duration or a width", () => {
  expect(stretchesOf([turn(0, 1, 0)], 0, 100)).toEqual([]);
  expect(stretchesOf([turn(0, 1, 0)], 1, 0)).toEqual([]);
});
