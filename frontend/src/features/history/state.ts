import type { Generation } from "@/api/types";
import { createStore, useStore } from "@/lib/store";

/** Generations and scripts that wait for their undo bar to end. It outlives the screen, so that they stay hidden on the way back. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export function hide(ids: readonly string[]): void {
  hidden.set((now) => new Set([...now, ...ids]));
}

export function unhide(ids: readonly string[]): void {
  const back = new Set(ids);
  hidden.set((now) => new Set([...now].filter((id) => !back.has(id))));
}

export const useHidden = (): ReadonlySet<string> => useStore(hidden);

/** Generations that are said to have lost their file; lists do not tell, so it is kept here as soon as it is known. */
const missing = createStore<ReadonlySet<string>>(new Set());

/** Keeps what an answer about one generation tells of its file. */
export function noteFile({ id, audio_missing = false }: { id: string; audio_missing?: boolean }): void {
  if (missing.get().has(id) === audio_missing) return;
  missing.set((now) => (audio_missing ? new Set([...now, id]) : new Set([...now].filter((other) => other !== id))));
}

export const useMissing = (): ReadonlySet<string> => useStore(missing);

/** The generation without a file that was asked to sound. */
const silent = createStore<Generation | null>(null);

export const setSilent = (generation: Generation | null): void => silent.set(() => generation);
export const useSilent = (): Generation | null => useStore(silent);

/** What went wrong last on this screen, shown above the list. */
const problem = createStore<unknown>(null);

export const setProblem = (error: unknown): void => problem.set(() => error);
export const useProblem = (): unknown => useStore(problem);
