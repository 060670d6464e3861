import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { NewPronunciation, PronunciationChanges } from "./types";
import { saveFile } from "./download";

export function usePronunciations(filter: { search?: string; language?: string } = {}, limit = 100) {
  return useCursorList([...keys.pronunciations, filter], (cursor, signal) =>
    dataOf(
      api.GET("/pronunciations", { params: { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } }, signal }),
    ),
  );
}

/** Invalidates the words and the previews of texts, because a word changes how a text is spoken. */
export function dictionaryChanged(client: QueryClient): Promise<unknown> {
  return Promise.all(
    [keys.pronunciations, keys.textPreviews].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
}

function usePronunciationMutation<V, R>(run: (variables: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation<R, ApiError, V>({
    mutationFn: run,
    onSettled: () => dictionaryChanged(client),
  });
}

export function useCreatePronunciation() {
  return usePronunciationMutation((body: NewPronunciation) => dataOf(api.POST("/pronunciations", { body })));
}

export function useUpdatePronunciation() {
  return usePronunciationMutation(({ id, changes }: { id: string; changes: PronunciationChanges }) =>
    dataOf(
      api.PUT("/pronunciations/{pronunciation_id}", { params: { path: { pronunciation_id: id } }, body: changes }),
    ),
  );
}

export function useDeletePronunciation() {
  return usePronunciationMutation((id: string) =>
    dataOf(
      api.DELETE("/pronunciations/{pronunciation_id}", { params: { path: { pronunciation_id: id } }, keepalive: true }),
    ),
  );
}

export function useImportPronunciations() {
  return usePronunciationMutation((file: File) =>
    dataOf(
      api.POST("/pronunciations/import", {
        body: file,
        bodySerializer: () => file, // the bytes unchanged
        headers: { "Content-Type": file.name.endsWith(".json") ? "application/json" : "text/csv" },
      }),
    ),
  );
}

export async function exportPronunciations(format: "csv" | "json", name: string): Promise<void> {
  await saveFile(`${name}.${format}`, (file) =>
    api.GET("/pronunciations/export", { params: { query: { format } }, ...file }),
  );
}
