import { follow, isAwaiting, update } from "./following";
import { playback } from "./playback";

/** The player: what is loaded, and generations that it follows while they are made. */
export const player = Object.assign(playback, { isAwaiting, follow, update });
