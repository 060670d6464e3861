import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import { saveFile } from "./download";
import { storeDraft } from "./drafts";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type {
  Draft,
  RerunRequest,
  SpeakersRequest,
  Transcript,
  TranscriptChanges,
  TranscriptRow,
  TranscriptionRequest,
} from "./types";

export const transcriptFormats = ["docx", "txt", "md", "srt", "vtt", "json", "rttm"] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

const known = new Set<string>();

/** Reports whether an id is that of a transcript this window has seen: its audio has other routes than a generation. */
export const isTranscript = (id: string): boolean => known.has(id);

function seen<T extends { id: string }>(transcript: T): T {
  known.add(transcript.id);
  return transcript;
}

/** Stores the newest state of a transcript in the query cache. */
export function storeTranscript(client: QueryClient, transcript: Transcript): Transcript {
  client.setQueryData(keys.transcript(transcript.id), seen(transcript));
  void client.invalidateQueries({ queryKey: ["transcripts", "list"] });
  return transcript;
}

/** The transcripts, newest first. */
export function useTranscripts(search: string, limit = 100) {
  return useCursorList<TranscriptRow>(keys.transcriptList({ search }), (cursor, signal) =>
    dataOf(
      api.GET("/transcriptions", {
        params: { query: { limit, ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) } },
        signal,
      }),
    ),
  );
}

export const readTranscript = async (id: string, signal?: AbortSignal): Promise<Transcript> =>
  seen(await dataOf(api.GET("/transcriptions/{transcript_id}", { params: { path: { transcript_id: id } }, signal })));

export function useTranscript(id: string) {
  return useQuery<Transcript, ApiError>({
    queryKey: keys.transcript(id),
    queryFn: ({ signal }) => readTranscript(id, signal),
  });
}

function useTranscriptMutation<V>(run: (variables: V) => Promise<Transcript>) {
  const client = useQueryClient();
  return useMutation<Transcript, ApiError, V>({
    mutationFn: run,
    onSuccess: (transcript) => storeTranscript(client, transcript),
  });
}

/** Transcribes a recording or a generation; files are sent by uploadForm. */
export const useCreateTranscript = () =>
  useTranscriptMutation((body: TranscriptionRequest & ({ generation_id: string } | { recording_id: string })) =>
    dataOf(api.POST("/transcriptions", { body, headers: { Prefer: "respond-async" } })),
  );

export const usePatchTranscript = () =>
  useTranscriptMutation(
    ({ id, changes, keepalive = false }: { id: string; changes: TranscriptChanges; keepalive?: boolean }) =>
      dataOf(
        api.PATCH("/transcriptions/{transcript_id}", {
          params: { path: { transcript_id: id } },
          body: changes,
          keepalive,
        }),
      ),
  );

/** Cuts a segment before one of its words, counted from 1. */
export const useSplitSegment = () =>
  useTranscriptMutation(({ id, segment, word }: { id: string; segment: number; word: number }) =>
    dataOf(
      api.POST("/transcriptions/{transcript_id}/segments/{segment_id}/split", {
        params: { path: { transcript_id: id, segment_id: segment } },
        body: { word },
      }),
    ),
  );

export const useUndoTranscript = () =>
  useTranscriptMutation((id: string) =>
    dataOf(api.POST("/transcriptions/{transcript_id}/undo", { params: { path: { transcript_id: id } } })),
  );

export const useCancelTranscript = () =>
  useTranscriptMutation((id: string) =>
    dataOf(api.POST("/transcriptions/{transcript_id}/cancel", { params: { path: { transcript_id: id } } })),
  );

/** A part of a transcript that is to be transcribed again; without one, all of it. */
export interface Rerun {
  id: string;
  part?: Omit<RerunRequest, "download">;
}

/** Transcribes a part again, or all of it. A model that is missing is an error and not downloaded. */
export const useRerunTranscript = () =>
  useTranscriptMutation(({ id, part }: Rerun) =>
    dataOf(
      api.POST("/transcriptions/{transcript_id}/rerun", {
        params: { path: { transcript_id: id } },
        headers: { Prefer: "respond-async" },
        body: { ...part, download: false },
      }),
    ),
  );

/** Makes drafts of a script: one, or more where it is too long. Speakers are cast by the ids of profiles. */
export function useMakeScript() {
  const client = useQueryClient();
  return useMutation<readonly Draft[], ApiError, { id: string; voices: Record<string, string> }>({
    mutationFn: async ({ id, voices }) =>
      (
        await dataOf(
          api.POST("/transcriptions/{transcript_id}/script", {
            params: { path: { transcript_id: id } },
            body: { voices },
          }),
        )
      ).items,
    onSuccess: (drafts) => drafts.forEach((draft) => storeDraft(client, draft)),
  });
}

/** Finds the speakers of a complete transcript by its audio, or removes those that were found. */
export const useFindSpeakers = () =>
  useTranscriptMutation(({ id, request }: { id: string; request: SpeakersRequest }) =>
    dataOf(
      api.POST("/transcriptions/{transcript_id}/speakers", {
        params: { path: { transcript_id: id } },
        headers: { Prefer: "respond-async" },
        body: request,
      }),
    ),
  );

/** Deletes permanently, with the audio. Screens hide the row at once and call this when the undo bar ends. */
export function useDeleteTranscript() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) =>
      dataOf(
        api.DELETE("/transcriptions/{transcript_id}", { params: { path: { transcript_id: id } }, keepalive: true }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ["transcripts", "list"] }),
  });
}

/** Saves a transcript as a file; documents with the time of each paragraph, or without. */
export async function exportTranscript(
  id: string,
  { format, times }: { format: TranscriptFormat; times: boolean },
  name: string,
): Promise<void> {
  const query = { format, ...(times ? {} : { times: "false" as const }) };
  const params = { path: { transcript_id: id }, query };
  await saveFile(`${name}.${format}`, (file) => api.GET("/transcriptions/{transcript_id}/export", { params, ...file }));
}
