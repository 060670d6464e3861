import type { Generation } from "@/api/types";
import { output, player, silenceBetween } from "@/player";

/** Turns that are played one after the other. */
export interface TurnQueue {
  ids: readonly string[];
  /** Silence between two turns, in milliseconds. */
  gap: number;
  /** Returns a turn as it is now. */
  turn(id: string): Generation | undefined;
  /** Returns the joined file of the turns; null until it exists. */
  file(): Generation | null;
  /** The silence after a turn lasts. */
  isBetween: boolean;
}

/**
 * Plays the turns from one on, each as soon as it can be heard, and continues with the joined file when it exists. `continues`
 * says that another turn was heard before.
 */
export function playTurns(queue: TurnQueue, n: number, continues = false): void {
  const turn = queue.turn(queue.ids[n] ?? "");
  if (!turn) return;
  const options = { play: true, continues, onPlayed: () => pause(queue, n) };
  if (turn.status === "complete") player.load(turn, { ...options, at: 0 });
  else player.follow(turn, { ...options, busy: output.watch() });
}

/** Plays what follows a turn: the joined file, which contains the silence, or the next turn after it. */
function pause(queue: TurnQueue, n: number): void {
  const file = queue.file();
  if (file) return player.load(file, { play: true, continues: true, at: file.chunks[n]?.end ?? 0 });
  const before = player.get().generation;
  const isBusy = output.watch();
  const endSilence = silenceBetween();
  queue.isBetween = true;
  setTimeout(() => {
    queue.isBetween = false;
    endSilence();
    if (player.get().generation !== before || player.get().playing || isBusy()) return; // it was closed, or plays something else
    const file = queue.file();
    if (file) player.load(file, { play: true, continues: true, at: file.chunks[n + 1]?.start ?? 0 });
    else playTurns(queue, n + 1, true);
  }, queue.gap);
}
