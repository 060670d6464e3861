import type { RefObject } from "react";
import { joinedTurns } from "@/api/scripts";
import { keepInSight, useFollow, type Follow } from "@/features/follow";
import { heardPart, playhead, player, usePlayer, usePlayhead, usePlayingChunk } from "@/player";
import { turnAt, type ScriptContent } from "./model";
import type { ScriptFlow } from "./useScriptGeneration";

/** How much of a generation has been heard, 0 to 1: one that plays alone has passages of its own. */
function heardOf(isJoined: boolean): number {
  if (isJoined) return heardPart();
  const { duration } = player.get();
  return duration > 0 ? Math.min(1, playhead.get() / duration) : 0;
}

interface ScriptFollow {
  follow: Follow;
  /** The turn that the joined audio is playing. */
  playing: string | undefined;
}

/** Keeps the turn that is heard in sight, in the joined audio or alone. */
export function useScriptFollow(
  frame: RefObject<HTMLElement | null>,
  script: ScriptContent,
  { stored }: ScriptFlow,
  fields: ReadonlyMap<string, HTMLTextAreaElement>,
): ScriptFollow {
  const chunk = usePlayingChunk(stored?.id);
  const { generation, playing } = usePlayer();
  const isJoined = stored !== undefined && generation?.id === stored.id;
  const id = isJoined ? joinedTurns(stored)[chunk]?.id : generation?.id;
  const turns = script.turns.filter(({ spoken }) => id !== undefined && spoken?.generationId === id);
  const heard = usePlayhead(() => turnAt(turns, heardOf(isJoined)).turn?.id);
  const follow = useFollow(frame, {
    text: script.scriptId ?? "",
    state: heard === undefined && !isJoined ? "other" : playing ? "playing" : "paused",
    passage: heard ?? "",
    show: () => {
      const row = fields.get(heard ?? "")?.closest("li");
      if (frame.current && row) keepInSight(frame.current, row, turnAt(turns, heardOf(isJoined)).part);
    },
  });
  return { follow, playing: isJoined ? heard : undefined };
}
