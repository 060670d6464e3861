import { parseList, resumeGeneration, stopGeneration, submitText, waitUntilComplete, type ListRow } from "@/api/batch";
import { toApiError, type ApiError } from "@/api/errors";
import { quote } from "@/api/hosted";
import type { AudioFormat } from "@/api/formats";
import type { GenerateRequest } from "@/api/types";
import { createStore } from "@/lib/store";
import {
  completeIds,
  forgetProgress,
  keysOf,
  noProgress,
  readProgress,
  saveProgress,
  type ListOptions,
  type Progress,
} from "./progress";
import { type FindProfile, profileFinder, checkVoices } from "./listVoices";
import { type Failure } from "./listVoices";

/** A list that was read, and how far it is. It outlives the dialog that shows it. */
export interface ListState {
  name: string;
  rows: readonly ListRow[];
  phase: "ready" | "running" | "stopped" | "done";
  /** Rows that were generated, now or before this window was opened. */
  done: number;
  /** The generations of the rows when the list was opened or ended. */
  progress: Progress;
  failures: readonly Failure[];
  /** Why the list stopped by itself. */
  error: ApiError | null;
}

export const list = createStore<ListState | null>(null);

export const goodRows = ({ rows }: Pick<ListState, "rows">): ListRow[] => rows.filter((row) => row.problem === "");
export const badRows = ({ rows }: Pick<ListState, "rows">): ListRow[] => rows.filter((row) => row.problem !== "");

const quoteSize = 100; // turns in one request

/** Reads a list from a file. A row whose voice cannot speak it has the problem that `describe` returns. */
export async function openList(file: File, describe: (failure: Failure) => string): Promise<void> {
  const { items } = await parseList(file);
  const rows = await checkVoices(items, describe);
  const before = list.get();
  if (before && before.name !== file.name) forgetProgress(); // of a list that was replaced
  list.set({
    name: file.name,
    rows,
    phase: "ready",
    done: 0,
    progress: await readProgress(file.name),
    failures: [],
    error: null,
  });
}

/** Closes the list. The same file can then be generated again from the start. */
export function closeList(): void {
  stopList();
  forgetProgress();
  list.set(null);
}

/** Forgets which rows are generated; what is in the history stays. */
export function startOver(): void {
  forgetProgress();
  list.set((now) => now && { ...now, progress: noProgress });
}

let running: AbortController | null = null;

/** Stops after the passage that is being generated; rows that are done stay. */
export function stopList(): void {
  running?.abort();
  running = null;
}

/** Returns the request of a row. */
async function requestOf(row: ListRow, options: ListOptions, find: FindProfile): Promise<GenerateRequest> {
  const isModelVoice = row.voice.includes(":");
  const profile = row.voice && !isModelVoice ? await find(row.voice) : options.profile;
  return {
    profile_id: profile.id,
    text: row.text,
    format: (row.format || options.format) as AudioFormat,
    ...(isModelVoice ? { voice: row.voice } : {}),
    ...(row.language ? { language: row.language } : {}),
    ...(row.speed === null ? {} : { speed: row.speed }),
    ...(row.name ? { title: row.name.slice(0, 200) } : {}),
  };
}

const isHosted = (request: GenerateRequest, { profile }: ListOptions): boolean =>
  request.voice
    ? request.voice.startsWith("hosted:")
    : request.profile_id === profile.id && profile.voice_type === "hosted";

/** Returns the price of the hosted rows that are missing in credits, null where it is unknown; undefined if there are none. */
export async function priceOfList(options: ListOptions): Promise<number | null | undefined> {
  const state = list.get();
  const { signal } = new AbortController();
  const find = profileFinder(signal);
  const rows = goodRows(state ?? { rows: [] });
  const complete = completeIds(rows, state?.progress ?? noProgress, options);
  const missing = rows.filter((_, i) => complete[i] === undefined);
  const requests = await Promise.all(missing.map((row) => requestOf(row, options, find).catch(() => null)));
  const hosted = requests.filter((request) => request !== null && isHosted(request, options)) as GenerateRequest[];
  if (hosted.length === 0) return undefined;
  let sum = 0;
  for (let i = 0; i < hosted.length; i += quoteSize) {
    const turns = hosted.slice(i, i + quoteSize).map(({ profile_id, text, voice, language }) => ({
      profile_id,
      text,
      ...(voice ? { voice } : {}),
      ...(language ? { language } : {}),
    }));
    const { credits } = await quote({ turns }, signal);
    if (credits === null) return null;
    sum += credits;
  }
  return sum;
}

