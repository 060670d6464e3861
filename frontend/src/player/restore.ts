import { hasEnded, type Generation } from "@/api/types";
import type { Sound } from "./state";
import { player } from "./store";

let wasUsed = false; // a sound was loaded in this window
player.subscribe(() => (wasUsed ||= player.get().generation !== null));

/** Shows a sound, paused, in a window that has had none yet: after a reload the player is there as before. */
export function restore(generation: Sound): void {
  if (!wasUsed && !player.isAwaiting()) showSound(generation);
}

/** Shows a sound that is complete, paused. */
export function showSound(generation: Sound): void {
  wasUsed = true;
  player.load(generation);
  const stop = player.subscribe(() => {
    const { generation: shown, playing, failed } = player.get();
    if (playing || shown?.id !== generation.id) return stop();
    if (!failed) return;
    stop();
    player.close(); // its file is gone, and nobody has asked to hear it
  });
}

/** Shows a generation as `restore` does: what there is of one that is made, the former version of one that is changed. */
export function restoreGeneration(generation: Generation): void {
  if (!wasUsed && !player.isAwaiting()) showGeneration(generation);
}

/** Shows a generation, paused. One that is awaited already, in this or another draft, is not disturbed. */
export function showGeneration(generation: Generation): void {
  if (generation.audio_missing) return;
  if (generation.audio_url !== "") return showSound({ ...generation, status: "complete" });
  if (hasEnded(generation.status) || player.isAwaiting()) return;
  wasUsed = true;
  player.follow(generation, { play: false, busy: () => player.get().generation !== null });
}
