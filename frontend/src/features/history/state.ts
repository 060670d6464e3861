import type { Generation } from "@/api/types";
import { createStore, useStore } from "@/lib/store";

/** Items that are deleted when their undo bar ends. Stored outside the screen, so that they stay hidden. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export function hide(ids: readonly string[]): void {
  hidden.set((now) => new Set([...now, ...ids]));
}

export function unhide(ids: readonly string[]): void {
  const back = new Set(ids);
  hidden.set((now) => new Set([...now].filter((id) => !back.has(id))));
}

export const useHidden = (): ReadonlySet<string> => useStore(hidden);

/** Generations whose audio file is known to be missing; single generations report this, lists do not. */
const missing = createStore<ReadonlySet<string>>(new Set());

/** Records whether the audio file of a generation is missing. */
export function setMissing({ id, audio_missing = false }: { id: string; audio_missing?: boolean }): void {
  if (missing.get().has(id) === audio_missing) return;
  missing.set((now) => (audio_missing ? new Set([...now, id]) : new Set([...now].filter((other) => other !== id))));
}

export const useMissing = (): ReadonlySet<string> => useStore(missing);

/** The last generation that could not be played because its file is missing. */
const unplayableGeneration = createStore<Generation | null>(null);

export const setUnplayable = (generation: Generation | null): void => unplayableGeneration.set(() => generation);
export const useUnplayable = (): Generation | null => useStore(unplayableGeneration);

/** Generations to be checked once a transcription model is downloaded, and its name. */
export interface ModelNeed {
  model: string;
  ids: readonly string[];
}
const modelNeed = createStore<ModelNeed | null>(null);

export const setModelNeed = (need: ModelNeed | null): void => modelNeed.set(() => need);
export const useModelNeed = (): ModelNeed | null => useStore(modelNeed);

/** The last error of this screen, shown above the list. */
const problem = createStore<unknown>(null);

export const setProblem = (error: unknown): void => problem.set(() => error);
export const useProblem = (): unknown => useStore(problem);
