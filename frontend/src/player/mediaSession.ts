import i18next from "i18next";
import { voiceName } from "@/i18n/voiceName";
import { titleOrWords } from "@/lib/heading";
import { playhead, type PlayerState, type Sound } from "./state";
import { player } from "./requests";
import { createSilence } from "./silence";
import { subscribeToTrack, trackOf, type Track } from "./track";

const longestTitle = 80;
const restart = 2; // seconds of a passage after which "previous" is its own start
const seekStep = 10; // seconds
const drift = 1; // seconds by which the desktop may be wrong

function metadataOf({ title, text, profile_name }: Sound, track: Track | null): MediaMetadata {
  if (track) return new MediaMetadata({ title: track.title, album: track.album, artist: track.artist });
  return new MediaMetadata({
    title: titleOrWords({ title, text }, longestTitle).slice(0, longestTitle),
    artist: profile_name ? voiceName(profile_name, i18next.t("common:builtInVoice")) : "",
  });
}

/** Goes to the next passage, or to the start of this or the previous one. */
function goToPassage(direction: 1 | -1): void {
  const starts = player.get().generation?.chunks.map((chunk) => chunk.start) ?? [];
  const now = playhead.get();
  const target = direction > 0 ? starts.find((at) => at > now) : starts.findLast((at) => at <= now - restart);
  if (target !== undefined) player.seek(target);
  else if (direction < 0) player.seek(0);
}

/** Goes to another chapter of a book, else to another passage. */
function step(direction: 1 | -1): void {
  const track = trackOf(player.get().generation?.id);
  if (!track) goToPassage(direction);
  else if (direction < 0) track.previous();
  else track.next?.();
}

const actions: Readonly<Partial<Record<MediaSessionAction, MediaSessionActionHandler>>> = {
  play: () => player.play(),
  pause: () => player.pause(),
  stop: () => {
    player.pause();
    player.seek(0);
  },
  seekto: ({ seekTime }) => player.seek(seekTime ?? 0),
  seekforward: ({ seekOffset }) => player.seek(playhead.get() + (seekOffset ?? seekStep)),
  seekbackward: ({ seekOffset }) => player.seek(playhead.get() - (seekOffset ?? seekStep)),
  nexttrack: () => step(1),
  previoustrack: () => step(-1),
};

/** Shows the desktop what the player plays, and lets its media keys control it; does nothing without a media session. */
export function connectMediaSession(): () => void {
  if (!("mediaSession" in navigator)) return () => undefined;
  const session = navigator.mediaSession;
  const silence = createSilence();
  let shown: PlayerState | null = null;
  let part: Track | null = null; // what the shown sound is a part of
  let reported = { position: 0, at: 0 };

  function reportPosition(): void {
    const { generation, duration, rate } = player.get();
    reported = { position: Math.min(playhead.get(), duration), at: performance.now() };
    session.setPositionState(generation ? { duration, playbackRate: rate, position: reported.position } : undefined);
  }
  function show(): void {
    const state = player.get();
    const { generation, playing, growing } = state;
    const track = trackOf(generation?.id);
    if (shown?.generation?.id !== generation?.id || shown?.generation?.title !== generation?.title || part !== track)
      session.metadata = generation ? metadataOf(generation, track) : null;
    shown = state;
    part = track;
    session.playbackState = generation === null ? "none" : playing ? "playing" : "paused";
    silence.set(growing !== null, playing);
    reportPosition();
  }
  function onPlayhead(): void {
    const { playing, rate } = player.get();
    const passed = playing ? ((performance.now() - reported.at) / 1000) * rate : 0;
    if (Math.abs(playhead.get() - reported.position - passed) > drift) reportPosition();
  }

  const names = Object.keys(actions) as MediaSessionAction[];
  for (const name of names) session.setActionHandler(name, actions[name] ?? null);
  const stops = [player.subscribe(show), subscribeToTrack(show), playhead.subscribe(onPlayhead)];
  show();
  return () => {
    for (const stop of stops) stop();
    for (const name of names) session.setActionHandler(name, null);
    silence.set(false, false);
  };
}
