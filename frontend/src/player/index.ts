export {
  chunkAt,
  player,
  playhead,
  usePlayhead,
  usePlaying,
  usePlayingChunk,
  type PlayerState,
  type Sound,
} from "./store";
export { output } from "./output";
export { connectMediaSession } from "./mediaSession";
export { askExport, exportGroups, exportItem, exportSound, useSoundChoice } from "./soundExport";
export { ExportDialog } from "./ExportDialog";
export { sampleId, stopPreview, togglePreview, usePreviewError, usePreviewState } from "./preview";
export { audition, stopAudition, useAuditionError, useAuditionState } from "./audition";
export { noteLengths, secondsOf, type TakeOf } from "./takes";
export { barsOf, pathOf } from "./bars";
export { clipHead, stopClip, toggleClip, useClipError, useClipState } from "./clip";
