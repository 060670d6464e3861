import { useEffect, useEffectEvent, useRef } from "react";
import { joinedSound } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import { player } from "@/player";
import type { TurnAudio } from "./useTurnAudio";

/** A script that was requested. */
interface Expected {
  answer: Script;
  previousId: string | undefined;
}

/** Reports whether a script has the requested turns and the file of them: until then it is the version before. */
const isMade = (script: Script, { answer, previousId }: Expected): boolean =>
  script.audio_url !== "" &&
  (answer.id !== previousId || script.updated_at !== answer.updated_at) &&
  script.turns.map((g) => g.id).join() === answer.turns.map((g) => g.id).join();

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
  const expected = useRef<{ whole?: Expected; turns: Set<string> }>({
    turns: new Set(),
  });
  const script = stored.data;

  useEffect(() => {
    const expectedScript = expected.current.whole;
    if (!expectedScript || script?.id !== expectedScript.answer.id) return;
    const sound = isMade(script, expectedScript) ? joinedSound(script) : null;
    const turns = expectedScript.answer.turns.flatMap((g) => byId.get(g.id) ?? []);
    const hasFailed =
      turns.length > 0 && turns.every((g) => hasEnded(g.status)) && turns.some((g) => g.status !== "complete");
    if (!sound && !hasFailed) return;
    delete expected.current.whole;
    const isHeard = player.get().playing && byId.has(player.get().generation?.id ?? ""); // one of its turns
    if (sound && !isHeard) player.load(sound, { play: true, at: 0 });
    // It would play and save an outdated version. After a failed change the version before is still the script.
    else if (!sound && expectedScript.previousId !== script.id && isLoaded(expectedScript.previousId)) player.close();
  }, [script, byId]);

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
    expectScript: (answer: Script, previousId: string | undefined) => {
      expected.current.whole = { answer, previousId };
    },
    playTurn,
    expectTurn: (id: string) => {
      expected.current.turns.add(id);
    },
  };
}
