import { useEffect, useRef, useState } from "react";
import { hasEnded, type Generation } from "@/api/types";

/** The progress of a stopped generation, in chunks. */
export interface Stopped {
  id: string;
  done: number;
  total: number;
}

/** Generations that were stopped in this window before a chunk was finished: the server stores nothing of them. */
export function useStopped(generation: Generation | undefined): { stopped: Stopped | null; clear(): void } {
  const lastProgress = useRef<Stopped | null>(null);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  useEffect(() => {
    if (!generation) return;
    if (!hasEnded(generation.status))
      lastProgress.current = { id: generation.id, done: generation.chunks_done, total: generation.chunks_total };
    else if (generation.status === "cancelled" && lastProgress.current?.id === generation.id) {
      setStopped(lastProgress.current);
      lastProgress.current = null;
    }
  }, [generation]);
  const isShown = generation?.status === "cancelled" && stopped?.id === generation.id;
  return { stopped: isShown ? stopped : null, clear: () => setStopped(null) };
}
