import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";
import { createStore, useStore } from "@/lib/store";
import { api, asEvents, dataOf } from "./client";
import { ApiError, isAbort } from "./errors";
import {
  bookEvent,
  downloadEvent,
  generationEvent,
  parsed,
  transcriptEvent,
  withStatus,
  type DownloadEvent,
} from "./eventSchemas";
import { readEvents, type ServerEvent } from "./eventStream";
import { applyExportEvent } from "./exports";
import { keys } from "./keys";
import { noteStatus } from "./ends";
import { dictionaryChanged } from "./pronunciations";
import {
  applyDownloadEvent,
  applyGenerationEvent,
  clearDownloads,
  setGenerations,
  startStream,
  type LiveGeneration,
} from "./live";
import { applyTranscript, seedTranscripts } from "./liveTranscripts";
import { session } from "./session";
import { refreshSpeakers } from "./speakers";
import { hasEnded } from "./types";

export interface Connection {
  state: "connecting" | "online" | "lost";
  /** When the connection was lost, in milliseconds; null while it is online. */
  since: number | null;
}

const connection = createStore<Connection>({ state: "connecting", since: null });
const silenceLimit = 40_000; // the server sends a comment every 15 s
const firstDelay = 500;
const longestDelay = 5_000; // the server is on this machine, so a retry costs nothing

const retryNow = new EventTarget();

/** Reconnects now instead of after the delay. */
export function reconnect(): void {
  retryNow.dispatchEvent(new Event("now"));
}

export function useConnection(): Connection {
  return useStore(connection);
}

/** Reads the event stream of this window until the signal aborts, and invalidates the queries that an event concerns. */
export async function followEvents(client: QueryClient, signal: AbortSignal): Promise<void> {
  let delay = firstDelay;
  while (!signal.aborted) {
    const outcome = await readOnce(client, signal);
    if (signal.aborted || outcome === "refused") return;
    if (outcome === "worked") delay = firstDelay;
    connection.set((c) => (c.state === "lost" ? c : { state: "lost", since: Date.now() }));
    await pause(delay, signal);
    delay = Math.min(delay * 2, longestDelay);
  }
}

/** Reads one connection until it ends. */
async function readOnce(client: QueryClient, signal: AbortSignal): Promise<"worked" | "failed" | "refused"> {
  const connectionAbort = new AbortController();
  const stop = () => connectionAbort.abort(); // AbortSignal.any is newer than the oldest WebKit that we support
  signal.addEventListener("abort", stop);
  let timer = setTimeout(stop, silenceLimit);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, silenceLimit);
  };
  let worked = false;
  const { token } = session.get();
  try {
    const body = await dataOf(api.GET("/events", { signal: connectionAbort.signal, ...asEvents }));
    worked = true;
    session.accept(token);
    catchUp(client);
    for await (const event of readEvents(body, restartTimer)) dispatch(client, event);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return "refused";
    if (!isAbort(error) && !(error instanceof ApiError) && !(error instanceof TypeError)) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  return worked ? "worked" : "failed";
}

/** Reports whether fetched data is a generation, or a script of some, that still changes by itself. */
function isUnfinished(data: unknown): boolean {
  const { status, turns = [] } = parsed(withStatus, data) ?? {};
  return [{ status }, ...turns].some((part) => part.status !== undefined && !hasEnded(part.status));
}

/** Reports whether a query waits for its first answer. */
const isFirstAnswer = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus === "fetching";

/** Has queries answered again. A first answer that is under way is not requested anew, and may be older: it is followed by another. */
function invalidate(client: QueryClient, filters: QueryFilters): void {
  const first = new Set(client.getQueryCache().findAll(filters).filter(isFirstAnswer));
  const answered = client.invalidateQueries(filters);
  if (first.size > 0) void answered.then(() => client.invalidateQueries({ predicate: (query) => first.has(query) }));
}

