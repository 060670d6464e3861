import type { Rerun } from "@/api/transcriptions";
import type { Transcript } from "@/api/types";
import { createStore, useStore } from "@/lib/store";

/** Transcripts that are deleted when their undo bar ends. Stored outside the screen, so that they stay hidden. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export const hide = (id: string): void => hidden.set((now) => new Set([...now, id]));
export const unhide = (id: string): void => hidden.set((now) => new Set([...now].filter((other) => other !== id)));
export const useHidden = (): ReadonlySet<string> => useStore(hidden);

/** Files that wait until a model has been downloaded. */
const held = createStore<readonly File[]>([]);

export const holdFiles = (files: readonly File[]): void => held.set((now) => [...now, ...files]);
export const useHeldFiles = (): readonly File[] => useStore(held);
/** Returns the files that waited, and forgets them. */
export function takeHeldFiles(): readonly File[] {
  const files = held.get();
  held.set([]);
  return files;
}

/** What is transcribed again once a model is downloaded, and the name of the model. */
export interface ModelNeed {
  model: string;
  rerun: Rerun;
}
const modelNeed = createStore<ModelNeed | null>(null);

export const setModelNeed = (need: ModelNeed | null): void => modelNeed.set(() => need);
export const useModelNeed = (): ModelNeed | null => useStore(modelNeed);

/** The transcript whose speakers get voices, before a script is made of it. */
const scriptSource = createStore<string | null>(null);

export const setScriptSource = (id: string | null): void => scriptSource.set(() => id);
export const useScriptSource = (): string | null => useStore(scriptSource);

/** The transcript whose speakers are to be found; a dialog asks how. */
const speakersQuestion = createStore<{ id: string } | null>(null);

export const askForSpeakers = (question: { id: string } | null): void => speakersQuestion.set(() => question);
export const useSpeakersQuestion = (): { id: string } | null => useStore(speakersQuestion);

/** The transcript that is to be exported; a dialog asks in which format. */
export type ExportTarget = Pick<Transcript, "id" | "title" | "text">;
const exportQuestion = createStore<ExportTarget | null>(null);

export const askForExport = (target: ExportTarget | null): void => exportQuestion.set(() => target);
export const useExportQuestion = (): ExportTarget | null => useStore(exportQuestion);

/** The last error of this screen, shown above the list. */
const problem = createStore<unknown>(null);

export const setProblem = (error: unknown): void => problem.set(() => error);
export const useProblem = (): unknown => useStore(problem);
