import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { NewestVersion } from "./types";

/** Returns the address that a check for a new version asks; empty where this build has none, or while that is unknown. */
export function useUpdatesAddress(): string {
  const source = useQuery({
    queryKey: keys.updates,
    queryFn: ({ signal }) => dataOf(api.GET("/updates", { signal })),
    staleTime: Infinity, // it is part of the program
  });
  return source.data?.address ?? "";
}

/** Checks for a new version when `check` is called, and never by itself; `stop` ends the request. */
export function useUpdateCheck() {
  const running = useRef<AbortController>(null);
  const request = useMutation<NewestVersion, ApiError, AbortSignal>({
    mutationFn: (signal) => dataOf(api.POST("/updates/check", { signal })),
  });
  useEffect(() => () => running.current?.abort(), []);
  return {
    answer: request.data,
    error: request.error,
    isChecking: request.isPending,
    check: () => {
      running.current = new AbortController();
      request.mutate(running.current.signal);
    },
    stop: () => {
      running.current?.abort();
      request.reset();
    },
  };
}
