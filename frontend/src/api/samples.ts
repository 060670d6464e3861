import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, asFile, asForm, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { ConsentKind, Sample, SampleCheck, Similarity } from "./types";

/** A recording of a voice: a file of this machine, or what the microphone recorded. */
export type Sound = { kind: "file"; file: File } | { kind: "recording"; id: string; seconds: number };

/** The seconds of a recording that are used. */
export interface Part {
  from: number;
  to: number;
}

interface SampleFields {
  sound: Sound;
  part?: Part | undefined;
  transcript?: string;
  /** Lets an installed model write a missing transcript. */
  transcribe?: boolean;
}

/** Lengths of a sample, in seconds. */
export const shortestSample = 3;
export const longestSample = 60;

function fieldsOf({ sound, part, transcript = "", transcribe = false }: SampleFields) {
  return {
    ...(part ? { from: part.from, to: part.to } : {}),
    ...(transcript.trim() ? { transcript: transcript.trim() } : {}),
    ...(transcribe ? { transcribe } : {}),
    ...(sound.kind === "file" ? { file: sound.file } : { recording_id: sound.id }),
  };
}

/** A file is sent as a form, a recording of the server by its id. */
const encoding = ({ sound }: SampleFields) => (sound.kind === "file" ? { bodySerializer: asForm } : {});

/** Says what a recording is like as a sample, without storing it. */
export function checkSample(fields: SampleFields, signal: AbortSignal): Promise<SampleCheck> {
  return dataOf(api.POST("/samples/check", { body: fieldsOf(fields), ...encoding(fields), signal }));
}

export function addSample(profileId: string, consent: ConsentKind, fields: SampleFields): Promise<Sample> {
  return dataOf(
    api.POST("/profiles/{profile_id}/samples", {
      params: { path: { profile_id: profileId } },
      body: { consent, ...fieldsOf(fields) },
      ...encoding(fields),
    }),
  );
}

/** The samples of a voice, in the order in which they are joined. */
export function useSamples(profileId: string, enabled: boolean) {
  return useQuery<readonly Sample[], ApiError>({
    queryKey: keys.samples(profileId),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET("/profiles/{profile_id}/samples", { params: { path: { profile_id: profileId } }, signal })))
        .items,
    enabled,
  });
}

/** Reads a voice again after a change of its samples, which may make it usable. */
export const refreshVoice = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: keys.profiles });

const pathOf = (profileId: string, sampleId: string) => ({ path: { profile_id: profileId, sample_id: sampleId } });

/** Deletes permanently; call it when the undo bar ends. */
export function useDeleteSample(profileId: string) {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) =>
      dataOf(
        api.DELETE("/profiles/{profile_id}/samples/{sample_id}", { params: pathOf(profileId, id), keepalive: true }),
      ),
    onSettled: () => refreshVoice(client),
  });
}

export function usePatchSample(profileId: string) {
  const client = useQueryClient();
  return useMutation<Sample, ApiError, { id: string; transcript: string }>({
    mutationFn: ({ id, transcript }) =>
      dataOf(
        api.PATCH("/profiles/{profile_id}/samples/{sample_id}", {
          params: pathOf(profileId, id),
          body: { transcript },
        }),
      ),
    onSuccess: () => refreshVoice(client),
  });
}

export function fetchSample(profileId: string, sampleId: string, signal?: AbortSignal): Promise<Blob> {
  return dataOf(
    api.GET("/profiles/{profile_id}/samples/{sample_id}/audio", {
      params: pathOf(profileId, sampleId),
      signal: signal ?? null,
      ...asFile,
    }),
  );
}

/** Lets the voice speak, listens to it, and compares it with its samples. Downloads nothing. */
export function useSimilarity() {
  return useMutation<Similarity, ApiError, string>({
    mutationFn: (profileId) =>
      dataOf(api.POST("/profiles/{profile_id}/similarity", { params: { path: { profile_id: profileId } }, body: {} })),
  });
}
