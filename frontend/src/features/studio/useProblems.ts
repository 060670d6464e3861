import { useState } from "react";
import { useStore } from "@/lib/store";
import type { Keeper } from "./keeper";

/** Something that could not be opened; a file that the shell of the window chose has no name here. */
export interface Problem { error: unknown; file?: File | undefined; isFile: boolean }

/** What went wrong on this page; it goes with the next draft. */
export function useProblems(keeper: Keeper) {
  const { opened } = useStore(keeper.state);
  const [known, setKnown] = useState<{ at: number; list: readonly Problem[] }>({ at: 0, list: [] });
  return {
    list: known.at === opened ? known.list : [],
    show: (list: readonly Problem[]) => setKnown({ at: keeper.state.get().opened, list }),
    failed: (error: unknown) => setKnown({ at: keeper.state.get().opened, list: [{ error, isFile: false }] }),
    dismiss: (problem: Problem) => setKnown(({ at, list }) => ({ at, list: list.filter((other) => other !== problem) })),
  };
}

export type Problems = ReturnType<typeof useProblems>;
