type Events = "timeupdate" | "play" | "pause" | "ended" | "error";

/** Returns an audio element that loads ahead and handles these events. */
export function createElement(handlers: Record<Events, () => void>): HTMLAudioElement {
  const audio = new Audio();
  audio.preload = "auto";
  for (const [name, handle] of Object.entries(handlers)) audio.addEventListener(name, handle);
  return audio;
}
