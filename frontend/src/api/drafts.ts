import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import { ApiError } from "./errors";
import { keys } from "./keys";
import type { Draft } from "./types";

export type DraftContent = Record<string, unknown>;
/** A draft in a list, without its content, which may be as long as a book. */
export type DraftRow = Draft;
/** A change of a draft. With `since` it applies only to the draft with that `updated_at`, so no text is overwritten. */
export interface DraftChange {
  id: string;
  name?: string;
  content?: DraftContent;
  since?: string | undefined;
  keepalive?: boolean;
}

/** Returns the view that a draft was saved in: a script names its kind, a text of the Studio has none. */
export const kindOf = (draft: Draft): string => (typeof draft.content.kind === "string" ? draft.content.kind : "text");

/** Reports whether another window saved the draft in the meantime. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "draft_changed";
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

const listPage = (limit: number, cursor?: string, signal?: AbortSignal) =>
  dataOf(api.GET("/drafts", { params: { query: { content: false, limit, ...(cursor ? { cursor } : {}) } }, signal }));
export const readDraft = (id: string, signal?: AbortSignal): Promise<Draft> =>
  dataOf(api.GET("/drafts/{draft_id}", { params: { path: { draft_id: id } }, signal }));

export function changeDraft({ id, since, keepalive = false, ...body }: DraftChange): Promise<Draft> {
  return dataOf(
    api.PUT("/drafts/{draft_id}", {
      params: { path: { draft_id: id } },
      body: { ...body, ...(since ? { if_updated_at: since } : {}) },
      keepalive,
    }),
  );
}

export function useDrafts(limit = 50) {
  return useCursorList<DraftRow>(keys.drafts, (cursor, signal) => listPage(limit, cursor, signal));
}

export function useDraftCount(): number {
  return (
    useQuery({
      queryKey: [...keys.drafts, "count"],
      queryFn: async ({ signal }) => (await listPage(1, undefined, signal)).total,
    }).data ?? 0
  );
}

/** Returns the most recently changed draft of this kind. */
export async function lastDraftOf(
  kind: string,
  options: { without?: readonly string[]; signal?: AbortSignal } = {},
): Promise<Draft | null> {
  const { items } = await listPage(100, undefined, options.signal);
  for (const row of items.filter((row) => kindOf(row) === kind && !options.without?.includes(row.id))) {
    const draft = await readDraft(row.id, options.signal).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (draft) return draft;
  }
  return null;
}

/** Returns the names of the newest drafts; none where they cannot be read. */
export async function draftNames(): Promise<string[]> {
  const { items } = await listPage(100).catch(() => ({ items: [] }));
  return items.map(({ name }) => name);
}

/** Stores a draft from the server in the query cache. */
export function storeDraft(client: QueryClient, draft: Draft): Draft {
  client.setQueryData(keys.draft(draft.id), draft);
  void client.invalidateQueries({ queryKey: keys.drafts, exact: true });
  return draft;
}

export function useDeleteDraft() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) =>
      dataOf(api.DELETE("/drafts/{draft_id}", { params: { path: { draft_id: id } }, keepalive: true })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.drafts, exact: true }),
  });
}

export interface NewDraft {
  name: string;
  content: DraftContent;
}
/** The requests to the server that a draft store needs. */
export interface DraftApi {
  create(body: NewDraft): Promise<Draft>;
  update(change: DraftChange & NewDraft): Promise<Draft>;
  read(id: string): Promise<Draft>;
}

export function draftApi(client: QueryClient): DraftApi {
  const stored = (draft: Draft) => storeDraft(client, draft);
  return {
    create: (body) => dataOf(api.POST("/drafts", { body })).then(stored),
    update: (change) => changeDraft(change).then(stored),
    read: (id) => readDraft(id).then(stored),
  };
}
