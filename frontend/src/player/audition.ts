import { createStore, useStore } from "@/lib/store";
import { createDeck, type Deck } from "./deck";
import { output } from "./output";
import { dropTakeSounds, takeKey, takeSound, type TakeOf } from "./takes";

type State = "loading" | "playing";
interface Audition {
  /** The take that is heard, or will be. */
  of: TakeOf | null;
  state: State;
  /** Why a take could not be played. */
  failure: { of: TakeOf; error: unknown } | null;
}

const startLimit = 3_000; // ms until the browser plays

const idle: Audition = { of: null, state: "playing", failure: null };
const store = createStore<Audition>(idle);
const head = createStore(0);
const source = { stop: stopAudition };
let context: AudioContext | null = null;
let deck: Deck | null = null;
let wanted: TakeOf | null = null; // the last one that was asked for
let round = 0; // increases with each call, so that an older one ends

/** The position in seconds of the take that plays. */
export const auditionHead = { get: head.get, subscribe: head.subscribe };

function silence(): void {
  round += 1;
  deck?.stop();
  deck = null;
  void context?.close();
  context = null;
}

export function stopAudition(): void {
  silence();
  store.set(idle);
}

function followHead(playing: Deck): void {
  if (deck !== playing) return;
  head.set(playing.seconds());
  requestAnimationFrame(() => followHead(playing));
}

/** Plays one take to its end, or to that of the take which is heard then. */
async function play(of: TakeOf, opened: AudioContext, mine: number): Promise<void> {
  head.set(0);
  store.set({ of, state: "loading", failure: null });
  const sound = await takeSound(of);
  if (mine !== round) return;
  await new Promise<void>((done, fail) => {
    const playing = createDeck(opened, done);
    deck = playing;
    playing.add(takeKey(of), sound);
    setTimeout(() => deck === playing && playing.paused && stopAudition(), startLimit); // the browser requires a click first
    output.play(source, playing).then(() => {
      if (deck !== playing) return;
      store.set({ of, state: "playing", failure: null });
      followHead(playing);
    }, fail);
  });
}

/** Plays takes one after the other, without choosing one. */
export async function audition(...takes: readonly TakeOf[]): Promise<void> {
  silence();
  output.claim(source);
  const mine = round;
  const opened = new AudioContext();
  context = opened;
  for (const of of takes) {
    if (mine !== round) return;
    try {
      await play(of, opened, mine);
    } catch (error) {
      if (mine !== round) return;
      silence();
      return store.set({ ...idle, failure: { of, error } });
    }
  }
  if (mine === round) stopAudition();
}

/** Lets another take run unheard beside the one that plays, so that it can be heard at once. */
export async function prepareTake(of: TakeOf): Promise<void> {
  const playing = deck;
  if (!playing || playing.has(takeKey(of))) return;
  const sound = await takeSound(of);
  if (deck === playing) playing.add(takeKey(of), sound);
}

/** Changes to another take of the chunk at the same second, without a gap; plays it if none plays. */
export async function switchTake(of: TakeOf): Promise<void> {
  const playing = deck;
  if (!playing) return audition(of);
  wanted = of;
  try {
    await prepareTake(of);
    if (deck !== playing || wanted !== of) return;
    playing.hear(takeKey(of));
    store.set({ of, state: "playing", failure: null });
  } catch (error) {
    if (deck === playing) store.set((s) => ({ ...s, failure: { of, error } }));
  }
}

/** Ends what plays of a chunk, and drops the audio of its takes. */
export function releaseTakes(of: Omit<TakeOf, "take">): void {
  const { of: heard } = store.get();
  if (heard && isOfChunk(heard, of)) stopAudition();
  dropTakeSounds(of);
}

const isOfChunk = (a: TakeOf, b: Omit<TakeOf, "take">): boolean => takeKey(a) === takeKey({ ...b, take: a.take });

/** What plays of the takes of a chunk. */
export interface ChunkAudition {
  /** The take that is heard or loading; null if none is. */
  heard: number | null;
  isLoading: boolean;
  /** Why the last take could not be played. */
  error: unknown;
  /** Takes of another chunk play. */
  isElsewhere: boolean;
}

export function useAudition({ id, file, chunk }: Omit<TakeOf, "take">): ChunkAudition {
  const { of, state, failure } = useStore(store);
  const isHere = of !== null && isOfChunk(of, { id, file, chunk });
  return {
    heard: isHere ? of.take : null,
    isLoading: isHere && state === "loading",
    error: failure && isOfChunk(failure.of, { id, file, chunk }) ? failure.error : null,
    isElsewhere: of !== null && !isHere,
  };
}
