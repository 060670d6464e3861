import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useCancelGeneration, useRegenerateChunk, useRetryGeneration } from "@/api/generations";
import { keys } from "@/api/keys";
import { noteGeneration, useLiveGenerations } from "@/api/live";
import { useJoinScript, useScript, useSpeakScript } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import { soundOf, speakable, speakerOf, takesOf, type ScriptContent, type Turn } from "./model";

const patience = 1500; // the file is joined a moment after the last turn; no event tells of it
const asksItself = 4000; // after a retried turn the server does not join by itself

type Change = (next: (before: ScriptContent) => ScriptContent) => void;

function markSpoken(script: ScriptContent, spoken: readonly Turn[], answer: Script): ScriptContent {
  const turns = script.turns.map((turn) => {
    const at = spoken.findIndex((s) => s.id === turn.id);
    const [asked, generation] = [spoken[at], answer.turns[at]];
    if (!asked || !generation) return { ...turn, spoken: undefined };
    return { ...turn, spoken: { generationId: generation.id, text: asked.text.trim(), profileId: speakerOf(script, asked)?.profileId ?? "" } };
  });
  return { ...script, turns, scriptId: answer.id, joined: undefined };
}

/** Everything between a written script and its sound. */
export function useSpeaking(script: ScriptContent, change: Change) {
  const client = useQueryClient();
  const stored = useScript(script.scriptId);
  const speak = useSpeakScript();
  const join = useJoinScript();
  const retry = useRetryGeneration();
  const take = useRegenerateChunk();
  const cancel = useCancelGeneration();
  const live = useLiveGenerations();
  const [again, setAgain] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<ApiError | null>(null);

  const made = stored.data?.turns ?? [];
  const byId = new Map(made.map((g) => [g.id, g]));
  const running = made.filter((g) => !hasEnded(g.status));
  const complete = made.length > 0 && made.every((g) => g.status === "complete");
  const takes = takesOf(made);
  const isJoined = Boolean(stored.data?.audio_url);
  const waiting = complete && !isJoined;
  const refetch = stored.refetch;

  useEffect(() => {
    if (!waiting && running.length === 0) return;
    const timer = setInterval(() => void refetch(), patience);
    return () => clearInterval(timer);
  }, [waiting, running.length, refetch]);
  useEffect(() => {
    if (isJoined && complete && !script.joined) change((before) => ({ ...before, joined: takes }));
  }, [isJoined, complete, takes, script.joined, change]);

  const ended = made.filter((g) => hasEnded(g.status)).map((g) => g.id).join();
  useEffect(() => {
    // The answer of a request can come after the event that a turn has ended, and would bring it back to life.
    for (const g of stored.data?.turns ?? []) if (hasEnded(g.status)) noteGeneration(g);
  }, [ended, stored.data]);
  const { mutate: joinNow } = join;
  useEffect(() => {
    if (!waiting || !script.scriptId) return;
    const id = script.scriptId;
    const timer = setTimeout(() => joinNow(id), asksItself);
    return () => clearTimeout(timer);
  }, [waiting, script.scriptId, joinNow]);

  function reload(): void {
    if (script.scriptId) void client.invalidateQueries({ queryKey: keys.script(script.scriptId) });
  }
  function speakAll(): void {
    const turns = speakable(script);
    const body = turns.map((turn) => ({ profile_id: speakerOf(script, turn)?.profileId ?? "", text: turn.text }));
    setFailed(null);
    speak.mutate({ turns: body, gap_ms: script.gapMs, ...(script.title.trim() ? { title: script.title.trim() } : {}) }, {
      onSuccess: (answer) => change((before) => markSpoken(before, turns, answer)),
    });
  }
  /** A new take of every chunk of a turn: its place in the script stays. */
  async function sayAgain(generation: Generation): Promise<void> {
    setFailed(null);
    setAgain((all) => new Set(all).add(generation.id));
    try {
      for (let chunk = 0; chunk < generation.chunks.length; chunk += 1) await take.mutateAsync({ id: generation.id, chunk });
    } catch (error) {
      setFailed(toApiError(error));
    } finally {
      setAgain((all) => new Set([...all].filter((id) => id !== generation.id)));
      reload();
    }
  }
  const parts = made.map((g) => (hasEnded(g.status) ? 1 : (live.find((l) => l.id === g.id)?.progress ?? g.progress)));
  return {
    stored: stored.data,
    generationOf: (turn: Turn): Generation | undefined => byId.get(turn.spoken?.generationId ?? ""),
    progressOf: (id: string): number | undefined => live.find((l) => l.id === id)?.progress,
    isMakingAgain: (id: string): boolean => again.has(id),
    speakAll, sayAgain,
    tryAgain: (id: string) => retry.mutate(id, { onSettled: reload }),
    stop: () => running.forEach((g) => cancel.mutate(g.id, { onSettled: reload })),
    joinAgain: () => script.scriptId && join.mutate(script.scriptId, { onSuccess: (answer) => change((before) => ({ ...before, joined: takesOf(answer.turns) })) }),
    isJoining: join.isPending,
    isAsking: speak.isPending,
    running: running.length,
    done: made.length - running.length,
    total: made.length,
    progress: parts.length > 0 ? parts.reduce((a, b) => a + b, 0) / parts.length : 0,
    /** The turns as they are now are not those of the joined file. */
    needsJoin: complete && isJoined && script.joined !== undefined && script.joined !== takes,
    /** Something was written since it was last spoken. */
    toMake: speakable(script).filter((turn) => soundOf(script, turn) !== "made").length,
    error: speak.error ?? join.error ?? retry.error ?? failed ?? (stored.error?.code === "script_not_found" ? null : stored.error),
  };
}

export type Speaking = ReturnType<typeof useSpeaking>;
