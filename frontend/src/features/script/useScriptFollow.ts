import type { RefObject } from "react";
import { joinedTurns } from "@/api/scripts";
import { keepInSight, useFollow, type Follow } from "@/features/follow";
import { heardPart, playhead, player, usePlayer, usePlayingChunk } from "@/player";
import type { ScriptContent } from "./model";
import type { ScriptFlow } from "./useScriptGeneration";

/** How much of a turn that plays alone has been heard, 0 to 1: its audio has passages of its own. */
function heardOfTurn(): number {
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
  const turnOf = (id: string | undefined) =>
    id === undefined ? undefined : script.turns.find((turn) => turn.spoken?.generationId === id)?.id;
  const isJoined = stored !== undefined && generation?.id === stored.id;
  const joined = turnOf(stored && joinedTurns(stored)[chunk]?.id);
  const heard = isJoined ? joined : turnOf(generation?.id);
  const follow = useFollow(frame, {
    text: script.scriptId ?? "",
    state: heard === undefined ? "other" : playing ? "playing" : "paused",
    passage: heard ?? "",
    show: () => {
      const row = fields.get(heard ?? "")?.closest("li");
      if (frame.current && row) keepInSight(frame.current, row, isJoined ? heardPart() : heardOfTurn());
    },
  });
  return { follow, playing: joined };
}
