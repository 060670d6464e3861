export { chunkAt, player, usePlaying, usePlayingChunk, type PlayerState } from "./store";
export { saveGroups } from "./Export";
export { stopPreview, togglePreview, usePreviewError, usePreviewState } from "./preview";
export { audition, stopAudition, useAuditionError, useAuditionState } from "./audition";
export { noteLengths, secondsOf, type TakeOf } from "./takes";
