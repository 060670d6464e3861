import { hasEnded, type Script } from "@/api/types";

/** Reports whether every turn has audio, so that they can be joined. */
export const canJoin = (script: Script): boolean =>
  script.turns.length > 0 && script.turns.every((turn) => turn.status === "complete");
export const isRunning = (script: Script): boolean => script.turns.some((turn) => !hasEnded(turn.status));
