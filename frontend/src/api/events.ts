import type { QueryClient } from "@tanstack/react-query";
import { createParser } from "eventsource-parser";
import { createStore, useStore } from "@/lib/store";
import { api, send } from "./client";
import { ApiError, isAbort } from "./errors";
import { keys } from "./keys";
import { dictionaryChanged } from "./pronunciations";
import {
  clearDownloads,
  noteDownload,
  noteGeneration,
  setGenerations,
  startHearing,
  type LiveDownload,
  type LiveGeneration,
} from "./live";
import { session } from "./session";
import { hasEnded } from "./types";

export interface Connection {
  state: "connecting" | "online" | "lost";
  /** When the connection was lost, in milliseconds; null while it is there. */
  since: number | null;
}

const connection = createStore<Connection>({ state: "connecting", since: null });
const silence = 40_000; // the server sends a comment every 15 s
const firstWait = 500;
const longestWait = 5_000; // it is on this machine, and asking costs nothing

const wish = new EventTarget();

/** Asks for the connection again now instead of after the wait. */
export function reconnect(): void {
  wish.dispatchEvent(new Event("now"));
}

export function useConnection(): Connection {
  return useStore(connection);
}

/** Reads the one event stream of this window until the signal ends it, and tells the query cache what to look at again. */
export async function followEvents(client: QueryClient, signal: AbortSignal): Promise<void> {
  let wait = firstWait;
  while (!signal.aborted) {
    const opened = await readOnce(client, signal);
    if (signal.aborted || opened === "refused") return;
    if (opened === "worked") wait = firstWait;
    connection.set((c) => (c.state === "lost" ? c : { state: "lost", since: Date.now() }));
    await pause(wait, signal);
    wait = Math.min(wait * 2, longestWait);
  }
}

/** readOnce follows one connection to its end. */
async function readOnce(client: QueryClient, signal: AbortSignal): Promise<"worked" | "failed" | "refused"> {
  const quiet = new AbortController();
  const stop = () => quiet.abort(); // AbortSignal.any is younger than the oldest WebKit that we run on
  signal.addEventListener("abort", stop);
  let timer = setTimeout(() => quiet.abort(), silence);
  let worked = false;
  const { token } = session.get();
  try {
    const answer = await send("GET", "/events", {
      headers: { Accept: "text/event-stream" },
      signal: quiet.signal,
    });
    worked = true;
    session.accept(token);
    catchUp(client);
    const parser = createParser({ onEvent: (event) => dispatch(client, event.event ?? "", event.data) });
    const reader = answer.body
      ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .getReader();
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) break;
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), silence);
      parser.feed(part.value);
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return "refused";
    if (!isAbort(error) && !(error instanceof ApiError) && !(error instanceof TypeError)) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  return worked ? "worked" : "failed";
}

/** What happened while no stream was open is not told again, so everything on the screen is looked at once more. */
function catchUp(client: QueryClient): void {
  const first = connection.get().state === "connecting";
  connection.set({ state: "online", since: null });
  clearDownloads();
  startHearing();
  if (!first) void client.invalidateQueries();
  void seedGenerations();
}

async function seedGenerations(): Promise<void> {
  const running = ["queued", "downloading_model", "loading_model", "generating"] as const;
  try {
    const pages = await Promise.all(running.map((status) => api.get("/history", { query: { status, limit: 100 } })));
    setGenerations(pages.flatMap((page) => page.items).map(({ id, status, progress }) => ({ id, status, progress })));
  } catch {
    // The stream tells of every change from now on; the next connection tries again.
  }
}

function dispatch(client: QueryClient, name: string, text: string): void {
  const data = parse(text);
  if (name === "generation") onGeneration(client, data as unknown as LiveGeneration);
  else if (name === "model") onModel(client, data);
  else if (name === "profile") void client.invalidateQueries({ queryKey: keys.profiles });
  else if (name === "draft") void client.invalidateQueries({ queryKey: keys.drafts });
  else if (name === "pronunciation") void dictionaryChanged(client);
  else if (name === "history") lookAgain(client, keys.history);
  else if (name === "script") void client.invalidateQueries({ queryKey: keys.scripts });
  else if (name === "settings") {
    void client.invalidateQueries({ queryKey: keys.settings });
    void client.invalidateQueries({ queryKey: keys.system }); // offline mode
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const seenStatus = new Map<string, string>();

function onGeneration(client: QueryClient, state: LiveGeneration): void {
  noteGeneration(state);
  lookAgain(client, keys.generation(state.id));
  const isNew = seenStatus.get(state.id) !== state.status;
  seenStatus.set(state.id, state.status);
  if (isNew || hasEnded(state.status)) lookAgain(client, keys.history);
  if (hasEnded(state.status)) {
    seenStatus.delete(state.id);
    lookAgain(client, keys.scripts);
  }
}

function onModel(client: QueryClient, data: Record<string, unknown>): void {
  const name = String(data.model_name);
  if (typeof data.status === "string") {
    noteDownload(data as unknown as LiveDownload);
    const same = seenStatus.get(name) === data.status;
    seenStatus.set(name, data.status);
    if (same) return; // only the bytes went on, and those are in the store
  }
  lookAgain(client, keys.models);
}

const planned = new Map<string, ReturnType<typeof setTimeout>>();

/** Many events in a row make one look: a row that changes eight times a second is read four times. */
function lookAgain(client: QueryClient, key: readonly unknown[]): void {
  const id = JSON.stringify(key);
  if (planned.has(id)) return;
  planned.set(
    id,
    setTimeout(() => {
      planned.delete(id);
      void client.invalidateQueries({ queryKey: key });
    }, 250),
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      wish.removeEventListener("now", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    wish.addEventListener("now", done);
    signal.addEventListener("abort", done);
  });
}
