import { useEffect, useRef, useState } from "react";
import { hasEnded, type Generation } from "@/api/types";

/** How far something was that was stopped, in chunks. */
export interface Stopped {
  id: string;
  done: number;
  total: number;
}

/** What this window saw being stopped: the program itself forgets how far it was. */
export function useStopped(made: Generation | undefined): { stopped: Stopped | null; forget(): void } {
  const seen = useRef<Stopped | null>(null);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  useEffect(() => {
    if (!made) return;
    if (!hasEnded(made.status)) seen.current = { id: made.id, done: made.chunks_done, total: made.chunks_total };
    else if (made.status === "cancelled" && seen.current?.id === made.id) {
      setStopped(seen.current);
      seen.current = null;
    }
  }, [made]);
  const isShown = made?.status === "cancelled" && stopped?.id === made.id;
  return { stopped: isShown ? stopped : null, forget: () => setStopped(null) };
}
