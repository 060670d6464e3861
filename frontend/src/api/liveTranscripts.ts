import type { QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "@/lib/store";
import { api, asEvents, dataOf } from "./client";
import { noteStatus } from "./ends";
import { parsed, transcriptState, type TranscriptEvent } from "./eventSchemas";
import { readEvents } from "./eventStream";
import { keys } from "./keys";
import { hasEnded, type Segment, type Transcript, type TranscriptStatus } from "./types";

/** The state of a running transcript. */
export interface LiveTranscript {
  id: string;
  status: TranscriptStatus;
  progress: number;
}

const running = createStore<ReadonlyMap<string, LiveTranscript>>(new Map());
const followed = new Map<string, AbortController>();

function setRunning(state: LiveTranscript): void {
  running.set((before) => {
    const next = new Map(before);
    if (hasEnded(state.status)) next.delete(state.id);
    else next.set(state.id, state);
    return next;
  });
}

/** Returns the segments of a running transcript with those of a progress message, which has only the newest ones. */
export function withNewest(before: readonly Segment[], newest: readonly Segment[]): Segment[] {
  const ids = new Set(newest.map(({ id }) => id));
  return [...before.filter(({ id }) => !ids.has(id)), ...newest].sort((a, b) => a.start - b.start || a.id - b.id);
}

/** Reads the progress messages of a transcript into the query cache until it ends. */
async function read(client: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  const params = { path: { transcript_id: id } };
  const body = await dataOf(api.GET("/transcriptions/{transcript_id}/events", { params, signal, ...asEvents }));
  for await (const { data } of readEvents(body)) {
    const state = parsed(transcriptState, data);
    if (!state || hasEnded(state.status)) continue;
    setRunning({ id, status: state.status, progress: state.progress });
    client.setQueryData<Transcript>(keys.transcript(id), (before) =>
      before ? { ...before, ...state, segments: withNewest(before.segments, state.segments) } : before,
    );
  }
}

/** Follows one transcript: its own stream has the text and the progress, which the stream of the window does not have. */
async function follow(client: QueryClient, id: string): Promise<void> {
  if (followed.has(id)) return;
  const abort = new AbortController();
  followed.set(id, abort);
  try {
    await read(client, id, abort.signal);
  } catch {
    // The stream of the window reports the end too.
  } finally {
    followed.delete(id);
    await client.invalidateQueries({ queryKey: keys.transcripts });
  }
}

/** Applies a state that the server reported. Waiting transcripts are not followed: each would hold a connection. */
export function applyTranscript(client: QueryClient, { id, status }: TranscriptEvent): void {
  if (!status) return;
  noteStatus("transcript", id, status);
  const before = running.get().get(id);
  setRunning({ id, status, progress: before?.progress ?? 0 });
  if (hasEnded(status)) followed.get(id)?.abort();
  else if (status !== "queued") void follow(client, id);
}

/** Looks up which transcripts are running, after the stream of the window has opened. */
export async function seedTranscripts(client: QueryClient): Promise<void> {
  const statuses = ["queued", "downloading_model", "loading_model", "transcribing"] as const;
  try {
    const pages = await Promise.all(
      statuses.map((status) => dataOf(api.GET("/transcriptions", { params: { query: { status, limit: 100 } } }))),
    );
    running.set(new Map());
    for (const { id, status } of pages.flatMap((page) => page.items)) applyTranscript(client, { id, status });
  } catch {
    // The stream reports every change from now on; the next connection tries again.
  }
}

/** All queued and running transcripts, oldest first. */
export function useLiveTranscripts(): LiveTranscript[] {
  const map = useStore(running);
  return [...map.values()].sort((a, b) => a.id.localeCompare(b.id));
}

export function useLiveTranscript(id: string): LiveTranscript | undefined {
  return useStore(running).get(id);
}
