import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, saveGet, upload } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { NewPronunciation, PronunciationChanges } from "./types";
import type { components } from "./schema";

export type PronunciationImport = components["schemas"]["PronunciationImport"];

export function usePronunciations(filter: { search?: string; language?: string } = {}, limit = 100) {
  return useCursorList([...keys.pronunciations, filter], (cursor, signal) =>
    api.get("/pronunciations", { query: { ...filter, limit, ...(cursor ? { cursor } : {}) }, signal }),
  );
}

/** With a word, what will be spoken changes too. */
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
  return usePronunciationMutation((body: NewPronunciation) => api.post("/pronunciations", { body }));
}

export function useUpdatePronunciation() {
  return usePronunciationMutation(({ id, changes }: { id: string; changes: PronunciationChanges }) =>
    api.put("/pronunciations/{pronunciation_id}", { path: { pronunciation_id: id }, body: changes }),
  );
}

export function useDeletePronunciation() {
  return usePronunciationMutation((id: string) =>
    api.del("/pronunciations/{pronunciation_id}", { path: { pronunciation_id: id }, keepalive: true }),
  );
}

export function useImportPronunciations() {
  return usePronunciationMutation((file: File) =>
    upload<PronunciationImport>("/pronunciations/import", file, {
      type: file.name.endsWith(".json") ? "application/json" : "text/csv",
    }),
  );
}

export async function exportPronunciations(format: "csv" | "json", name: string): Promise<void> {
  await saveGet("/pronunciations/export", { query: { format } }, `${name}.${format}`);
}
