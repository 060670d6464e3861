import { useEffect, useRef } from "react";
import { joinedSound } from "@/api/scripts";
import { hasEnded, type Generation } from "@/api/types";
import { player } from "@/player";
import type { TurnsMade } from "./useTurnAudio";

const holds = (id: string | undefined): boolean => id !== undefined && player.get().generation?.id === id;

/** A turn that was asked for, unless another sound is being heard. */
function playTurn(turn: Generation): void {
  if (turn.status === "complete" && (!player.get().playing || holds(turn.id))) player.load(turn, { play: true, at: 0 });
}

/** Plays what was asked for when it is there. `at` is the state of the joined file that has the takes of now. */
export function useHearing({ stored, whole, alone, byId }: TurnsMade, at: string | undefined) {
  const awaited = useRef<{ whole?: { id: string; before: string | undefined }; turns: Set<string> }>({
    turns: new Set(),
  });
  const script = stored.data;

  useEffect(() => {
    const wait = awaited.current.whole;
    const sound = script && joinedSound(script);
    if (!wait || script?.id !== wait.id) return;
    const hasFailed =
      whole.length > 0 && whole.every((g) => hasEnded(g.status)) && whole.some((g) => g.status !== "complete");
    if (!sound && !hasFailed) return;
    delete awaited.current.whole;
    const isHeard = player.get().playing && byId.has(player.get().generation?.id ?? ""); // a turn of it
    if (sound && !isHeard) player.load(sound, { play: true, at: 0 });
    else if (!sound && holds(wait.before)) player.close(); // it would play, and save, what is no more on the page
  }, [script, whole, byId]);

  // Joined anew, here or elsewhere: what is loaded is older.
  const joined = useRef(script);
  useEffect(() => {
    joined.current = script;
  });
  useEffect(() => {
    const sound = joined.current && joinedSound(joined.current);
    if (at !== undefined && sound && holds(sound.id)) player.load(sound, { play: player.get().playing });
  }, [at]);

  useEffect(() => {
    for (const made of [...whole, ...alone]) {
      if (hasEnded(made.status) && awaited.current.turns.delete(made.id)) playTurn(made);
    }
  }, [whole, alone]);

  return {
    awaitWhole: (id: string, before: string | undefined) => {
      awaited.current.whole = { id, before };
    },
    playTurn,
    awaitTurn: (id: string) => {
      awaited.current.turns.add(id);
    },
  };
}
