import { isUnavailable } from "@/api/errors";
import { readGeneration } from "@/api/generations";
import { hasEnded, type Generation } from "@/api/types";
import { changeToFile } from "./changeToFile";
import { createElement } from "./element";
import { onEachFrame } from "./frames";
import { showGrowth } from "./growth";
import { createLive, type Live } from "./live";
import { addressOf, withNewAddress } from "./newAddress";
import { output } from "./output";
import { samePlace } from "./samePlace";
import { coolDown, warmUp } from "./schedule";
import {
  change,
  isDropped,
  isOther,
  isPartial,
  position,
  store,
  type FollowOptions,
  type LoadOptions,
  type Sound,
} from "./state";

let audio: HTMLAudioElement | null = null;
let renewedAt = 0; // when the address was last renewed

/** A generation that has no samples yet, and what to do when it is complete without having been heard. */
let awaited: { live: Live; onMade(generation: Generation): void; onPlayed: (() => void) | undefined } | null = null;
let live: Live | null = null; // plays in place of the element while the generation is made
let stopGrowth: (() => void) | null = null;
let stopChange: (() => void) | null = null;
let onPlayed: (() => void) | undefined; // of the sound that is loaded
let former: string | undefined; // the file from before the change, while a change of the text is followed

const source = { stop: () => player.pause() };

/** The audio element of the player, created at the first use. */
function element(): HTMLAudioElement {
  audio ??= createElement({
    timeupdate: updatePosition,
    play: () => {
      if (live) return; // it takes over when it sounds
      output.claim(source); // media keys start it too
      change({ playing: true, failed: false });
      updateEachFrame();
    },
    pause: () => {
      if (live) return;
      change({ playing: false });
      updatePosition();
    },
    ended: () => {
      change({ playing: false });
      goOn(onPlayed);
    },
    error: () => void renew(),
  });
  return audio;
}

function updatePosition(): void {
  if (live) position.set(live.position());
  else if (audio && store.get().generation) position.set(audio.currentTime);
}

/** Updates the position with every frame: timeupdate events are up to 250 ms apart. */
const updateEachFrame = onEachFrame(updatePosition, () => (live ? !live.paused : audio !== null && !audio.paused));

