import { useStore } from "@/lib/store";
import { besideKeeper } from "../drafts/storePerDraftStore";
import type { Keeper } from "../drafts/draftStore";

/** Something that could not be opened; a file that the shell of the window chose has no name here. */
export interface Problem {
  error: unknown;
  file?: File | undefined;
  isFile: boolean;
}

const problemsOf = besideKeeper<{ at: number; list: readonly Problem[] }>({ at: 0, list: [] });

/** What went wrong on this page; it goes with the next draft. */
export function useProblems(keeper: Keeper) {
  const { opened } = useStore(keeper.state);
  const store = problemsOf(keeper);
  const stored = useStore(store);
  return {
    list: stored.at === opened ? stored.list : [],
    show: (list: readonly Problem[]) => store.set({ at: keeper.state.get().opened, list }),
    failed: (error: unknown) => store.set({ at: keeper.state.get().opened, list: [{ error, isFile: false }] }),
    dismiss: (problem: Problem) =>
      store.set(({ at, list }) => ({ at, list: list.filter((other) => other !== problem) })),
  };
}

export type Problems = ReturnType<typeof useProblems>;
