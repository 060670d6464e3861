import { useMemo } from "react";
import { useLiveGenerations, type LiveGeneration } from "@/api/live";
import { useScript, useTurnsAlone } from "@/api/scripts";
import { hasEnded, type Generation } from "@/api/types";
import type { ScriptContent, Turn } from "./model";

const none: readonly Generation[] = [];

/** Generations as the stream tells of them, which is newer than what was read last. */
function useFresh(read: readonly Generation[]): Generation[] {
  const live = useLiveGenerations();
  return useMemo(() => {
    const byId = new Map<string, LiveGeneration>(live.map((g) => [g.id, g]));
    return read.map((turn) => {
      const now = hasEnded(turn.status) ? undefined : byId.get(turn.id);
      return now && (now.status !== turn.status || now.progress !== turn.progress)
        ? { ...turn, status: now.status, progress: now.progress }
        : turn;
    });
  }, [read, live]);
}

/** What was made of the turns: with the script that was last spoken as a whole, and by themselves since. */
export function useTurnsMade(script: ScriptContent) {
  const stored = useScript(script.scriptId);
  const whole = useFresh(stored.data?.turns ?? none);
  const isReading = script.scriptId !== undefined && stored.isLoading;
  const ids = useMemo(() => {
    const known = new Set(stored.data?.turns.map((g) => g.id));
    return isReading
      ? []
      : [...new Set(script.turns.flatMap((turn) => turn.spoken?.generationId ?? []))].filter((id) => !known.has(id));
  }, [script.turns, stored.data, isReading]);
  const alone = useTurnsAlone(ids);
  const byThemselves = useFresh(alone.turns);
  const byId = useMemo(() => new Map([...whole, ...byThemselves].map((g) => [g.id, g])), [whole, byThemselves]);
  return {
    stored,
    whole,
    alone: byThemselves,
    byId,
    /** What is there is not known yet. */
    isReading: isReading || alone.isReading,
    generationOf: (turn: Turn): Generation | undefined => byId.get(turn.spoken?.generationId ?? ""),
  };
}

export type TurnsMade = ReturnType<typeof useTurnsMade>;
