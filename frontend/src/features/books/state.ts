import type { BookNote, BookUpdateReport } from "@/api/books";
import { createStore, useStore } from "@/lib/store";

/** Books that are deleted when their undo bar ends. Stored outside the screen, so that they stay hidden. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export const hide = (id: string): void => hidden.set((now) => new Set([...now, id]));
export const unhide = (id: string): void => hidden.set((now) => new Set([...now].filter((other) => other !== id)));
export const useHidden = (): ReadonlySet<string> => useStore(hidden);

/** The last error of this screen, shown above the list. */
const problem = createStore<unknown>(null);

export const setProblem = (error: unknown): void => problem.set(() => error);
export const useProblem = (): unknown => useStore(problem);

/** Runs an action and shows its error above the list. */
export async function guarded(work: () => Promise<unknown>): Promise<void> {
  setProblem(null);
  try {
    await work();
  } catch (error) {
    setProblem(error);
  }
}

/** What was found when the file of a book was read in this window; the server does not store it. */
export interface Arrival {
  notes: readonly BookNote[];
  /** Of a changed file. */
  report?: BookUpdateReport;
}
const arrivals = createStore<ReadonlyMap<string, Arrival>>(new Map());

export const setArrival = (id: string, arrival: Arrival): void => arrivals.set((all) => new Map(all).set(id, arrival));
export const useArrival = (id: string): Arrival | undefined => useStore(arrivals).get(id);
export const clearArrival = (id: string): void =>
  arrivals.set((all) => new Map([...all].filter(([other]) => other !== id)));
