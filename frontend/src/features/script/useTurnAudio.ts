import { useMemo } from "react";
import { useLiveGenerations, type LiveGeneration } from "@/api/live";
import { useScript, useTurnsAlone } from "@/api/scripts";
import { hasEnded, type Generation } from "@/api/types";
import type { ScriptContent, Turn } from "./model";

const none: readonly Generation[] = [];

/** Returns generations with the status of the event stream, which is newer than the fetched one. */
function useLiveStatus(loaded: readonly Generation[]): Generation[] {
  const live = useLiveGenerations();
  return useMemo(() => {
    const byId = new Map<string, LiveGeneration>(live.map((g) => [g.id, g]));
    return loaded.map((turn) => {
      const update = hasEnded(turn.status) ? undefined : byId.get(turn.id);
      return update && (update.status !== turn.status || update.progress !== turn.progress)
        ? { ...turn, status: update.status, progress: update.progress }
        : turn;
    });
  }, [loaded, live]);
}

/** Returns running hosted generations with why they wait, which the event stream does not contain. */
function useWaits(turns: readonly Generation[]): Generation[] {
  const ids = useMemo(
    () => [...new Set(turns.filter((g) => g.source === "hosted" && !hasEnded(g.status)).map((g) => g.id))],
    [turns],
  );
  const running = useTurnsAlone(ids).turns;
  return useMemo(() => {
    const waits = new Map(running.map((g) => [g.id, g.wait]));
    return turns.map((g) => (waits.has(g.id) && !hasEnded(g.status) ? { ...g, wait: waits.get(g.id) ?? null } : g));
  }, [turns, running]);
}

/** Returns the audio of the turns: of the last generated script, and of turns generated one by one since. */
export function useTurnAudio(script: ScriptContent) {
  const stored = useScript(script.scriptId);
  const scriptTurns = useWaits(useLiveStatus(stored.data?.turns ?? none));
  const isLoading = script.scriptId !== undefined && stored.isLoading;
  const ids = useMemo(() => {
    const known = new Set(stored.data?.turns.map((g) => g.id));
    return isLoading
      ? []
      : [...new Set(script.turns.flatMap((turn) => turn.spoken?.generationId ?? []))].filter((id) => !known.has(id));
  }, [script.turns, stored.data, isLoading]);
  const singleTurns = useTurnsAlone(ids);
  const singleTurnsLive = useLiveStatus(singleTurns.turns);
  const byId = useMemo(
    () => new Map([...scriptTurns, ...singleTurnsLive].map((g) => [g.id, g])),
    [scriptTurns, singleTurnsLive],
  );
  return {
    stored,
    scriptTurns,
    singleTurns: singleTurnsLive,
    byId,
    /** The audio is not known yet. */
    isLoading: isLoading || singleTurns.isReading,
    generationOf: (turn: Turn): Generation | undefined => byId.get(turn.spoken?.generationId ?? ""),
  };
}

export type TurnAudio = ReturnType<typeof useTurnAudio>;
