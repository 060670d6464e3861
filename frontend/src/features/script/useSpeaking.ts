import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useCancelGeneration, useRegenerateChunk, useRetryGeneration } from "@/api/generations";
import { keys } from "@/api/keys";
import { useLiveGenerations, type LiveGeneration } from "@/api/live";
import { useJoinScript, useScript, useSpeakScript } from "@/api/scripts";
import { hasEnded, type Generation, type Script } from "@/api/types";
import { soundOf, speakable, speakerOf, takesOf, type ScriptContent, type Turn } from "./model";

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

/** The turns as the stream tells of them, which is newer than what was read last. */
function useTurns(stored: Script | undefined): Generation[] {
  const live = useLiveGenerations();
  return useMemo(() => {
    const byId = new Map<string, LiveGeneration>(live.map((g) => [g.id, g]));
    return (stored?.turns ?? []).map((turn) => {
      const now = hasEnded(turn.status) ? undefined : byId.get(turn.id);
      return now && (now.status !== turn.status || now.progress !== turn.progress) ? { ...turn, status: now.status, progress: now.progress } : turn;
    });
  }, [stored, live]);
}

/**
 * Everything between a written script and its sound. `note` keeps what was only learned, and is no change to save: two
 * windows that have the script open learn the same.
 */
export function useSpeaking(script: ScriptContent, change: Change, note: Change) {
  const client = useQueryClient();
  const stored = useScript(script.scriptId);
  const speak = useSpeakScript();
  const join = useJoinScript();
  const retry = useRetryGeneration();
  const take = useRegenerateChunk();
  const cancel = useCancelGeneration();
  const [again, setAgain] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<ApiError | null>(null);

  const made = useTurns(stored.data);
  const byId = useMemo(() => new Map(made.map((g) => [g.id, g])), [made]);
  const running = made.filter((g) => !hasEnded(g.status));
  const complete = made.length > 0 && made.every((g) => g.status === "complete");
  const takes = takesOf(made);
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
  const parts = made.map((g) => (hasEnded(g.status) ? 1 : g.progress));
  return {
    stored: stored.data,
    generationOf: (turn: Turn): Generation | undefined => byId.get(turn.spoken?.generationId ?? ""),
    isMakingAgain: (id: string): boolean => again.has(id),
    speakAll, sayAgain,
    tryAgain: (id: string) => retry.mutate(id, { onSettled: reload }),
    stop: () => running.forEach((g) => cancel.mutate(g.id, { onSettled: reload })),
    joinAgain: () => script.scriptId && join.mutate(script.scriptId),
    isJoining: join.isPending,
    isAsking: speak.isPending,
    running: running.length,
    done: made.length - running.length,
    total: made.length,
    progress: parts.length > 0 ? parts.reduce((a, b) => a + b, 0) / parts.length : 0,
    /** The turns as they are now are not those of the joined file. */
    needsJoin: complete && isJoined && script.joined !== undefined && script.joined.takes !== takes,
    /** Every turn is there, and the file is not. */
    waitsForFile: waiting,
    joinFailed: join.isError,
    /** Something was written since it was last spoken. */
    toMake: speakable(script).filter((turn) => soundOf(script, turn) !== "made").length,
    error: speak.error ?? join.error ?? retry.error ?? failed ?? (stored.error?.code === "script_not_found" ? null : stored.error),
  };
}

export type Speaking = ReturnType<typeof useSpeaking>;
