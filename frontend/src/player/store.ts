import { follow, isAwaiting, update } from "./following";
import { output } from "./output";
import { close, load, pause, play, seek, setRate } from "./playback";
import { store } from "./state";

export const player = {
  get: store.get,
  subscribe: store.subscribe,
  isAwaiting,
  load,
  follow,
  update,
  play,
  pause,
  toggle: (): void => (store.get().playing ? pause() : play()),
  seek,
  setRate,
  setVolume: output.setVolume,
  close,
};
