import { useCancelGeneration } from "@/api/generations";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import type { Generation } from "@/api/types";
import { player } from "@/player";
import { useStopped } from "./useStopped";

/** What is left of a generation that was stopped or failed. */
export function useUnfinished(generation: Generation | undefined) {
  const cancel = useCancelGeneration();
  useResetOnReconnect([cancel]);
  const { stopped, clear: forget } = useStopped(generation);
  return {
    stopped,
    error: cancel.error,
    forget,
    /** Plays the finished chunks. */
    listen: (): void => {
      if (generation?.partial) player.follow(generation, { play: true, busy: () => false });
    },
    /** Deletes the finished chunks; paid ones stay. */
    discard: (): void => {
      if (generation && !cancel.isPending) cancel.mutate(generation.id, { onSuccess: forget });
    },
    reset: cancel.reset,
  };
}
