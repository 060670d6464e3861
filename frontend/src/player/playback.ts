import { createStore } from "@/lib/store";
import { createElement } from "./element";
import { onEachFrame } from "./frames";
import { addressOf, withNewAddress } from "./newAddress";
import { output } from "./output";
import { file, followedBy, hear, heardIn, liveIn, type Phase } from "./phases";
import { change, isOther, position, store, type LoadOptions, type Sound } from "./state";

export const phase = createStore<Phase>(file());
let audio: HTMLAudioElement | null = null;

export const source = { stop: pause };

/** The audio element of the player, created at the first use. */
export function element(): HTMLAudioElement {
  audio ??= createElement({
    timeupdate: updatePosition,
    play: () => {
      if (liveIn(phase.get())) return; // it takes over when it sounds
      output.claim(source); // media keys start it too
      change({ playing: true, failed: false });
      updateEachFrame();
    },
    pause: () => {
      if (liveIn(phase.get())) return;
      change({ playing: false });
      updatePosition();
    },
    ended: () => {
      change({ playing: false });
      goOn(heardIn(phase.get()).onPlayed);
    },
    error: () => void renew(),
  });
  return audio;
}

export function updatePosition(): void {
  const live = liveIn(phase.get());
  if (live) position.set(live.position());
  else if (audio && store.get().generation) position.set(audio.currentTime);
}

function isMoving(): boolean {
  const playing = liveIn(phase.get()) ?? audio;
  return playing !== null && !playing.paused;
}

/** Updates the position with every frame: timeupdate events are up to 250 ms apart. */
export const updateEachFrame = onEachFrame(updatePosition, isMoving);

/** Renews the address after an error, at most every 10 s: addresses of audio expire after an hour. */
async function renew(): Promise<void> {
  const { generation, playing } = store.get();
  const heard = heardIn(phase.get());
  if (!generation || heard.kind !== "file") return;
  if (Date.now() - heard.renewedAt < 10_000) return change({ failed: true, playing: false });
  phase.set(hear(phase.get(), file(heard.onPlayed, Date.now())));
  const time = position.get();
  try {
    const again = await withNewAddress(generation);
    if (store.get().generation?.id !== again.id) return;
    setSource(again, time);
    if (playing) await output.play(source, element());
  } catch {
    change({ failed: true, playing: false });
  }
}

/** Lets the element play from now on, and no generation that is made. */
export function leaveLive(): void {
  const heard = heardIn(phase.get());
  if (heard.kind !== "file") phase.set(hear(phase.get(), file(heard.onPlayed)));
  change({ growing: null, revised: [], waiting: null });
}

/** Calls, once, what follows a sound that was played to its end. */
export function goOn(next: (() => void) | undefined): void {
  phase.set(followedBy(phase.get(), undefined));
  next?.();
}

/** Loads a file. */
export function setSource(generation: Sound, time: number): void {
  leaveLive();
  const audio = element();
  audio.src = addressOf(generation);
  audio.currentTime = time;
  audio.playbackRate = store.get().rate;
  position.set(time);
  change({ generation, duration: generation.duration, failed: false });
}

/** Changes to the file before the pause of speech in which it would have. */
export function changeNow(time: number): void {
  const { generation, playing } = store.get();
  if (!generation) return;
  setSource(generation, time);
  if (playing) play();
}

/** Loads a finished generation; another take of the same one keeps the position. */
function load(generation: Sound, options: LoadOptions = {}): void {
  const now = store.get();
  const isSame = now.generation?.id === generation.id;
  if (!isSame || options.onPlayed) phase.set(followedBy(phase.get(), options.onPlayed));
  const heard = heardIn(phase.get());
  if (heard.kind !== "file" && isSame && generation.status !== "complete") {
    if (options.at !== undefined) seek(options.at);
    if (options.play) play();
    return;
  }
  if (!isSame && heard.kind === "file") phase.set(hear(phase.get(), file(heard.onPlayed)));
  if (heard.kind !== "file" || isOther(now, generation))
    setSource(generation, options.at ?? (isSame ? Math.min(position.get(), generation.duration) : 0));
  else if (options.at !== undefined) seek(options.at);
  if (options.play) play();
}

export function play(): void {
  if (!store.get().generation) return;
  output.claim(source);
  output.play(source, liveIn(phase.get()) ?? element()).catch(() => change({ playing: false })); // a browser may require a click first
}

export function pause(): void {
  const heard = heardIn(phase.get());
  (liveIn(heard) ?? audio)?.pause();
  if (heard.kind === "changing") changeNow(heard.live.position());
}

function seek(seconds: number): void {
  const time = Math.max(0, Math.min(seconds, store.get().duration));
  const heard = heardIn(phase.get());
  if (heard.kind === "changing") changeNow(time);
  else if (heard.kind === "live") heard.live.seek(time);
  else element().currentTime = time;
  position.set(time);
}

function setRate(rate: number): void {
  const now = phase.get();
  const awaited = now.kind === "awaited" ? now.live : null;
  for (const sound of [element(), liveIn(now), awaited]) if (sound) sound.playbackRate = rate;
  change({ rate });
}

/** Stops and hides the bar. What is awaited stays so. */
export function close(): void {
  phase.set(followedBy(phase.get(), undefined));
  leaveLive();
  audio?.pause();
  audio?.removeAttribute("src");
  position.set(0);
  change({ generation: null, playing: false, duration: 0, failed: false });
}

/** What can be done with what is loaded. */
export const playback = {
  get: store.get,
  subscribe: store.subscribe,
  load,
  play,
  pause,
  toggle: (): void => (store.get().playing ? pause() : play()),
  seek,
  setRate,
  setVolume: output.setVolume,
  close,
};
