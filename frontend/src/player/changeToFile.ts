import type { Generation } from "@/api/types";
import { route } from "./device";
import type { Live } from "./live";
import { addressOf } from "./newAddress";
import type { Pause } from "./samples";

const ahead = 0.5; // seconds that an element may need to load and seek, at speed 1
const lead = 0.03; // seconds of the pause that it may need until it sounds, at speed 1
const sounding = 0.02; // seconds by which the time of an element moves only when it sounds: "playing" may come much earlier
const interval = 10; // ms

/**
 * Lets the file play on from where a generation was heard while it was made. The element starts in a pause of speech, and samples
 * stop when it sounds. Where it does not in time, samples play on, and the next pause is tried. Returns a function that gives up.
 */
export function changeToFile(
  live: Live,
  element: HTMLAudioElement,
  generation: Generation,
  playbackRate: number,
  onChanged: () => void,
): () => void {
  let pause: Pause | null = null;
  let from = 0; // the time of the element when it was started
  const look = () => {
    const now = live.position();
    if (!pause || now >= pause.to) return aim();
    if (now < pause.from || element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) return;
    if (element.paused) {
      from = element.currentTime;
      element.play().catch(() => undefined); // samples play on
    } else if (element.currentTime > from + sounding) {
      clearInterval(timer);
      onChanged();
    }
  };
  function aim(): void {
    element.pause();
    pause = live.pauseAfter(live.position() + ahead * element.playbackRate);
    if (pause) element.currentTime = pause.from + lead * element.playbackRate;
  }
  const timer = setInterval(look, interval);
  void route(element);
  element.src = addressOf(generation);
  element.playbackRate = playbackRate;
  aim();
  return () => clearInterval(timer);
}
