export { chunkAt, player, usePlayer, usePlaying, usePlayingChunk, type PlayerState } from "./store";
export { Waveform } from "./Waveform";
