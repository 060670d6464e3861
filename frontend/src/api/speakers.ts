import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { KnownSpeaker, NewKnownSpeaker } from "./types";

/** The people whose voices are recognised in later transcripts. */
export function useKnownSpeakers() {
  return useQuery<readonly KnownSpeaker[], ApiError>({
    queryKey: keys.speakers,
    queryFn: async ({ signal }) => (await dataOf(api.GET("/speakers", { signal }))).items,
  });
}

/** Reads the known speakers again, and the open transcripts, whose suggestions come from them. */
export function refreshSpeakers(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: keys.speakers });
  void client.invalidateQueries({ queryKey: keys.openTranscripts });
}

/** Stores a voice print of a speaker of a transcript; a name that is known improves that one. */
export function useRememberSpeaker() {
  const client = useQueryClient();
  return useMutation<KnownSpeaker, ApiError, { body: NewKnownSpeaker; signal: AbortSignal }>({
    mutationFn: ({ body, signal }) => dataOf(api.POST("/speakers", { body, signal })),
    onSuccess: () => refreshSpeakers(client),
  });
}

const pathOf = (id: string) => ({ path: { speaker_id: id } });

export function useRenameKnownSpeaker() {
  const client = useQueryClient();
  return useMutation<KnownSpeaker, ApiError, { id: string; name: string }>({
    mutationFn: ({ id, name }) => dataOf(api.PATCH("/speakers/{speaker_id}", { params: pathOf(id), body: { name } })),
    onSuccess: () => refreshSpeakers(client),
  });
}

/** Deletes a voice print permanently; call it when the undo bar ends. */
export function useForgetSpeaker() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => dataOf(api.DELETE("/speakers/{speaker_id}", { params: pathOf(id), keepalive: true })),
    onSettled: () => refreshSpeakers(client),
  });
}
