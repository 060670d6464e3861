import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useStopGeneration, useGenerate, useRetryGeneration } from "@/api/generations";
import { keys } from "@/api/keys";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import { useJoinScript, useReviseScript, useSpeakScript, useUndoRevision } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import { useNewTakes } from "@/player";
import { distinct, isDialogue } from "./hosted";
import {
  hasWords,
  isSpokenAs,
  markTurn,
  soundOf,
  speakable,
  speakerOf,
  takesOf,
  toScriptRequest,
  type ScriptContent,
  type Turn,
} from "./model";
import { useAutoplay } from "./useAutoplay";
import { usePriceQuestion } from "./usePriceQuestion";
import { useTurnAudio, type TurnAudio } from "./useTurnAudio";

const joinDelay = 4000; // ms; after a retried turn the server does not join by itself

type Change = (next: (before: ScriptContent) => ScriptContent) => void;

function markSpoken(script: ScriptContent, requested: readonly Turn[], answer: Script): ScriptContent {
  const turns = script.turns.map((turn) => {
    const at = requested.findIndex((s) => s.id === turn.id);
    const [requestedTurn, generation] = [requested[at], answer.turns[at]];
    if (!requestedTurn || !generation) return { ...turn, spoken: undefined };
    return {
      ...turn,
      spoken: {
        generationId: generation.id,
        text: requestedTurn.text.trim(),
        profileId: speakerOf(script, requestedTurn)?.profileId ?? "",
      },
    };
  });
  return { ...script, turns, scriptId: answer.id, joined: answer.id === script.scriptId ? script.joined : undefined };
}

/** The joined file: whether it exists and is current. Requests it where the server does not join by itself. */
function useJoining(script: ScriptContent, { stored, scriptTurns }: TurnAudio, note: Change) {
  const join = useJoinScript();
  const complete = scriptTurns.length > 0 && scriptTurns.every((g) => g.status === "complete");
  const takes = takesOf(scriptTurns);
  const isJoined = Boolean(stored.data?.audio_url);
  const waitsForJoin = complete && !isJoined;

  // A file that was joined again, in this or another window, has the current takes.
  const at = isJoined && complete ? stored.data?.updated_at : undefined;
  useEffect(() => {
    if (at && script.joined?.at !== at) note((before) => ({ ...before, joined: { takes, at } }));
  }, [at, takes, script.joined?.at, note]);

  const { mutate: joinNow } = join;
  useEffect(() => {
    if (!waitsForJoin || !script.scriptId) return;
    const id = script.scriptId;
    const timer = setTimeout(() => joinNow(id), joinDelay);
    return () => clearTimeout(timer);
  }, [waitsForJoin, script.scriptId, joinNow]);
  useResetOnReconnect([{ error: join.error, reset: () => script.scriptId && joinNow(script.scriptId) }]);

  const needsJoin = complete && isJoined && script.joined !== undefined && script.joined.takes !== takes;
  return {
    error: join.error,
    /** When the file with the current takes was joined. */
    at: needsJoin || script.joined?.at !== at ? undefined : at,
    state: {
      /** The texts, speakers, order or pauses of the page differ from the joined file, or a turn has another take. */
      isOlder: isJoined && (needsJoin || !isSpokenAs(script, scriptTurns) || stored.data?.gap_ms !== script.gapMs),
      /** Every turn is complete, and the file is missing. */
      waitsForFile: waitsForJoin,
      joinFailed: join.isError,
    },
  };
}

/** Generates one turn: new text, or another take of text that has audio. */
function useOneTurn(
  script: ScriptContent,
  turnAudio: TurnAudio,
  change: Change,
  autoplay: ReturnType<typeof useAutoplay>,
  isRequesting: boolean,
  { ask }: ReturnType<typeof usePriceQuestion>,
) {
  const client = useQueryClient();
  const take = useNewTakes();
  const generate = useGenerate();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<ApiError | null>(null);

  async function regenerateTurn(generation: Generation): Promise<void> {
    await take.generate(generation, [...generation.chunks.keys()]);
    await client.invalidateQueries({
      queryKey: script.scriptId ? keys.script(script.scriptId) : keys.generation(generation.id),
    });
  }
  async function generateNewTurn(turn: Turn, accepted?: number): Promise<void> {
    const profileId = speakerOf(script, turn)?.profileId ?? "";
    const generation = await generate.mutateAsync({
      profile_id: profileId,
      text: turn.text,
      ...(accepted === undefined ? {} : { accept_credits: accepted }),
    });
    autoplay.expectTurn(generation);
    change((before) => markTurn(before, turn.id, { generationId: generation.id, text: turn.text.trim(), profileId }));
  }
  async function generateTurn(turn: Turn, accepted?: number): Promise<void> {
    const generation = soundOf(script, turn) === "made" ? turnAudio.generationOf(turn) : undefined;
    if (turnAudio.isLoading || isRequesting) return; // the audio is not known yet, or all turns are being requested
    if (busy.has(turn.id) || !hasWords(turn) || (generation && generation.status !== "complete")) return;
    if (isDialogue(generation)) return; // its turns can be generated again only together
    setError(null);
    setBusy((all) => new Set(all).add(turn.id));
    try {
      // Hosted voices have no takes.
      await (generation?.source === "local" ? regenerateTurn(generation) : generateNewTurn(turn, accepted));
    } catch (failure) {
      const refused = toApiError(failure);
      if (!ask(refused, (credits) => void generateTurn(turn, credits))) setError(refused);
    } finally {
      setBusy((all) => new Set([...all].filter((id) => id !== turn.id)));
    }
  }
  return { generateTurn, isBusy: (turn: Turn): boolean => busy.has(turn.id), error, clearError: () => setError(null) };
}

