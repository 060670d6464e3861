import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useCancelGeneration, useGenerate, useRegenerateChunk, useRetryGeneration } from "@/api/generations";
import { keys } from "@/api/keys";
import { useJoinScript, useSpeakScript } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import {
  hasWords,
  isSpokenAs,
  markTurn,
  soundOf,
  speakable,
  speakerOf,
  takesOf,
  type ScriptContent,
  type Turn,
} from "./model";
import { useHearing } from "./useAutoplay";
import { useTurnsMade, type TurnsMade } from "./useTurnAudio";

const asksItself = 4000; // after a retried turn the server does not join by itself

type Change = (next: (before: ScriptContent) => ScriptContent) => void;

function markSpoken(script: ScriptContent, spoken: readonly Turn[], answer: Script): ScriptContent {
  const turns = script.turns.map((turn) => {
    const at = spoken.findIndex((s) => s.id === turn.id);
    const [asked, generation] = [spoken[at], answer.turns[at]];
    if (!asked || !generation) return { ...turn, spoken: undefined };
    return {
      ...turn,
      spoken: {
        generationId: generation.id,
        text: asked.text.trim(),
        profileId: speakerOf(script, asked)?.profileId ?? "",
      },
    };
  });
  return { ...script, turns, scriptId: answer.id, joined: undefined };
}

/** The joined file: whether it is there, has the takes of now, and is asked for where the server does not join by itself. */
function useJoining(script: ScriptContent, { stored, whole }: TurnsMade, note: Change) {
  const join = useJoinScript();
  const complete = whole.length > 0 && whole.every((g) => g.status === "complete");
  const takes = takesOf(whole);
  const isJoined = Boolean(stored.data?.audio_url);
  const waiting = complete && !isJoined;

  // Where the file was joined anew, here or in another window, it has the takes of now.
  const at = isJoined && complete ? stored.data?.updated_at : undefined;
  useEffect(() => {
    if (at && script.joined?.at !== at) note((before) => ({ ...before, joined: { takes, at } }));
  }, [at, takes, script.joined?.at, note]);

  const { mutate: joinNow } = join;
  useEffect(() => {
    if (!waiting || !script.scriptId) return;
    const id = script.scriptId;
    const timer = setTimeout(() => joinNow(id), asksItself);
    return () => clearTimeout(timer);
  }, [waiting, script.scriptId, joinNow]);

  const needsJoin = complete && isJoined && script.joined !== undefined && script.joined.takes !== takes;
  return {
    error: join.error,
    /** The file that has the takes of now, by the time that it was made. */
    at: needsJoin || script.joined?.at !== at ? undefined : at,
    state: {
      joinAgain: () => script.scriptId && join.mutate(script.scriptId),
      isJoining: join.isPending,
      /** The turns as they are now are not those of the joined file. */
      needsJoin,
      /** The words, or who says them and when, are not those of the joined file: it takes a new one. */
      isOlder: isJoined && !needsJoin && !isSpokenAs(script, whole),
      /** Every turn is there, and the file is not. */
      waitsForFile: waiting,
      joinFailed: join.isError,
    },
  };
}

