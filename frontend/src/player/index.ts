export { chunkAt, player, usePlaying, usePlayingChunk, type PlayerState } from "./store";
export { saveGroups } from "./Export";