const isRunning = (g: Generation): boolean => !hasEnded(g.status);

/** Reports whether a turn has current audio, or will have: what was deleted, stopped or has failed is generated again. */
function hasAudio(script: ScriptContent, turn: Turn, { isLoading, generationOf }: TurnAudio): boolean {
  if (soundOf(script, turn) !== "made") return false;
  const status = generationOf(turn)?.status;
  return isLoading || status === "complete" || (status !== undefined && !hasEnded(status));
}

/**
 * Connects a script with its audio. `note` records what was learned from the server, which is no change to save: two
 * windows that have the script open learn the same. `opened` is the number of the script in its store.
 */
export function useScriptGeneration(script: ScriptContent, opened: number, change: Change, note: Change) {
  const client = useQueryClient();
  const create = useSpeakScript();
  const revise = useReviseScript();
  const undo = useUndoRevision();
  const [requested, setRequested] = useState<ReadonlySet<string>>(new Set());
  const question = usePriceQuestion();
  const retry = useRetryGeneration();
  const stop = useStopGeneration();
  const turnAudio = useTurnAudio(script);
  const { stored, scriptTurns, singleTurns } = turnAudio;
  const joining = useJoining(script, turnAudio, note);
  const autoplay = useAutoplay(turnAudio, joining.at, opened);
  const {
    generateTurn,
    isBusy,
    error: turnError,
    clearError,
  } = useOneTurn(script, turnAudio, change, autoplay, create.isPending || revise.isPending, question);
  useResetOnReconnect([create, revise, undo, retry, { error: turnError, reset: clearError }]);

  function reload(): void {
    if (script.scriptId) void client.invalidateQueries({ queryKey: keys.script(script.scriptId) });
  }
  function generateAll(accepted?: number): void {
    const turns = speakable(script);
    const body = { ...toScriptRequest(script), ...(accepted === undefined ? {} : { accept_credits: accepted }) };
    const handlers = {
      onError: (error: ApiError) => {
        if (!question.ask(error, generateAll)) return;
        create.reset();
        revise.reset();
      },
      onSuccess: (answer: Script) => {
        autoplay.expectScript(answer, script.scriptId);
        setRequested(new Set(answer.turns.filter(isRunning).map((g) => g.id)));
        change((before) => markSpoken(before, turns, answer));
      },
    };
    clearError();
    create.reset();
    revise.reset();
    if (stored.data) revise.mutate({ id: stored.data.id, body }, handlers);
    else create.mutate(body, handlers);
  }
  const all = [...scriptTurns, ...singleTurns];
  const running = all.filter(isRunning);
  const asked = all.filter((g) => requested.has(g.id));
  const active = [asked, scriptTurns].find((some) => some.some(isRunning)) ?? running;
  const parts = active.map((g) => (hasEnded(g.status) ? 1 : g.progress));
  return {
    ...joining.state,
    stored: stored.data,
    generationOf: turnAudio.generationOf,
    isReading: turnAudio.isLoading,
    generateAll: () => generateAll(),
    price: question.price,
    answerPrice: question.answer,
    generateTurn: (turn: Turn) => generateTurn(turn),
    isBusy,
    retryTurn: (id: string) => retry.mutate({ id }, { onSettled: reload }),
    // The turns of a dialogue share one generation.
    stop: () => new Set(running.map((g) => g.id)).forEach((id) => stop.mutate(id, { onSettled: reload })),
    isRequesting: create.isPending || revise.isPending,
    /** Takes back the last change of the audio; null where there is none. */
    undo: stored.data?.can_undo && running.length === 0 ? () => undo.mutate(stored.data.id) : null,
    /** The number of turns that are being generated. */
    running: running.length,
    done: active.filter((g) => !isRunning(g)).length,
    total: active.length,
    progress: parts.length > 0 ? parts.reduce((a, b) => a + b, 0) / parts.length : 0,
    /** The turns that have audio, in the order of the script. */
    completeTurns: distinct(
      speakable(script)
        .flatMap((turn) => turnAudio.generationOf(turn) ?? [])
        .filter((g) => g.status === "complete"),
    ),
    /** Why the running turns wait: the first one that is not in the queue, else the next in the queue. */
    wait: (
      running.find((g) => g.wait && g.wait.reason !== "queue") ?? running.find((g) => !g.wait || g.wait.place === 1)
    )?.wait,
    turnsWithoutAudio: speakable(script).filter((turn) => !hasAudio(script, turn, turnAudio)).length,
    error:
      create.error ??
      revise.error ??
      undo.error ??
      joining.error ??
      retry.error ??
      turnError ??
      (stored.error?.code === "script_not_found" ? null : stored.error),
  };
}

export type ScriptFlow = ReturnType<typeof useScriptGeneration>;
