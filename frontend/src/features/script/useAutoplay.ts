import { useEffect, useEffectEvent, useRef } from "react";
import { joinedSound } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import { useLatest } from "@/lib/latest";
import { prefs } from "@/lib/prefs";
import { output, player, playhead, restore, showSound, useDraftAudio } from "@/player";
import { distinct } from "./hosted";
import { playTurns, type TurnQueue } from "./playTurns";
import type { TurnAudio } from "./useTurnAudio";

/** A script that was requested. */
interface Expected {
  answer: Script;
  previousId: string | undefined;
  /** Its turns, while they are heard one by one. */
  queue: TurnQueue | null;
  /** Reports whether another sound was started since. */
  isBusy(): boolean;
}

/** Reports whether a script has the requested turns and the file of them: until then it is the version before. */
const isMade = (script: Script, { answer, previousId }: Pick<Expected, "answer" | "previousId">): boolean =>
  script.audio_url !== "" &&
  (answer.id !== previousId || script.updated_at !== answer.updated_at) &&
  script.turns.map((g) => g.id).join() === answer.turns.map((g) => g.id).join();

const isLoaded = (id: string | undefined): boolean => id !== undefined && player.get().generation?.id === id;

/** Plays a turn, unless other audio is playing. */
function playTurn(turn: Generation): void {
  if (turn.status === "complete" && (!player.get().playing || isLoaded(turn.id)))
    player.load(turn, { play: true, at: 0 });
}

/** Plays the joined file of a script, or leaves it to the turns that are heard meanwhile. */
function playFile(sound: Generation, { queue, isBusy }: Expected): void {
  const { generation, playing } = player.get();
  const heard = queue?.ids.indexOf(generation?.id ?? "") ?? -1;
  if (heard < 0) {
    if (!isBusy()) player.load(sound, { play: prefs.get().autoplay, at: 0 });
  } else if (!playing && !queue?.isBetween) {
    player.load(sound, { at: (sound.chunks[heard]?.start ?? 0) + playhead.get() }); // where it was paused
  }
}

/** Plays requested audio while it is made. `at` is when the file with the current takes was joined. */
export function useAutoplay({ stored, byId, isLoading }: TurnAudio, at: string | undefined, opened: number) {
  const expected = useRef<Expected>(undefined);
  const script = stored.data;
  const latest = useLatest({ script, byId });

  useDraftAudio({
    key: `script ${opened}`,
    ids: [...(script ? [script.id] : []), ...byId.keys()],
    isKnown: !isLoading,
    show: () => {
      const sound = script && joinedSound(script);
      if (sound) showSound(sound);
    },
  });

  useEffect(() => {
    const requested = expected.current;
    const known = script && !requested ? joinedSound(script) : null;
    if (known) restore(known);
    if (!requested || script?.id !== requested.answer.id) return;
    const sound = isMade(script, requested) ? joinedSound(script) : null;
    const turns = requested.answer.turns.flatMap((g) => byId.get(g.id) ?? []);
    const hasFailed =
      turns.length > 0 && turns.every((g) => hasEnded(g.status)) && turns.some((g) => g.status !== "complete");
    if (!sound && !hasFailed) return;
    expected.current = undefined;
    if (sound) playFile(sound, requested);
    // It would play and save an outdated version. After a failed change the version before is still the script.
    else if (requested.previousId !== script.id && isLoaded(requested.previousId)) player.close();
  }, [script, byId]);

  // Joined again, in this or another window: the player has the older file.
  const replaceLoaded = useEffectEvent(() => {
    const sound = script && joinedSound(script);
    if (sound && isLoaded(sound.id)) player.load(sound, { play: player.get().playing, continues: true });
  });
  useEffect(() => {
    if (at !== undefined) replaceLoaded();
  }, [at]);

  /** Plays turns that are being made, from the first of them on. */
  function hear(turns: readonly Generation[], gap: number, file: TurnQueue["file"]): TurnQueue | null {
    const all = distinct(turns);
    const first = all.findIndex((turn) => !hasEnded(turn.status));
    if (first < 0 || !prefs.get().autoplay) return null;
    const turn = (id: string) => latest().byId.get(id) ?? all.find((g) => g.id === id);
    const queue = { ids: all.map((g) => g.id), gap, turn, file, isBetween: false };
    playTurns(queue, first);
    return queue;
  }

  return {
    expectScript: (answer: Script, previousId: string | undefined) => {
      const isBusy = output.watch();
      const queue = hear(answer.turns, answer.gap_ms, () => {
        const { script } = latest();
        return script && isMade(script, { answer, previousId }) ? joinedSound(script) : null;
      });
      expected.current = { answer, previousId, queue, isBusy };
    },
    /** Plays a turn that was requested alone. */
    expectTurn: (turn: Generation) => {
      if (!hear([turn], 0, () => null)) playTurn(turn);
    },
  };
}
