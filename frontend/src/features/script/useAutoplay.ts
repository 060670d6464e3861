import { useEffect, useEffectEvent, useRef } from "react";
import { joinedSound } from "@/api/scripts";
import { hasEnded, type Generation } from "@/api/types";
import { player } from "@/player";
import type { TurnAudio } from "./useTurnAudio";

const isLoaded = (id: string | undefined): boolean => id !== undefined && player.get().generation?.id === id;

/** Notes a requested turn, unless other audio is playing. */
function playTurn(turn: Generation): void {
  if (turn.status === "complete" && (!player.get().playing || isLoaded(turn.id)))
    player.load(turn, { play: true, at: 0 });
}

/** Plays requested audio as soon as it is complete. `at` is when the file with the current takes was joined. */
export function useAutoplay(
  { stored, scriptTurns: whole, singleTurns: alone, byId }: TurnAudio,
  at: string | undefined,
) {
  const expected = useRef<{ whole?: { id: string; previousId: string | undefined }; turns: Set<string> }>({
    turns: new Set(),
  });
  const script = stored.data;

  useEffect(() => {
    const expectedScript = expected.current.whole;
    const sound = script && joinedSound(script);
    if (!expectedScript || script?.id !== expectedScript.id) return;
    const hasFailed =
      whole.length > 0 && whole.every((g) => hasEnded(g.status)) && whole.some((g) => g.status !== "complete");
    if (!sound && !hasFailed) return;
    delete expected.current.whole;
    const isHeard = player.get().playing && byId.has(player.get().generation?.id ?? ""); // one of its turns
    if (sound && !isHeard) player.load(sound, { play: true, at: 0 });
    // It would play and save an outdated version.
    else if (!sound && isLoaded(expectedScript.previousId)) player.close();
  }, [script, whole, byId]);

  // Joined again, in this or another window: the player has the older file.
  const replaceLoaded = useEffectEvent(() => {
    const sound = script && joinedSound(script);
    if (sound && isLoaded(sound.id)) player.load(sound, { play: player.get().playing });
  });
  useEffect(() => {
    if (at !== undefined) replaceLoaded();
  }, [at]);

  useEffect(() => {
    for (const made of [...whole, ...alone]) {
      if (hasEnded(made.status) && expected.current.turns.delete(made.id)) playTurn(made);
    }
  }, [whole, alone]);

  return {
    expectScript: (id: string, previousId: string | undefined) => {
      expected.current.whole = { id, previousId };
    },
    playTurn,
    expectTurn: (id: string) => {
      expected.current.turns.add(id);
    },
  };
}