/** What all rows of a run share. */
interface ListRun {
  options: ListOptions;
  /** The price of the hosted rows that the user saw. */
  accepted: number | undefined;
  find: FindProfile;
  ids: Record<string, string>;
  save(): void;
  signal: AbortSignal;
}

/**
 * Generates a row and returns its generation once it is complete. The request itself is never aborted: without its answer nobody
 * would know the generation that it started.
 */
async function generateRow(row: ListRow, key: string, run: ListRun): Promise<string> {
  const request = await requestOf(row, run.options, run.find);
  if (run.accepted !== undefined && isHosted(request, run.options)) request.accept_credits = run.accepted;
  const earlier = run.ids[key];
  const resumed = earlier === undefined ? null : await resumeGeneration(earlier, request.accept_credits);
  const generation = resumed ?? (await submitText(request));
  if (generation.id !== earlier) {
    run.ids[key] = generation.id;
    run.save();
  }
  try {
    await waitUntilComplete(generation, run.signal);
  } catch (error) {
    if (run.signal.aborted) await stopGeneration(generation.id).catch(() => undefined); // it has just ended
    throw error;
  }
  return generation.id;
}

/** Returns the generations of these rows alone: a list that was edited or has another voice leaves nothing behind. */
function idsOf(keys: readonly string[], { ids }: Progress): Record<string, string> {
  return Object.fromEntries(keys.flatMap((key) => (ids[key] === undefined ? [] : [[key, ids[key]]])));
}

/**
 * Generates the rows that are missing, one after the other. Only one list runs at a time. `accepted` is the price of the hosted
 * rows that the user saw.
 */
export async function runList(options: ListOptions, accepted?: number): Promise<void> {
  const state = list.get();
  if (!state || state.phase === "running") return;
  const patch = (changes: (now: ListState) => Partial<ListState>) =>
    list.set((now) => (now?.rows === state.rows ? { ...now, ...changes(now) } : now)); // not another list
  const control = new AbortController();
  running = control;
  const { signal } = control;
  const rows = goodRows(state);
  const keys = keysOf(rows, options);
  const progress = { profile: options.profile.id, format: options.format, ids: idsOf(keys, state.progress) };
  const complete = new Set(state.progress.complete);
  const isComplete = (key: string) => complete.has(progress.ids[key] ?? "");
  const save = () => {
    if (list.get()?.rows === state.rows) saveProgress(state.name, progress); // a closed list is forgotten
  };
  const run = { options, accepted, find: profileFinder(signal), ids: progress.ids, save, signal };
  const end = (changes: Partial<ListState>) => patch(() => ({ ...changes, progress: { ...progress, complete } }));
  patch(() => ({ phase: "running", failures: [], error: null, done: keys.filter(isComplete).length }));
  for (const [i, row] of rows.entries()) {
    const key = keys[i] ?? "";
    if (isComplete(key)) continue;
    try {
      complete.add(await generateRow(row, key, run));
      patch((now) => ({ done: now.done + 1 }));
    } catch (problem) {
      const error = toApiError(problem);
      if (signal.aborted) return end({ phase: "stopped" });
      if (error.code === "unreachable") return end({ phase: "stopped", error });
      patch((now) => ({ failures: [...now.failures, { row, error }] }));
    }
    if (signal.aborted) return end({ phase: "stopped" });
  }
  if (running === control) running = null;
  if (keys.every(isComplete) && list.get()?.rows === state.rows) forgetProgress();
  end({ phase: "done" });
}
