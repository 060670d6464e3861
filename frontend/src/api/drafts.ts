import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { Draft } from "./types";

export type DraftContent = Record<string, unknown>;

export function useDrafts(limit = 50) {
  return useCursorList(keys.drafts, (cursor, signal) => api.get("/drafts", { query: { limit, ...(cursor ? { cursor } : {}) }, signal }));
}

export function useDraft(id: string | undefined) {
  return useQuery<Draft, ApiError>({
    queryKey: keys.draft(id ?? ""),
    queryFn: ({ signal }) => api.get("/drafts/{draft_id}", { path: { draft_id: id ?? "" }, signal }),
    enabled: id !== undefined,
  });
}

export function useCreateDraft() {
  const client = useQueryClient();
  return useMutation<Draft, ApiError, { name?: string; content: DraftContent }>({
    mutationFn: (body) => api.post("/drafts", { body }),
    onSuccess: (draft) => {
      client.setQueryData(keys.draft(draft.id), draft);
      void client.invalidateQueries({ queryKey: keys.drafts, exact: true });
    },
  });
}

/** Saves a draft; the list is read again, the draft itself is known already. */
export function useUpdateDraft() {
  const client = useQueryClient();
  return useMutation<Draft, ApiError, { id: string; name?: string; content?: DraftContent; keepalive?: boolean }>({
    mutationFn: ({ id, keepalive = false, ...body }) => api.put("/drafts/{draft_id}", { path: { draft_id: id }, body, keepalive }),
    onSuccess: (draft) => {
      client.setQueryData(keys.draft(draft.id), draft);
      void client.invalidateQueries({ queryKey: keys.drafts, exact: true });
    },
  });
}

export function useDeleteDraft() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => api.del("/drafts/{draft_id}", { path: { draft_id: id }, keepalive: true }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.drafts, exact: true }),
  });
}
