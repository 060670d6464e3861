import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, saveGet, savePost } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { storeGeneration } from "./generations";
import { keys } from "./keys";
import type { Generation, GenerationChanges, HistoryStats, Storage } from "./types";
import type { operations } from "./schema";

export type HistoryFilter = Omit<NonNullable<operations["history"]["parameters"]["query"]>, "cursor" | "limit">;
export type ExportFormat = "wav" | "flac" | "mp3" | "opus" | "m4a" | "srt" | "vtt";

/** What was generated, newest first unless the filter says otherwise. */
export function useHistory(filter: HistoryFilter = {}, limit = 50) {
  return useCursorList(keys.historyList(filter), (cursor, signal) =>
    api.get("/history", { query: { ...filter, limit, ...(cursor ? { cursor } : {}) }, signal }),
  );
}

export function useHistoryStats() {
  return useQuery<HistoryStats, ApiError>({
    queryKey: keys.historyStats,
    queryFn: ({ signal }) => api.get("/history/stats", { signal }),
  });
}

export function useHistoryStorage() {
  return useQuery<Storage, ApiError>({
    queryKey: keys.historyStorage,
    queryFn: ({ signal }) => api.get("/history/storage", { signal }),
  });
}

/** The shape of the sound: n pairs of the lowest and the highest sample. */
export function usePeaks(generation: Pick<Generation, "id" | "status" | "duration" | "chunks"> | undefined, n = 400) {
  const takes = generation?.chunks.map((chunk) => chunk.take).join(",") ?? "";
  return useQuery({
    queryKey: keys.peaks(generation?.id ?? "", `${generation?.duration ?? 0}:${takes}`, n),
    queryFn: ({ signal }) =>
      api.get("/history/{generation_id}/peaks", {
        path: { generation_id: generation?.id ?? "" },
        query: { n },
        signal,
      }),
    enabled: generation?.status === "complete",
    staleTime: Infinity, // another take has another key
  });
}

export function usePatchGeneration() {
  const client = useQueryClient();
  return useMutation<Generation, ApiError, { id: string; changes: GenerationChanges }>({
    mutationFn: ({ id, changes }) =>
      api.patch("/history/{generation_id}", { path: { generation_id: id }, body: changes }),
    onSuccess: (generation) => storeGeneration(client, generation),
  });
}

/** Deletes for good. Screens hide the rows at once and call this when the undo bar ends. */
export function useDeleteGenerations() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string[]>({
    mutationFn: (ids) => api.post("/history/delete", { body: { ids }, keepalive: true }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.history }),
  });
}

const mostIds = 1000; // in one request

/** Marks many as favourites, or not. */
export function useFavoriteGenerations() {
  return useMutation<unknown, ApiError, { ids: string[]; favorite: boolean }>({
    mutationFn: async ({ ids, favorite }) => {
      for (let i = 0; i < ids.length; i += mostIds)
        await api.post("/history/favorite", { body: { ids: ids.slice(i, i + mostIds), favorite } });
    },
  });
}

/** Saves one generation in a format, as sound or as subtitles. */
export async function exportGeneration(
  id: string,
  format: ExportFormat,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  const save = window.go?.desktop?.Bridge?.SaveAudio;
  if (save) return void (await save(id, format)); // there the ending that is typed chooses the format
  await saveGet(
    "/history/{generation_id}/export",
    { path: { generation_id: id }, query: { format }, signal },
    `${name}.${format}`,
  );
}

/** Saves many generations as one zip. */
export async function exportGenerations(
  ids: string[],
  format: ExportFormat,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  await savePost("/history/export", { body: { ids, format }, signal }, `${name}.zip`);
}

/** Saves the list itself. */
export async function exportIndex(filter: HistoryFilter, format: "csv" | "json", name: string): Promise<void> {
  await saveGet("/history/export", { query: { ...filter, format } }, `${name}.${format}`);
}
