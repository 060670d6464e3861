import { useEffect, useEffectEvent } from "react";
import { player } from "./store";

/** The audio of an open draft. */
interface DraftAudio {
  /** Differs for each draft that is opened. */
  key: string;
  /** The ids of all its audio. */
  ids: readonly string[];
  /** Reports whether it is known what audio there is. */
  isKnown: boolean;
  /** Shows it in the player, paused; does nothing where there is none. */
  show(): void;
}

/** The draft that is or was open, in all screens, and the audio that it has or had. */
const open = { key: "", ids: new Set<string>() };
/** The audio of all drafts that were open in this window. */
const ofDrafts = new Set<string>();

let silences = 0; // that last, after which what was heard goes on by itself

/** Says that what was heard goes on by itself, until the function that it returns is called. */
export function silenceBetween(): () => void {
  silences += 1;
  return () => {
    silences -= 1;
  };
}

/** Calls `act` once, when what plays has stopped: by itself or by the user. Ends without it when `isOwn` audio is loaded. */
function onStop(isOwn: (id: string) => boolean, act: () => void): () => void {
  let wasPlaying = true;
  let isOver = false;
  const leave = player.subscribe(() => {
    const { generation, playing } = player.get();
    const hasStopped = wasPlaying && !playing;
    wasPlaying = playing;
    if (generation && isOwn(generation.id)) return end();
    if (hasStopped) queueMicrotask(() => actUnlessFollowed(generation?.id)); // what follows is loaded by now
  });
  function end(): void {
    isOver = true;
    leave();
  }
  function actUnlessFollowed(id: string | undefined): void {
    const { generation, playing } = player.get();
    const isFollowed = playing || silences > 0 || player.isAwaiting();
    if (isOver || isFollowed || !generation || generation.id !== id) return;
    end();
    act();
  }
  return end;
}

/**
 * Shows the audio of a draft when it is opened or returned to, instead of other audio, so that what can be exported is that of
 * the page. What plays goes on until it stops. Where the draft has no audio, that of another draft is closed, and what else was
 * loaded stays.
 */
export function useDraftAudio({ key, ids, isKnown, show }: DraftAudio): void {
  const showOwn = useEffectEvent(show);
  const ownIds = useEffectEvent(() => ids);
  const all = ids.join();
  useEffect(() => {
    for (const id of ownIds()) {
      ofDrafts.add(id);
      if (open.key === key) open.ids.add(id);
    }
  }, [key, all]);
  useEffect(() => {
    const { generation, playing } = player.get();
    const isNew = open.key !== key;
    const own = isNew ? new Set(ownIds()) : open.ids;
    const isForeign = generation !== null && !own.has(generation.id);
    const closeFormer = () => {
      if (ofDrafts.has(player.get().generation?.id ?? "")) player.close();
    };
    if (!isKnown) {
      if (isNew && isForeign && !playing) closeFormer();
      return;
    }
    Object.assign(open, { key, ids: own });
    const change = () => {
      closeFormer();
      showOwn();
    };
    if (playing) return isForeign ? onStop((id) => own.has(id), change) : undefined;
    if (isForeign) change();
    else if (isNew) showOwn();
  }, [key, isKnown]);
}
