import type { Generation } from "@/api/types";
import type { Live } from "./live";
import { addressOf } from "./newAddress";

const time = 0.5; // seconds that an element may need to load and seek

/**
 * Lets the file play on from where a generation was heard while it was made. The element starts in the next pause of
 * speech, where the moment that it takes is not heard; samples stop when it sounds. Returns a function that gives up.
 */
export function changeToFile(
  live: Live,
  element: HTMLAudioElement,
  generation: Generation,
  playbackRate: number,
  onChanged: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const stop = new AbortController();
  const once = { once: true, signal: stop.signal };
  const at = live.pauseAfter(live.position() + time);
  function startWhenDue(): void {
    const left = at - live.position();
    if (left > 0) timer = setTimeout(startWhenDue, left * 1000);
    else void element.play();
  }
  element.addEventListener("playing", onChanged, once);
  element.addEventListener("canplay", startWhenDue, once);
  element.muted = false;
  element.src = addressOf(generation);
  element.currentTime = at;
  element.playbackRate = playbackRate;
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
