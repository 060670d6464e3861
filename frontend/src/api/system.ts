import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { Health, SystemInfo } from "./types";

const systemQuery = {
  queryKey: keys.system,
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET("/system", { signal })),
};

export function useSystem({ enabled = true } = {}) {
  return useQuery<SystemInfo, ApiError>({ ...systemQuery, enabled });
}

/** Returns a function that looks for the programs of others again, and resolves to whether one of them is there now. */
export function useCheckProgram(): (name: string) => Promise<boolean> {
  const client = useQueryClient();
  return async (name) => {
    const system = await client.fetchQuery<SystemInfo, ApiError>({ ...systemQuery, staleTime: 0 });
    const isThere = system.libraries.some((library) => library.name === name && library.available);
    if (isThere) await client.invalidateQueries({ queryKey: keys.builtInVoices });
    return isThere;
  };
}

export function useHealth() {
  return useQuery<Health, ApiError>({
    queryKey: keys.health,
    queryFn: ({ signal }) => dataOf(api.GET("/health", { signal })),
  });
}
