import * as v from "valibot";
import { generateNow, parseList, type ListRow } from "@/api/batch";
import { api, dataOf } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { quote } from "@/api/hosted";
import type { AudioFormat } from "@/api/formats";
import type { GenerateRequest, Profile } from "@/api/types";
import { previewText } from "@/api/text";
import { createStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";

/** What rows without a voice or a format get. */
export interface ListOptions {
  profile: Profile;
  format: AudioFormat;
}

export interface Failure {
  row: ListRow;
  error: ApiError;
}

/** A list that was read, and how far it is. It outlives the dialog that shows it. */
export interface ListState {
  name: string;
  rows: readonly ListRow[];
  phase: "ready" | "running" | "stopped" | "done";
  /** Rows that were generated, now or before this window was opened. */
  done: number;
  /** The generations of this window, in the order of the rows. */
  ids: readonly string[];
  failures: readonly Failure[];
  /** Why the list stopped by itself. */
  error: ApiError | null;
}

export const list = createStore<ListState | null>(null);

export const goodRows = ({ rows }: Pick<ListState, "rows">): ListRow[] => rows.filter((row) => row.problem === "");
export const badRows = ({ rows }: Pick<ListState, "rows">): ListRow[] => rows.filter((row) => row.problem !== "");

/** The rows of the last list that are done, so that it continues after the window was closed. */
const finished = storedValue("voicewright.list", v.object({ name: v.string(), rows: v.array(v.string()) }), {
  name: "",
  rows: [],
});

const quoteSize = 100; // turns in one request

/** Returns a number for a text that differs for different texts (cyrb53). */
function hash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Returns a key for each row that stays the same when the list is read again; equal rows are numbered. */
function keysOf(rows: readonly ListRow[], { profile, format }: ListOptions): string[] {
  const seen = new Map<string, number>();
  return rows.map(({ text, name, voice, language, speed, format: own }) => {
    const key = hash(JSON.stringify([text, name, voice, language, speed, own || format, voice || profile.id]));
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${key}:${String(count)}`;
  });
}

/** Reads a list from a file. A row whose voice cannot speak it has the problem that `describe` returns. */
export async function openList(file: File, describe: (failure: Failure) => string): Promise<void> {
  const { items } = await parseList(file);
  const rows = await checkVoices(items, describe);
  list.set({ name: file.name, rows, phase: "ready", done: 0, ids: [], failures: [], error: null });
}

export function closeList(): void {
  stopList();
  list.set(null);
}

let running: AbortController | null = null;

/** Stops after the passage that is being generated; rows that are done stay. */
export function stopList(): void {
  running?.abort();
  running = null;
}

type FindProfile = (name: string) => Promise<Profile>;

/** Returns a function that finds each profile once: thousands of rows may have the same voice. */
function profileFinder(signal: AbortSignal): FindProfile {
  const found = new Map<string, Promise<Profile>>();
  return (name) => {
    const key = name.toLowerCase();
    const profile = found.get(key) ?? profileNamed(name, signal);
    found.set(key, profile);
    return profile;
  };
}

/** Returns the profile with this name, ignoring case. */
async function profileNamed(name: string, signal: AbortSignal): Promise<Profile> {
  const { items } = await dataOf(api.GET("/profiles", { params: { query: { search: name, limit: 100 } }, signal }));
  const found = items.find((profile) => profile.name.toLowerCase() === name.toLowerCase());
  if (!found) throw toApiError({ code: "profile_not_found", detail: `There is no profile "${name}".` });
  return found;
}

/** What no other try changes: the voice does not exist, or does not speak the language. */
const voiceErrors: readonly string[] = [
  "profile_not_found",
  "model_unknown",
  "engine_mismatch",
  "language_not_supported",
  "invalid",
];

/** Returns why the voice of a row cannot speak its language; null if it can, or if only speaking can tell. */
async function voiceError({ voice, language }: ListRow, find: FindProfile, signal: AbortSignal) {
  try {
    const speaker = voice.includes(":") ? { voice } : { profile_id: (await find(voice)).id };
    await previewText({ text: "a", ...speaker, ...(language ? { language } : {}) }, signal);
    return null;
  } catch (problem) {
    const error = toApiError(problem);
    return voiceErrors.includes(error.code) ? error : null;
  }
}

/** Checks each voice of a list once. */
function checkVoices(rows: readonly ListRow[], describe: (failure: Failure) => string): Promise<ListRow[]> {
  const { signal } = new AbortController();
  const find = profileFinder(signal);
  const checked = new Map<string, ReturnType<typeof voiceError>>();
  return Promise.all(
    rows.map(async (row) => {
      if (row.voice === "" || row.problem !== "") return row;
      const key = JSON.stringify([row.voice, row.language]);
      const check = checked.get(key) ?? voiceError(row, find, signal);
      checked.set(key, check);
      const error = await check;
      return error ? { ...row, problem: describe({ row, error }) } : row;
    }),
  );
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

/** Returns the price of all hosted rows in credits, null where it is unknown; undefined if there are none. */
export async function priceOfList(options: ListOptions): Promise<number | null | undefined> {
  const state = list.get();
  const { signal } = new AbortController();
  const find = profileFinder(signal);
  const requests = await Promise.all(
    goodRows(state ?? { rows: [] }).map((row) => requestOf(row, options, find).catch(() => null)),
  );
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

/**
 * Generates the rows that are missing, one after the other. Only one list runs at a time. `accepted` is the price of all hosted
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
  const find = profileFinder(signal);
  const rows = goodRows(state);
  const keys = keysOf(rows, options);
  const before = finished.read();
  const done = new Set(before.name === state.name ? before.rows : []);
  const isDone = (i: number) => done.has(keys[i] ?? "");
  patch(() => ({ phase: "running", failures: [], error: null, done: rows.filter((_, i) => isDone(i)).length }));
  for (const [i, row] of rows.entries()) {
    if (isDone(i)) continue;
    try {
      const request = await requestOf(row, options, find);
      if (accepted !== undefined && isHosted(request, options)) request.accept_credits = accepted;
      const { id } = await generateNow(request, signal);
      done.add(keys[i] ?? "");
      finished.write({ name: state.name, rows: [...done] });
      patch((now) => ({ done: now.done + 1, ids: [...now.ids, id] }));
    } catch (problem) {
      const error = toApiError(problem);
      if (signal.aborted) return patch(() => ({ phase: "stopped" }));
      if (error.code === "unreachable") return patch(() => ({ phase: "stopped", error }));
      patch((now) => ({ failures: [...now.failures, { row, error }] }));
    }
  }
  if (running === control) running = null;
  patch(() => ({ phase: "done" }));
}
