import { createStore, useStore, type Store } from "@/lib/store";
import { perKey } from "@/features/drafts/perKey";
import type { TextStore } from "../drafts/textStore";

/** What failed; with a file, reading it. */
export interface Problem {
  error: unknown;
  file?: File;
}

interface ProblemList {
  /** The number of the draft that they belong to. */
  at: number;
  list: readonly Problem[];
}
const problemsOf = perKey<TextStore, Store<ProblemList>>(() => createStore<ProblemList>({ at: 0, list: [] }));

/** The problems of this page; they are cleared with the next draft. */
export function useProblems(draftStore: TextStore) {
  const { opened } = useStore(draftStore.state);
  const store = problemsOf(draftStore);
  const stored = useStore(store);
  return {
    list: stored.at === opened ? stored.list : [],
    show: (list: readonly Problem[]) => store.set({ at: draftStore.state.get().opened, list }),
    failed: (error: unknown) => store.set({ at: draftStore.state.get().opened, list: [{ error }] }),
    dismiss: (problem: Problem) =>
      store.set(({ at, list }) => ({ at, list: list.filter((other) => other !== problem) })),
  };
}

export type Problems = ReturnType<typeof useProblems>;
