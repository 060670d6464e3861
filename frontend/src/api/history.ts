import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import type { ExportFormat, SoundOptions } from "./formats";
import { storeGeneration } from "./generations";
import { keys } from "./keys";
import type { Generation, GenerationChanges, HistoryStats, Storage, Take } from "./types";
import { saveFile } from "./download";
import { trackExport } from "./exports";
import type { paths } from "./schema";

export type HistoryFilter = Omit<NonNullable<paths["/history"]["get"]["parameters"]["query"]>, "cursor" | "limit">;

/** The generations, newest first unless the filter says otherwise. */
export function useHistory(filter: HistoryFilter = {}, limit = 50) {
  return useCursorList(keys.historyList(filter), (cursor, signal) =>
    dataOf(api.GET("/history", { params: { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } }, signal })),
  );
}

export function useHistoryStats() {
  return useQuery<HistoryStats, ApiError>({
    queryKey: keys.historyStats,
    queryFn: ({ signal }) => dataOf(api.GET("/history/stats", { signal })),
  });
}

export function useHistoryStorage() {
  return useQuery<Storage, ApiError>({
    queryKey: keys.historyStorage,
    queryFn: ({ signal }) => dataOf(api.GET("/history/storage", { signal })),
  });
}

/** Identifies the audio of a generation, a script or a transcript among its versions. */
export function madeOf({
  audio_path,
  duration,
  chunks,
}: Pick<Generation, "audio_path" | "duration" | "chunks">): string {
  return `${audio_path}:${duration}:${chunks.map((chunk) => chunk.take).join(",")}`;
}

/** The waveform: n pairs of the lowest and the highest sample. */
export function usePeaks(
  generation: Pick<Generation, "id" | "status" | "duration" | "chunks" | "audio_path"> | undefined,
  n = 400,
) {
  return useQuery({
    queryKey: keys.peaks(generation?.id ?? "", generation ? madeOf(generation) : "", n),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/history/{generation_id}/peaks", {
          params: { path: { generation_id: generation?.id ?? "" }, query: { n } },
          signal,
        }),
      ),
    enabled: generation?.status === "complete",
    staleTime: Infinity, // another take and another text have another key
  });
}

/** The takes of a chunk, with peaks for their waveforms. */
export function useTakes({ id, audio_path, chunks }: Pick<Generation, "id" | "audio_path" | "chunks">, chunk: number) {
  const { take = 0, takes = 1 } = chunks[chunk] ?? {};
  return useQuery<Take[], ApiError>({
    queryKey: keys.takes(id, [audio_path, chunk, takes, take].join(":")),
    queryFn: async ({ signal }) => {
      const path = { generation_id: id, n: chunk };
      const all = await dataOf(api.GET("/history/{generation_id}/chunks/{n}/takes", { params: { path }, signal }));
      return all.items;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

export function usePatchGeneration() {
  const client = useQueryClient();
  return useMutation<Generation, ApiError, { id: string; changes: GenerationChanges }>({
    mutationFn: ({ id, changes }) =>
      dataOf(api.PATCH("/history/{generation_id}", { params: { path: { generation_id: id } }, body: changes })),
    onSuccess: (generation, { changes }) => {
      storeGeneration(client, generation);
      return changes.chunks && client.invalidateQueries({ queryKey: keys.scripts });
    },
  });
}

/** Deletes permanently. Screens hide the rows at once and call this when the undo bar ends. */
export function useDeleteGenerations() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string[]>({
    mutationFn: (ids) => dataOf(api.POST("/history/delete", { body: { ids }, keepalive: true })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.history }),
  });
}

/**
 * Lets a transcription model listen to finished generations; `verifying` is set until it has heard them. A model that is
 * missing is an error and not downloaded.
 */
export function useVerifyGenerations() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string[]>({
    mutationFn: (ids) => dataOf(api.POST("/history/verify", { body: { ids, download: false } })),
    onSuccess: (_result, ids) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.history }),
        ...ids.map((id) => client.invalidateQueries({ queryKey: keys.generation(id) })),
      ]),
  });
}

const mostIds = 1000; // per request

/** Marks many as favourites or removes the mark. */
export function useFavoriteGenerations() {
  return useMutation<unknown, ApiError, { ids: string[]; favorite: boolean }>({
    mutationFn: async ({ ids, favorite }) => {
      for (let i = 0; i < ids.length; i += mostIds)
        await dataOf(api.POST("/history/favorite", { body: { ids: ids.slice(i, i + mostIds), favorite } }));
    },
  });
}

/** Saves one generation in a format, as audio or as subtitles. */
export async function exportGeneration(
  id: string,
  { format, ...options }: SoundOptions & { format: ExportFormat },
  name: string,
): Promise<void> {
  const save = window.go?.desktop?.Bridge?.SaveAudio;
  await trackExport(name, async (export_id, signal) => {
    // There the extension that the person types determines the format.
    if (save && Object.keys(options).length === 0) return void (await save(id, format, export_id));
    const params = { path: { generation_id: id }, query: { format, export_id, ...options } };
    await saveFile(`${name}.${format}`, (file) =>
      api.GET("/history/{generation_id}/export", { params, signal, ...file }),
    );
  });
}

/** Saves many generations as one zip. */
export async function exportGenerations(
  ids: string[],
  request: SoundOptions & { format: ExportFormat },
  name: string,
  outer?: AbortSignal,
  names: string[] = [],
): Promise<void> {
  await trackExport(
    name,
    async (export_id, signal) => {
      const body = { ids, export_id, ...request, ...(names.length > 0 ? { names } : {}) };
      await saveFile(`${name}.zip`, (file) => api.POST("/history/export", { body, signal, ...file }));
    },
    outer,
  );
}

/** Saves the list itself. */
export async function exportIndex(filter: HistoryFilter, format: "csv" | "json", name: string): Promise<void> {
  const params = { query: { ...filter, format } };
  await saveFile(`${name}.${format}`, (file) => api.GET("/history/export", { params, ...file }));
}
