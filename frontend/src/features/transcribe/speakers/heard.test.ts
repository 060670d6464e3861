import { expect, it } from "vitest";
import { aSegment } from "@/test";
import { heardTurns } from "./heard";

const turn = (start: number, end: number, speaker: string) => ({ start, end, speaker });
const line = (start: number, end: number, speaker: string, speaker_found = false) =>
  aSegment({ start, end, speaker, speaker_found });

it("puts the lines that a person set in the place of what was found", () => {
  const found = [turn(0, 10, "Anna"), turn(8, 12, "Ben"), turn(12, 20, "Anna")];
  expect(heardTurns([line(0, 10, "Anna", true)], found)).toEqual(found);
  expect(heardTurns([line(2, 4, "Cleo"), line(9, 13, "Cleo")], found)).toEqual([
    turn(0, 2, "Anna"),
    turn(2, 4, "Cleo"),
    turn(4, 9, "Anna"),
    turn(8, 9, "Ben"),
    turn(9, 13, "Cleo"),
    turn(13, 20, "Anna"),
  ]);
});

it("has the lines for turns where nothing was found", () => {
  expect(heardTurns([line(0, 2, "Anna"), line(2, 4, ""), line(4, 6, "Ben", true)], [])).toEqual([
    turn(0, 2, "Anna"),
    turn(4, 6, "Ben"),
  ]);
});