/** Renews the address after an error, at most every 10 s: addresses of audio expire after an hour. */
async function renew(): Promise<void> {
  const { generation, playing } = store.get();
  if (!generation) return;
  if (Date.now() - renewedAt < 10_000) return change({ failed: true, playing: false });
  renewedAt = Date.now();
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

const retryDelay = 1_000; // ms
const endTolerance = 0.1; // seconds

/** Stops to follow a generation that is made. */
function leaveLive(): void {
  stopChange?.();
  stopGrowth?.();
  live?.close();
  live = stopGrowth = stopChange = null;
  change({ growing: null, revised: [], waiting: null });
}

/** Calls, once, what follows a sound that was played to its end. */
function goOn(next: (() => void) | undefined): void {
  onPlayed = undefined;
  next?.();
}

function dropAwaited(): void {
  awaited?.live.close();
  awaited = null;
  coolDown();
}

/** Shows a generation that can be heard from now on. */
function start(next: Live, generation: Sound, { play, changes, onStart }: FollowOptions): void {
  player.close();
  live = next;
  renewedAt = 0;
  former = changes ? generation.audio_path : undefined;
  position.set(next.position());
  grow(generation, changes);
  if (play) player.play();
  onStart?.();
}

/** Shows what there is of a generation, while it grows and when it was stopped. */
function grow(generation: Sound, changes = false): void {
  stopGrowth?.();
  const growing = live;
  stopGrowth = showGrowth(generation, changes, () => growing && void onLiveEnd(growing));
}

/** The server has no more samples: the generation has ended, or the connection broke. */
async function onLiveEnd(ended: Live): Promise<void> {
  const isFollowed = () => live === ended || awaited?.live === ended;
  try {
    const generation = await readGeneration(ended.id);
    if (!isFollowed()) return;
    if (generation.status === "complete") return player.update(generation);
    if (hasEnded(generation.status) && awaited?.live === ended) {
      const next = generation.status === "failed" ? awaited.onPlayed : undefined;
      dropAwaited();
      return goOn(next);
    }
    if (hasEnded(generation.status) && generation.partial) {
      if (isPartial(store.get())) return ended.finish();
      grow(generation);
      return ended.retry(); // goes on with what is finished
    }
    if (isDropped(generation, store.get())) return player.close();
    if (generation.status === "failed") return ended.finish();
  } catch (error) {
    if (isUnavailable(error) && isFollowed()) return awaited?.live === ended ? dropAwaited() : player.close(); // it was deleted
  }
  setTimeout(() => isFollowed() && ended.retry(), retryDelay);
}

/** Changes from a generation that was made to its file: at once when paused, else in a pause of speech. */
function playFile(generation: Generation): void {
  if (!live || stopChange) return;
  stopGrowth?.();
  change({ generation, revised: [], duration: generation.duration });
  if (live.paused || !live.hasBegun()) return changeNow(live.position());
  const now = live;
  stopChange = changeToFile(now, element(), generation, store.get().rate, () => {
    if (live !== now) return;
    output.replace(source, element());
    leaveLive();
    change({ generation, duration: generation.duration, playing: true, failed: false });
    updateEachFrame();
  });
  now.finish();
}

/** Shows the file from before a change that was stopped or failed. */
function showFormer(generation: Generation): void {
  setSource(generation, Math.min(position.get(), generation.duration));
  change({ playing: false });
}

/** Changes to the file before the pause of speech in which it would have. */
function changeNow(time: number): void {
  const { generation, playing } = store.get();
  if (!generation) return;
  setSource(generation, time);
  if (playing) player.play();
}

/** Changes to the file when there are no more samples; reports whether it has more to play. */
function changeAtEnd(time: number): boolean {
  const hasMore = time < store.get().duration - endTolerance;
  if (!hasMore) change({ playing: false });
  changeNow(time);
  return hasMore;
}

function setSource(generation: Sound, time: number): void {
  leaveLive();
  const audio = element();
  audio.src = addressOf(generation);
  audio.currentTime = time;
  audio.playbackRate = store.get().rate;
  position.set(time);
  change({ generation, duration: generation.duration, failed: false });
}

/** Plays on in another version of the loaded generation, at the same place of the text. */
function replaceFile(next: Generation): void {
  const { generation, playing } = store.get();
  if (generation?.id !== next.id || generation.audio_path === next.audio_path) return;
  setSource(next, samePlace(generation, next, position.get()));
  if (playing) player.play();
}

export const player = {
  get: store.get,
  subscribe: store.subscribe,
  /** Reports whether a generation is loaded as soon as it can be heard. */
  isAwaiting: (): boolean => awaited !== null,
  /** Loads a finished generation; another take of the same one keeps the position. */
  load(generation: Sound, options: LoadOptions = {}): void {
    const now = store.get();
    const same = now.generation?.id === generation.id;
    if (!same || options.onPlayed) onPlayed = options.onPlayed;
    if (live && same && generation.status !== "complete") {
      if (options.at !== undefined) player.seek(options.at);
      if (options.play) player.play();
      return;
    }
    if (!same) renewedAt = 0;
    if (live || isOther(now, generation))
      setSource(generation, options.at ?? (same ? Math.min(position.get(), generation.duration) : 0));
    else if (options.at !== undefined) player.seek(options.at);
    if (options.play) player.play();
  },
  /** Loads a generation as soon as it can be heard, or what is finished of a stopped one, and follows it until it becomes its file. */
  follow(generation: Sound, options: FollowOptions): void {
    const { play, busy, changes = false, onPlayed: then, onStart } = options;
    dropAwaited();
    if (play) warmUp();
    const next = createLive({
      id: generation.id,
      from: live?.id === generation.id ? live.position() : 0,
      playbackRate: store.get().rate,
      onOpen: () => {
        if (awaited?.live !== next) return;
        if (busy()) return dropAwaited();
        awaited = null;
        start(next, generation, options);
        onPlayed = then;
      },
      onChange: ({ paused, waiting }) => {
        if (live !== next) return;
        change({ playing: !paused, waiting });
        updatePosition();
        updateEachFrame();
      },
      onEnd: () => void onLiveEnd(next),
      onPlayedAll: () => {
        if (live !== next) return;
        const following = onPlayed;
        if (isPartial(store.get())) next.rewind();
        else if (!stopChange) player.close();
        else if (changeAtEnd(next.position())) return;
        goOn(following);
      },
    });
    awaited = {
      live: next,
      onMade: (made) => {
        if (changes || busy()) return;
        player.load(made, { play, at: 0, onPlayed: then });
        onStart?.();
      },
      onPlayed: then,
    };
    next.open();
  },
  /** Plays the file of a generation that was followed and is complete now, or whose text was changed; closes one that was dropped. */
  update(generation: Generation): void {
    if (live?.id === generation.id && isDropped(generation, store.get())) return player.close();
    if (generation.status !== "complete") return;
    if (live?.id === generation.id && generation.audio_path === former) return showFormer(generation);
    if (live?.id === generation.id) return playFile(generation);
    if (awaited?.live.id !== generation.id) return replaceFile(generation);
    const { onMade } = awaited;
    dropAwaited();
    onMade(generation);
  },
  play(): void {
    if (!store.get().generation) return;
    output.claim(source);
    output.play(source, live ?? element()).catch(() => change({ playing: false })); // a browser may require a click first
  },
  pause(): void {
    (live ?? audio)?.pause();
    if (live && stopChange) changeNow(live.position());
  },
  toggle: (): void => (store.get().playing ? player.pause() : player.play()),
  seek(seconds: number): void {
    const time = Math.max(0, Math.min(seconds, store.get().duration));
    if (live && stopChange) changeNow(time);
    else if (live) live.seek(time);
    else element().currentTime = time;
    position.set(time);
  },
  setRate(rate: number): void {
    for (const sound of [element(), live, awaited?.live]) if (sound) sound.playbackRate = rate;
    change({ rate });
  },
  setVolume: output.setVolume,
  /** Stops and hides the bar. */
  close(): void {
    onPlayed = undefined;
    leaveLive();
    audio?.pause();
    audio?.removeAttribute("src");
    position.set(0);
    change({ generation: null, playing: false, duration: 0, failed: false });
  },
};
