import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { createStore, useStore } from "@/lib/store";
import { api, asEvents, dataOf } from "./client";
import { noteStatus } from "./ends";
import { parsed, transcriptState, type TranscriptEvent } from "./eventSchemas";
import { readEvents } from "./eventStream";
import { keys } from "./keys";
import {
  hasEnded,
  type FindingSpeakers,
  type Segment,
  type Transcript,
  type TranscriptRow,
  type TranscriptStatus,
} from "./types";

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

/** How far the speakers of transcripts are found; null once that has ended, as responses may be older. */
const finding = createStore<ReadonlyMap<string, FindingSpeakers | null>>(new Map());

function setFinding(id: string, state: FindingSpeakers | null): void {
  if (state === null && !finding.get().has(id)) return;
  finding.set((before) => new Map(before).set(id, state));
}

/** Forgets a search whose end may have been missed. */
function forgetFinding(id: string): void {
  if (!finding.get().get(id)) return;
  finding.set((before) => new Map([...before].filter(([other]) => other !== id)));
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
    if (!state) continue;
    setFinding(id, state.finding_speakers ?? null);
    if (hasEnded(state.status)) continue; // its text is complete, and the messages have none of it
    setRunning({ id, status: state.status, progress: state.progress });
    client.setQueryData<Transcript>(keys.transcript(id), (before) =>
      before
        ? { ...before, ...state, finding_speakers: null, segments: withNewest(before.segments, state.segments) }
        : before,
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
    forgetFinding(id); // the stream of the window reports the end too
  } finally {
    followed.delete(id);
    await client.invalidateQueries({ queryKey: keys.transcripts });
  }
}

/** Applies a state that the server reported. Waiting transcripts are not followed: each would hold a connection. */
export function applyTranscript(client: QueryClient, { id, status, finding_speakers }: TranscriptEvent): void {
  if (!status) return;
  noteStatus("transcript", id, status);
  const before = running.get().get(id);
  setRunning({ id, status, progress: before?.progress ?? 0 });
  setFinding(id, finding_speakers ?? null);
  if (hasEnded(status) && !finding_speakers) followed.get(id)?.abort();
  else if ((finding_speakers?.status ?? status) !== "queued") void follow(client, id);
}

const newestTranscripts = 20; // among which those are whose speakers are being found; older ones show it in the list

/** Looks up which transcripts are running, after the stream of the window has opened. */
export async function seedTranscripts(client: QueryClient): Promise<void> {
  const statuses = ["queued", "downloading_model", "loading_model", "transcribing"] as const;
  try {
    const pages = await Promise.all(
      statuses.map((status) => dataOf(api.GET("/transcriptions", { params: { query: { status, limit: 100 } } }))),
    );
    running.set(new Map());
    finding.set(new Map());
    for (const { id, status } of pages.flatMap((page) => page.items)) applyTranscript(client, { id, status });
    const newest = await dataOf(
      api.GET("/transcriptions", { params: { query: { status: "complete", limit: newestTranscripts } } }),
    );
    for (const row of newest.items.filter(({ finding_speakers }) => finding_speakers)) applyTranscript(client, row);
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

/** The transcripts whose speakers are being found, oldest first. */
export function useLiveFinding(): (FindingSpeakers & { id: string })[] {
  const map = useStore(finding);
  return [...map].flatMap(([id, state]) => (state ? [{ id, ...state }] : [])).sort((a, b) => a.id.localeCompare(b.id));
}

/** Returns how far the speakers of a transcript are found, and follows that; null while they are not being found. */
export function useFindingSpeakers({ id, finding_speakers: stored }: Finding): FindingSpeakers | null {
  const client = useQueryClient();
  const live = useStore(finding).get(id);
  const isUnknown = live === undefined && stored !== null && stored.status !== "queued";
  useEffect(() => {
    if (isUnknown) void follow(client, id);
  }, [client, id, isUnknown]);
  return live === undefined ? stored : live;
}

type Finding = Pick<Transcript | TranscriptRow, "id" | "finding_speakers">;
