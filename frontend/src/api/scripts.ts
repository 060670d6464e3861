import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import { noteAnswer } from "./live";
import type { Script, ScriptRequest } from "./types";

const known = new Set<string>();

/** Whether an id is that of a script that this window has seen: its joined sound has other routes than a generation. */
export const isScript = (id: string): boolean => known.has(id);

function seen(script: Script): Script {
  known.add(script.id);
  return script;
}

export function useScripts(limit = 50) {
  return useCursorList(keys.scripts, async (cursor, signal) => {
    const page = await api.get("/scripts", { query: { limit, ...(cursor ? { cursor } : {}) }, signal });
    page.items.forEach(seen);
    return page;
  });
}

export const readScript = async (id: string, signal?: AbortSignal): Promise<Script> => seen(await api.get("/scripts/{script_id}", { path: { script_id: id }, signal }));

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
      script.turns.forEach((turn) => noteAnswer(turn));
      void client.invalidateQueries({ queryKey: keys.scripts, exact: true });
    },
  });
}

/** Accepts a script at once; its turns are generations. */
export function useSpeakScript() {
  return useScriptMutation((body: ScriptRequest) => api.post("/script", { body, headers: { Prefer: "respond-async" } }));
}

/** Joins the turns again, after one of them was made anew. */
export function useJoinScript() {
  return useScriptMutation((id: string) => api.post("/scripts/{script_id}/join", { path: { script_id: id } }));
}

export function useDeleteScript() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => api.del("/scripts/{script_id}", { path: { script_id: id }, keepalive: true }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.scripts }),
  });
}