/** Events are not repeated, so everything on the screen is refetched after a time without a stream. */
function catchUp(client: QueryClient): void {
  const first = connection.get().state === "connecting";
  connection.set({ state: "online", since: null });
  clearDownloads();
  startStream();
  // What ended before the first stream opened is not reported either.
  invalidate(client, first ? { predicate: (query) => isFirstAnswer(query) || isUnfinished(query.state.data) } : {});
  void seedGenerations();
  void seedTranscripts(client);
}

async function seedGenerations(): Promise<void> {
  const running = ["queued", "downloading_model", "loading_model", "generating"] as const;
  try {
    const pages = await Promise.all(
      running.map((status) => dataOf(api.GET("/history", { params: { query: { status, limit: 100 } } }))),
    );
    const states = pages
      .flatMap((page) => page.items)
      .map(({ id, status, progress, request = null }) => ({ id, status, progress, request }));
    for (const { id, status, request } of states) if (!request?.book_id) noteStatus("generation", id, status);
    setGenerations(states);
  } catch {
    // The stream reports every change from now on; the next connection tries again.
  }
}

/** Applies an event. Events of unknown names and of unexpected shapes are dropped. */
function dispatch(client: QueryClient, { name, data }: ServerEvent): void {
  const readAgain = (queryKey: readonly unknown[]) => invalidate(client, { queryKey });
  if (name === "generation") {
    const state = parsed(generationEvent, data);
    if (state) onGeneration(client, state);
  } else if (name === "model") {
    const progress = parsed(downloadEvent, data);
    if (!progress || isNewStatus(progress)) invalidateSoon(client, keys.models);
  } else if (name === "transcription") {
    const state = parsed(transcriptEvent, data);
    if (state) applyTranscript(client, state);
    invalidateSoon(client, keys.transcripts);
  } else if (name === "export") applyExportEvent(data);
  else if (name === "profile") readAgain(keys.profiles);
  else if (name === "draft") readAgain(keys.drafts);
  else if (name === "pronunciation") void dictionaryChanged(client);
  else if (name === "history") invalidateSoon(client, keys.history);
  else if (name === "script") readAgain(keys.scripts);
  else if (name === "speaker") refreshSpeakers(client);
  else if (name === "book") {
    const changed = parsed(bookEvent, data);
    if (changed) invalidateSoon(client, keys.book(changed.id));
    invalidateSoon(client, keys.bookList);
  } else if (name === "dictation") readAgain(keys.dictation);
  else if (name === "hosted") invalidateSoon(client, keys.hosted);
  else if (name === "settings") {
    readAgain(keys.settings);
    readAgain(keys.hosted); // whether the service is set up and reachable
    readAgain(keys.system); // offline mode
  }
}

const lastStatus = new Map<string, string>();

function onGeneration(client: QueryClient, state: LiveGeneration): void {
  applyGenerationEvent(state);
  if (!state.request?.book_id) noteStatus("generation", state.id, state.status); // the book reports its end
  invalidateSoon(client, keys.generation(state.id));
  const isNew = lastStatus.get(state.id) !== state.status;
  lastStatus.set(state.id, state.status);
  if (isNew || hasEnded(state.status)) invalidateSoon(client, keys.history);
  if (hasEnded(state.status)) {
    lastStatus.delete(state.id);
    invalidateSoon(client, keys.scripts);
  }
}

/** Stores the progress of a download, and reports whether more than its bytes changed. */
function isNewStatus(progress: DownloadEvent): boolean {
  applyDownloadEvent(progress);
  noteStatus("download", progress.model_name, progress.status);
  const before = lastStatus.get(progress.model_name);
  lastStatus.set(progress.model_name, progress.status);
  return before !== progress.status;
}

const planned = new Map<string, ReturnType<typeof setTimeout>>();

/** Invalidates a query at most four times a second: a running job sends eight events a second. */
function invalidateSoon(client: QueryClient, key: readonly unknown[]): void {
  const id = JSON.stringify(key);
  if (planned.has(id)) return;
  planned.set(
    id,
    setTimeout(() => {
      planned.delete(id);
      invalidate(client, { queryKey: key });
    }, 250),
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      retryNow.removeEventListener("now", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    retryNow.addEventListener("now", done);
    signal.addEventListener("abort", done);
  });
}
