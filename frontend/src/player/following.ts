import { isUnavailable } from "@/api/errors";
import { readGeneration } from "@/api/generations";
import { hasEnded, type Generation } from "@/api/types";
import { changeToFile } from "./changeToFile";
import { coolDown, warmUp } from "./context";
import { showGrowth } from "./growth";
import { Live } from "./live";
import { output } from "./output";
import { awaiting, begin, changing, hear, heardIn, isFollowedIn, liveIn, unawaited, type AwaitedPhase } from "./phases";
import {
  changeNow,
  close,
  element,
  goOn,
  leaveLive,
  phase,
  play,
  playback,
  setSource,
  source,
  updateEachFrame,
  updatePosition,
} from "./playback";
import { samePlace } from "./samePlace";
import { change, isDropped, isPartial, position, store, type FollowOptions, type Sound } from "./state";

const retryDelay = 1_000; // ms
const endTolerance = 0.1; // seconds

const isHeard = (live: Live) => liveIn(phase.get()) === live;
const isFollowed = (live: Live) => isFollowedIn(phase.get(), live);

/** Returns the phase in which this is awaited, or any sound; null if it is not. */
function awaited(live?: Live): AwaitedPhase | null {
  const now = phase.get();
  return now.kind === "awaited" && (!live || now.live === live) ? now : null;
}

function dropAwaited(): void {
  phase.set(unawaited(phase.get()));
  coolDown();
}

/** Shows the awaited generation, which can be heard from now on. */
function start(live: Live, generation: Sound, options: FollowOptions): void {
  close();
  const now = awaited(live);
  if (!now) return;
  phase.set(begin(now, options.changes ? generation.audio_path : undefined));
  position.set(live.position());
  grow(generation, options.changes);
  if (options.play) play();
  options.onStart?.();
}

/** Shows what there is of a generation, while it grows and when it was stopped. */
function grow(generation: Sound, changes = false): void {
  const heard = heardIn(phase.get());
  if (heard.kind !== "live") return;
  const stopGrowth = showGrowth(generation, changes, {
    onStill: () => void playIfComplete(heard.live),
    onUnavailable: () => void onLiveEnd(heard.live),
  });
  phase.set(hear(phase.get(), { ...heard, stopGrowth }));
}

/** Plays the file of a generation whose end was not heard of: its samples are read no further while they are not played. */
async function playIfComplete(live: Live): Promise<void> {
  const generation = await readGeneration(live.id).catch(() => null); // a later look asks again
  if (generation?.status === "complete" && isHeard(live)) update(generation);
}

/** The server has no more samples: the generation has ended, or the connection broke. */
async function onLiveEnd(ended: Live): Promise<void> {
  try {
    const generation = await readGeneration(ended.id);
    if (!isFollowed(ended)) return;
    if (generation.status === "complete") return update(generation);
    const waited = awaited(ended);
    if (hasEnded(generation.status) && waited) {
      dropAwaited();
      return goOn(generation.status === "failed" ? waited.onPlayed : undefined);
    }
    if (hasEnded(generation.status) && generation.partial) {
      if (isPartial(store.get())) return ended.finish();
      grow(generation);
      return ended.retry(); // goes on with what is finished
    }
    if (isDropped(generation, store.get())) return close();
    if (generation.status === "failed") return ended.finish();
  } catch (error) {
    if (isUnavailable(error) && isFollowed(ended)) return awaited(ended) ? dropAwaited() : close(); // it was deleted
  }
  setTimeout(() => isFollowed(ended) && ended.retry(), retryDelay);
}

/** All samples of a generation were played. */
function onPlayedAll(live: Live): void {
  const heard = heardIn(phase.get());
  if (heard.kind === "file" || heard.live !== live) return;
  if (isPartial(store.get())) live.rewind();
  else if (heard.kind === "live") close();
  else if (changeAtEnd(live.position())) return;
  goOn(heard.onPlayed);
}

/** Changes from a generation that was made to its file: at once when paused, else in a pause of speech. */
function playFile(generation: Generation): void {
  const heard = heardIn(phase.get());
  if (heard.kind !== "live") return;
  const { live } = heard;
  change({ generation, revised: [], duration: generation.duration });
  if (live.paused || !live.hasBegun()) return changeNow(live.position());
  const stopChange = changeToFile(live, element(), generation, store.get().rate, () => {
    if (!isHeard(live)) return;
    output.replace(source, element());
    leaveLive();
    change({ generation, duration: generation.duration, playing: true, failed: false });
    updateEachFrame();
  });
  phase.set(hear(phase.get(), changing(heard, stopChange)));
  live.finish();
}

/** Shows the file from before a change that was stopped or failed. */
function showFormer(generation: Generation): void {
  setSource(generation, Math.min(position.get(), generation.duration));
  change({ playing: false });
}

/** Changes to the file when there are no more samples; reports whether it has more to play. */
function changeAtEnd(time: number): boolean {
  const hasMore = time < store.get().duration - endTolerance;
  if (!hasMore) change({ playing: false });
  changeNow(time);
  return hasMore;
}

/** Plays on in another version of the loaded generation, at the same place of the text. */
function replaceFile(next: Generation): void {
  const { generation, playing } = store.get();
  if (generation?.id !== next.id || generation.audio_path === next.audio_path) return;
  setSource(next, samePlace(generation, next, position.get()));
  if (playing) play();
}

/** Reports whether a generation is loaded as soon as it can be heard. */
export const isAwaiting = (): boolean => phase.get().kind === "awaited";

/** Loads a generation as soon as it can be heard, or what is finished of a stopped one, and follows it until it becomes its file. */
export function follow(generation: Sound, options: FollowOptions): void {
  const { busy, changes = false, onPlayed, onStart } = options;
  dropAwaited();
  if (options.play) warmUp();
  const heard = liveIn(phase.get());
  const live = new Live({
    id: generation.id,
    from: heard?.id === generation.id ? heard.position() : 0,
    playbackRate: store.get().rate,
    onOpen: () => {
      if (!awaited(live)) return;
      if (busy()) dropAwaited();
      else start(live, generation, options);
    },
    onChange: ({ paused, waiting }) => {
      if (!isHeard(live)) return;
      change({ playing: !paused, waiting });
      updatePosition();
      updateEachFrame();
    },
    onEnd: () => void onLiveEnd(live),
    onPlayedAll: () => onPlayedAll(live),
  });
  const onMade = (made: Generation) => {
    if (changes || busy()) return;
    playback.load(made, { play: options.play, at: 0, onPlayed });
    onStart?.();
  };
  phase.set(awaiting(phase.get(), { live, onMade, onPlayed }));
  live.open();
}

/** Plays the file of a generation that was followed and is complete now, or whose text was changed; closes one that was dropped. */
export function update(generation: Generation): void {
  const heard = heardIn(phase.get());
  const isLive = heard.kind !== "file" && heard.live.id === generation.id;
  if (isLive && isDropped(generation, store.get())) return close();
  if (generation.status !== "complete") return;
  if (isLive) return generation.audio_path === heard.former ? showFormer(generation) : playFile(generation);
  const waited = awaited();
  if (waited?.live.id !== generation.id) return replaceFile(generation);
  dropAwaited();
  waited.onMade(generation);
}
