export { onPlayRequest, player } from "./requests";
export { playChunk } from "./playChunk";
export { restore, restoreGeneration, showGeneration, showSound } from "./restore";
export { silenceBetween, useDraftAudio } from "./draftAudio";
export {
  chunkAt,
  heardPart,
  playhead,
  usePlayhead,
  usePlaying,
  usePlayingChunk,
  usePlayingRevised,
  usePlayer,
  type PlayerState,
  type Sound,
} from "./state";
export { clearTrack, setTrack, trackOf, type Track } from "./track";
export { setLane, type SpeakerLane } from "./lane/store";
export { connectOutput, output } from "./output";
export { askForDevices, canChooseDevice, followDevices, systemDevice, useDeviceMissing, type Device } from "./device";
export { connectMediaSession } from "./mediaSession";
export { askExport, exportGroups, exportItem, exportSound, useSoundChoice } from "./soundExport";
export { useExportHere } from "./exportPlace";
export { useFileItems } from "./Export";
export { ExportDialog } from "./ExportDialog";
export { sampleId, stopPreview, toggleHearing, togglePreview, usePreviewError, usePreviewState } from "./preview";
export { audition, stopAudition } from "./audition";
export { useMarkOlder } from "./older";
export { TakeList } from "./TakeList";
export { useNewTakes } from "./takes/useNewTakes";
export { barsOf, pathOf } from "./bars";
export { clipHead, stopClip, toggleClip, useClipError, useClipState } from "./clip";
