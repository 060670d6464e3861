import { useEffect, useRef, useState } from "react";
import { hasEnded, type Generation } from "@/api/types";

/**
 * Reports whether a generation was stopped in this window. Where it was before a chunk was finished, the server stores nothing
 * of it.
 */
export function useStopped(generation: Generation | undefined): { stopped: boolean; clear(): void } {
  const lastRunning = useRef<string>(undefined);
  const [stopped, setStopped] = useState<string>();
  useEffect(() => {
    if (!generation) return;
    if (!hasEnded(generation.status)) lastRunning.current = generation.id;
    else if (generation.status === "cancelled" && lastRunning.current === generation.id) {
      setStopped(generation.id);
      lastRunning.current = undefined;
    }
  }, [generation]);
  const isShown = generation?.status === "cancelled" && stopped === generation.id;
  return { stopped: isShown, clear: () => setStopped(undefined) };
}
