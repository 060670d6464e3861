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

/** What went wrong last on this screen, shown above the list. */
const problem = createStore<unknown>(null);

export const setProblem = (error: unknown): void => problem.set(() => error);
export const useProblem = (): unknown => useStore(problem);
