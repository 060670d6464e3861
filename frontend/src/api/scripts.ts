import { useMutation, useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { titleOrWords } from "@/lib/heading";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import { applyGeneration } from "./live";
import {
  hasEnded,
  type Chunk,
  type Generation,
  type RevisedScript,
  type Script,
  type ScriptRequest,
  type ScriptRow,
} from "./types";

const known = new Set<string>();

/** Reports whether an id is that of a script this window has seen: joined audio has other routes than a generation. */
export const isScript = (id: string): boolean => known.has(id);

function seen<T extends { id: string }>(script: T): T {
  known.add(script.id);
  return script;
}

export function useScripts(limit = 50) {
  return useCursorList(keys.scripts, async (cursor, signal) => {
    const page = await dataOf(
      api.GET("/scripts", { params: { query: { limit, ...(cursor ? { cursor } : {}) } }, signal }),
    );
    page.items.forEach((script) => seen(script));
    return page;
  });
}

export const readScript = async (id: string, signal?: AbortSignal): Promise<Script> =>
  seen(await dataOf(api.GET("/scripts/{script_id}", { params: { path: { script_id: id } }, signal })));

export function useScript(id: string | undefined) {
  return useQuery<Script, ApiError>({
    queryKey: keys.script(id ?? ""),
    queryFn: ({ signal }) => readScript(id ?? "", signal),
    enabled: id !== undefined,
  });
}

function useScriptMutation<V>(run: (variables: V) => Promise<Script>) {
  const client = useQueryClient();
  return useMutation<Script, ApiError, V>({
    mutationFn: run,
    onSuccess: (script) => {
      client.setQueryData(keys.script(script.id), seen(script));
      script.turns.forEach((turn) => applyGeneration(turn));
      // The answer may arrive after the events of turns that are complete by then, and is older than they are.
      if (script.turns.some(({ status }) => !hasEnded(status)))
        void client.invalidateQueries({ queryKey: keys.script(script.id), exact: true });
      void client.invalidateQueries({ queryKey: keys.scripts, exact: true });
    },
  });
}

/** Submits a script; its turns are generations. */
export function useSpeakScript() {
  return useScriptMutation((body: ScriptRequest) =>
    dataOf(api.POST("/script", { body, headers: { Prefer: "respond-async" } })),
  );
}

/** Changes a script: only the turns without equal audio are generated. The script stays as it is until its new file is there. */
export function useReviseScript() {
  const client = useQueryClient();
  return useMutation<RevisedScript, ApiError, { id: string; body: ScriptRequest }>({
    mutationFn: ({ id, body }) =>
      dataOf(api.PUT("/scripts/{script_id}", { params: { path: { script_id: id } }, body })),
    onSuccess: ({ id, turns }) => {
      turns.forEach((turn) => {
        client.setQueryData(keys.generation(turn.id), turn);
        applyGeneration(turn);
      });
      // The answer may arrive after the events of turns that are complete by then, and is older than they are.
      void client.invalidateQueries({ queryKey: keys.script(id) });
      turns.forEach((turn) => void client.invalidateQueries({ queryKey: keys.generation(turn.id) }));
    },
  });
}

/** Returns a script to its version before the last change. */
export function useUndoRevision() {
  return useScriptMutation((id: string) =>
    dataOf(api.POST("/scripts/{script_id}/revise/undo", { params: { path: { script_id: id } } })),
  );
}

/** Joins the turns again after one of them was regenerated. */
export function useJoinScript() {
  return useScriptMutation((id: string) =>
    dataOf(api.POST("/scripts/{script_id}/join", { params: { path: { script_id: id } } })),
  );
}

const together = (results: UseQueryResult<Generation>[]) => ({
  turns: results.flatMap((result) => result.data ?? []),
  isReading: results.some((result) => result.isLoading),
});

/** Returns turns that were generated one by one and belong to no script on the server. Deleted ones are left out. */
export function useTurnsAlone(ids: readonly string[]) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.generation(id),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Generation> =>
        dataOf(api.GET("/generate/{generation_id}", { params: { path: { generation_id: id } }, signal })),
    })),
    combine: together,
  });
}

export function useDeleteScript() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) =>
      dataOf(api.DELETE("/scripts/{script_id}", { params: { path: { script_id: id } }, keepalive: true })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.scripts }),
  });
}

export function nameOfScript(script: Script | ScriptRow): string {
  return titleOrWords({ title: script.title, text: script.turns[0]?.text ?? "" }, 80);
}

/** Returns the audio that was joined, in its order. The turns of a dialogue share one generation, which is there once. */
export const joinedTurns = (script: Script): Generation[] =>
  script.turns.filter((turn, i) => turn.status === "complete" && turn.id !== script.turns[i - 1]?.id);

/** Returns the joined audio as chunks, so that the player shows which one is playing. */
function turnsAsChunks(script: Script): Chunk[] {
  let at = 0;
  return joinedTurns(script).map((turn) => {
    const chunk = {
      text: turn.text,
      start: at,
      end: at + turn.duration,
      take: Math.max(0, ...turn.chunks.map((c) => c.take)),
      takes: 1,
    };
    at = chunk.end + script.gap_ms / 1000;
    return chunk;
  });
}

/** Returns the joined audio of a script for the player; null until it exists. */
export function joinedSound(script: Script): Generation | null {
  const first = script.turns[0];
  if (!script.audio_url || !first) return null;
  const chunks = turnsAsChunks(script);
  return {
    ...first,
    id: script.id,
    title: nameOfScript(script),
    text: chunks.map((chunk) => chunk.text).join("\n"),
    status: "complete",
    error: null,
    receipt: null,
    parent_id: null,
    format: "wav",
    audio_url: script.audio_url,
    audio_path: script.audio_path,
    duration: script.duration,
    sample_rate: script.sample_rate,
    chunks,
  };
}
