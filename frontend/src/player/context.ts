import * as v from "valibot";
import { storedValue } from "@/lib/storedValue";
import { route, type Sink } from "./device";

let warm: AudioContext | null = null; // has not played yet
/** The rate of the last voice, which the next one probably has too: a context of another rate is of no use to it. */
const lastRate = storedValue("voicewright.rate", v.pipe(v.number(), v.minValue(8_000), v.maxValue(96_000)), 22_050);

/** Starts the browser's audio before the first samples arrive, as that takes a moment. */
export function warmUp(): void {
  warm ??= new AudioContext({ sampleRate: lastRate.read() });
  void route(warm as Sink);
}

/** Ends what warmUp started, when nothing is going to play. */
export function coolDown(): void {
  void warm?.close();
  warm = null;
}

/** Returns a context of a rate, the one that was started before if it has this rate. */
export function openContext(rate: number): AudioContext {
  const context = warm;
  lastRate.write(rate);
  if (context?.sampleRate === rate) {
    warm = null;
    return context;
  }
  coolDown();
  return new AudioContext({ sampleRate: rate });
}
