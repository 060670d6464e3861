import { createStore, useStorePart } from "@/lib/store";
import { output } from "./output";
import { player } from "./store";
import { noteLength, takeKey, takeSound, type TakeOf } from "./takes";

type State = "loading" | "playing";
interface Audition {
  key: string | null;
  state: State;
  error: unknown;
}

const idle: Audition = { key: null, state: "playing", error: null };
const store = createStore<Audition>(idle);
let audio: HTMLAudioElement | null = null;
const source = { stop: stopAudition };
let round = 0; // increases with each call, so that an older one ends

function silence(): void {
  round += 1;
  audio?.pause();
  audio = null;
}

export function stopAudition(): void {
  if (store.get().key === null && store.get().error === null) return;
  silence();
  store.set(idle);
}

/** Plays one take from its start to its end. */
async function play(of: TakeOf, mine: number): Promise<void> {
  store.set({ key: takeKey(of), state: "loading", error: null });
  const url = await takeSound(of);
  if (mine !== round) return;
  const next = new Audio(url);
  next.playbackRate = player.get().rate;
  audio = next;
  await output.play(source, next);
  noteLength(of, next.duration);
  if (mine !== round) return;
  store.set({ key: takeKey(of), state: "playing", error: null });
  await new Promise<void>((done) => {
    for (const event of ["ended", "pause", "error"]) next.addEventListener(event, () => done(), { once: true });
  });
}

/** Plays takes one after the other, each to the end of its chunk, without choosing one. */
export async function audition(...takes: readonly TakeOf[]): Promise<void> {
  silence();
  output.claim(source);
  const mine = round;
  try {
    for (const of of takes) {
      if (mine === round) await play(of, mine);
    }
    if (mine === round) store.set(idle);
  } catch (error) {
    if (mine === round) store.set({ key: null, state: "playing", error });
  }
}

/** Reports whether this take is loading or playing. */
export function useAuditionState(of: TakeOf): State | undefined {
  const key = takeKey(of);
  return useStorePart(store, (s) => (s.key === key ? s.state : undefined));
}

/** The error of the last take; null unless it failed. */
export function useAuditionError(): unknown {
  return useStorePart(store, errorOf);
}

const errorOf = (s: Audition): unknown => s.error;
