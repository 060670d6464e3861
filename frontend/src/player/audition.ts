import { createStore, useStorePart } from "@/lib/store";
import { player } from "./store";
import { noteLength, takeKey, takeSound, type TakeOf } from "./takes";

type State = "loading" | "playing";
interface Audition {
  key: string | null;
  state: State;
  error: unknown;
}

const nothing: Audition = { key: null, state: "playing", error: null };
const store = createStore<Audition>(nothing);
let audio: HTMLAudioElement | null = null;
let round = 0; // grows with each wish, so that an older one ends

function silence(): void {
  round += 1;
  audio?.pause();
  audio = null;
}

export function stopAudition(): void {
  if (store.get().key === null && store.get().error === null) return;
  silence();
  store.set(nothing);
}

/** Plays one take from its start to its end. */
async function play(of: TakeOf, mine: number): Promise<void> {
  store.set({ key: takeKey(of), state: "loading", error: null });
  if (player.get().playing) player.pause(); // one sound at a time
  const url = await takeSound(of);
  if (mine !== round) return;
  const sound = new Audio(url);
  const { volume, rate } = player.get();
  Object.assign(sound, { volume, playbackRate: rate });
  audio = sound;
  await sound.play();
  noteLength(of, sound.duration);
  if (mine !== round) return;
  store.set({ key: takeKey(of), state: "playing", error: null });
  await new Promise<void>((done) => {
    for (const event of ["ended", "pause", "error"]) sound.addEventListener(event, () => done(), { once: true });
  });
}

/** Plays takes one after the other, each to the end of its chunk. Nothing is chosen by it. */
export async function audition(...takes: readonly TakeOf[]): Promise<void> {
  silence();
  const mine = round;
  try {
    for (const of of takes) {
      if (mine === round) await play(of, mine);
    }
    if (mine === round) store.set(nothing);
  } catch (error) {
    if (mine === round) store.set({ key: null, state: "playing", error });
  }
}

let wasPlaying = player.get().playing;
player.subscribe(() => {
  const { playing } = player.get();
  if (playing && !wasPlaying) stopAudition(); // one sound at a time
  wasPlaying = playing;
});

/** Whether this take sounds, or is fetched for it. */
export function useAuditionState(of: TakeOf): State | undefined {
  const key = takeKey(of);
  return useStorePart(store, (s) => (s.key === key ? s.state : undefined));
}

/** Why the last one did not sound; null while all is well. */
export function useAuditionError(): unknown {
  return useStorePart(store, errorOf);
}

const errorOf = (s: Audition): unknown => s.error;