/** One turn by itself: words that are new, or another take of those that have sound. Its place in the script stays. */
function useOneTurn(
  script: ScriptContent,
  made: TurnsMade,
  change: Change,
  hearing: ReturnType<typeof useHearing>,
  isAsking: boolean,
) {
  const client = useQueryClient();
  const take = useRegenerateChunk();
  const generate = useGenerate();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<ApiError | null>(null);

  async function sayAgain(generation: Generation): Promise<void> {
    let last = generation;
    for (let chunk = 0; chunk < generation.chunks.length; chunk += 1)
      last = await take.mutateAsync({ id: generation.id, chunk });
    hearing.playTurn(last);
    await client.invalidateQueries({
      queryKey: script.scriptId ? keys.script(script.scriptId) : keys.generation(generation.id),
    });
  }
  async function sayNew(turn: Turn): Promise<void> {
    const profileId = speakerOf(script, turn)?.profileId ?? "";
    const generation = await generate.mutateAsync({ profile_id: profileId, text: turn.text });
    hearing.awaitTurn(generation.id);
    change((before) => markTurn(before, turn.id, { generationId: generation.id, text: turn.text.trim(), profileId }));
  }
  async function speakTurn(turn: Turn): Promise<void> {
    const generation = soundOf(script, turn) === "made" ? made.generationOf(turn) : undefined;
    if (made.isReading || isAsking) return; // what has sound is not known, or everything is being asked for
    if (busy.has(turn.id) || !hasWords(turn) || (generation && generation.status !== "complete")) return;
    setError(null);
    setBusy((all) => new Set(all).add(turn.id));
    try {
      await (generation ? sayAgain(generation) : sayNew(turn));
    } catch (failure) {
      setError(toApiError(failure));
    } finally {
      setBusy((all) => new Set([...all].filter((id) => id !== turn.id)));
    }
  }
  return { speakTurn, isBusy: (turn: Turn): boolean => busy.has(turn.id), error, forget: () => setError(null) };
}

/**
 * Everything between a written script and its sound. `note` keeps what was only learned, and is no change to save: two
 * windows that have the script open learn the same.
 */
export function useSpeaking(script: ScriptContent, change: Change, note: Change) {
  const client = useQueryClient();
  const speak = useSpeakScript();
  const retry = useRetryGeneration();
  const cancel = useCancelGeneration();
  const made = useTurnsMade(script);
  const { stored, whole, alone } = made;
  const joining = useJoining(script, made, note);
  const hearing = useHearing(made, joining.at);
  const { speakTurn, isBusy, error: turnError, forget } = useOneTurn(script, made, change, hearing, speak.isPending);

  function reload(): void {
    if (script.scriptId) void client.invalidateQueries({ queryKey: keys.script(script.scriptId) });
  }
  function speakAll(): void {
    const turns = speakable(script);
    const body = turns.map((turn) => ({ profile_id: speakerOf(script, turn)?.profileId ?? "", text: turn.text }));
    forget();
    speak.mutate(
      { turns: body, gap_ms: script.gapMs, ...(script.title.trim() ? { title: script.title.trim() } : {}) },
      {
        onSuccess: (answer) => {
          hearing.awaitWhole(answer.id, script.scriptId);
          change((before) => markSpoken(before, turns, answer));
        },
      },
    );
  }
  const isRunning = (g: Generation) => !hasEnded(g.status);
  const running = [...whole, ...alone].filter(isRunning);
  const going = whole.some(isRunning) ? whole : alone.filter(isRunning);
  const parts = going.map((g) => (hasEnded(g.status) ? 1 : g.progress));
  return {
    ...joining.state,
    stored: stored.data,
    generationOf: made.generationOf,
    isReading: made.isReading,
    speakAll,
    speakTurn,
    isBusy,
    tryAgain: (id: string) => retry.mutate(id, { onSettled: reload }),
    stop: () => running.forEach((g) => cancel.mutate(g.id, { onSettled: reload })),
    isAsking: speak.isPending,
    /** Of those that are being made: with the whole script, else by themselves. */
    running: running.length,
    done: going.filter((g) => !isRunning(g)).length,
    total: going.length,
    progress: parts.length > 0 ? parts.reduce((a, b) => a + b, 0) / parts.length : 0,
    /** The turns that have sound, in the order of the script. */
    spoken: speakable(script)
      .flatMap((turn) => made.generationOf(turn) ?? [])
      .filter((g) => g.status === "complete"),
    /** Something was written since it was last spoken. */
    toMake: speakable(script).filter((turn) => soundOf(script, turn) !== "made").length,
    error:
      speak.error ??
      joining.error ??
      retry.error ??
      turnError ??
      (stored.error?.code === "script_not_found" ? null : stored.error),
  };
}

export type Speaking = ReturnType<typeof useSpeaking>;
