import type { Sound } from "./state";
import { player } from "./store";

let wasUsed = false; // a sound was loaded in this window
player.subscribe(() => (wasUsed ||= player.get().generation !== null));

/** Shows a sound, paused, in a window that has had none yet: after a reload the player is there as before. */
export function restore(generation: Sound): void {
  if (wasUsed) return;
  wasUsed = true;
  player.load(generation);
}
