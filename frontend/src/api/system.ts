import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { Health, SystemInfo } from "./types";

export function useSystem() {
  return useQuery<SystemInfo, ApiError>({
    queryKey: keys.system,
    queryFn: ({ signal }) => dataOf(api.GET("/system", { signal })),
  });
}

export function useHealth() {
  return useQuery<Health, ApiError>({
    queryKey: keys.health,
    queryFn: ({ signal }) => dataOf(api.GET("/health", { signal })),
  });
}
