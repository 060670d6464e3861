import { useEffect, useEffectEvent } from "react";
import type { ApiError } from "./errors";
import { useConnection } from "./events";

interface Request {
  error: ApiError | null;
  reset(): void;
}

/** Resets the requests that did not reach the server as soon as it is there again, so that their errors go. */
export function useResetOnReconnect(requests: readonly Request[]): void {
  const { state } = useConnection();
  const resetUnreachable = useEffectEvent(() => {
    for (const { error, reset } of requests) if (error?.code === "unreachable") reset();
  });
  useEffect(() => {
    if (state === "online") resetUnreachable();
  }, [state]);
}
