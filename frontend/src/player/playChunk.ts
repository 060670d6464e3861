import type { Sound } from "./state";
import { player } from "./requests";

/** Plays the loaded sound from a chunk on as soon as its place is known, unless another one is loaded or it is closed. */
function playWhenKnown(id: string, chunk: number): void {
  const stop = player.subscribe(look);
  function look(): void {
    const { generation } = player.get();
    const start = generation?.chunks[chunk]?.start;
    if (generation?.id === id && start === undefined) return;
    stop();
    if (generation?.id !== id || start === undefined) return;
    player.seek(start);
    player.play();
  }
  look();
}

/** Plays a generation that is made, or what is finished of one, from a chunk on. */
export function playChunk(generation: Sound, chunk: number): void {
  const { id } = generation;
  const { generation: loaded } = player.get();
  if (loaded?.id === id && loaded.chunks[chunk]) return playWhenKnown(id, chunk);
  player.follow(generation, { play: false, busy: () => false, onStart: () => playWhenKnown(id, chunk) });
}
