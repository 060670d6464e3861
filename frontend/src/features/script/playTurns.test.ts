import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Generation } from "@/api/types";
import { player } from "@/player";
import { aGeneration } from "@/test";
import { playTurns, type TurnQueue } from "./playTurns";

const turns = [
  aGeneration({ id: "t1", status: "generating" }),
  aGeneration({ id: "t2", status: "queued" }),
  aGeneration({ id: "t3", status: "complete" }),
];
const chunk = (start: number, end: number) => ({ text: "", start, end, take: 0, takes: 1 });
const joined = aGeneration({ id: "s1", chunks: [chunk(0, 2), chunk(2.3, 4), chunk(4.3, 6)] });

/** What was played: the ids, and where in the file. */
let played: [id: string, at?: number][];
let ended: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  played = [];
  const note = (sound: { id: string }, options?: { at?: number; onPlayed?: () => void }) => {
    played.push(options?.at === undefined ? [sound.id] : [sound.id, options.at]);
    ended = options?.onPlayed;
  };
  vi.spyOn(player, "load").mockImplementation(note);
  vi.spyOn(player, "follow").mockImplementation(note);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function start(file: () => Generation | null): void {
  const queue: TurnQueue = {
    ids: turns.map((turn) => turn.id),
    gap: 300,
    turn: (id) => turns.find((turn) => turn.id === id),
    file,
    isBetween: false,
  };
  playTurns(queue, 0);
}

it("plays turns one after the other while they are made, with the pause of the script between", () => {
  start(() => null);
  expect(played).toEqual([["t1"]]);
  ended?.();
  vi.advanceTimersByTime(299);
  expect(played).toHaveLength(1);
  vi.advanceTimersByTime(1);
  ended?.();
  vi.advanceTimersByTime(300);
  expect(played).toEqual([["t1"], ["t2"], ["t3", 0]]);
  ended?.();
  vi.advanceTimersByTime(300);
  expect(played).toHaveLength(3);
});

it("goes on with the joined file after a turn, or after the pause in which it was joined", () => {
  let file: Generation | null = joined;
  start(() => file);
  ended?.();
  expect(played).toEqual([["t1"], ["s1", 2]]);

  file = null;
  start(() => file);
  ended?.();
  file = joined;
  vi.advanceTimersByTime(300);
  expect(played.slice(2)).toEqual([["t1"], ["s1", 2.3]]);
});

it("does not start over a sound that was started in the pause", () => {
  start(() => null);
  ended?.();
  vi.spyOn(player, "get").mockReturnValue({ ...player.get(), playing: true });
  vi.advanceTimersByTime(300);
  expect(played).toEqual([["t1"]]);
});
