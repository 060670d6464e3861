import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { useCursorList } from "./cursor";
import { ApiError } from "./errors";
import { keys } from "./keys";
import type { Draft } from "./types";

export type DraftContent = Record<string, unknown>;
/** A draft in a list, which leaves the long fields of the content out: those may be a whole book. */
export type DraftRow = Draft;
/** What is to be changed; with `since` only the draft of that `updated_at`, so that no other window's words are lost. */
export interface DraftChange {
  id: string;
  name?: string;
  content?: DraftContent;
  since?: string | undefined;
  keepalive?: boolean;
}

/** Which screen a draft belongs to: scripts say so, the texts of Studio say nothing. It never changes. */
export const kindOf = (draft: Draft): string => (typeof draft.content.kind === "string" ? draft.content.kind : "text");

/** Another window saved this draft meanwhile. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "draft_changed";
export const isGone = (error: unknown): boolean =>
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

/** The draft of this kind that was changed last. */
export async function lastDraftOf(
  kind: string,
  options: { without?: readonly string[]; signal?: AbortSignal } = {},
): Promise<Draft | null> {
  const { items } = await listPage(100, undefined, options.signal);
  for (const row of items.filter((row) => kindOf(row) === kind && !options.without?.includes(row.id))) {
    const draft = await readDraft(row.id, options.signal).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (draft) return draft;
  }
  return null;
}

/** Puts a draft, as the server has it now, where screens read it. */
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
/** How a screen that keeps a draft by itself reaches the server. */
export interface DraftDoor {
  create(body: NewDraft): Promise<Draft>;
  update(change: DraftChange & NewDraft): Promise<Draft>;
  read(id: string): Promise<Draft>;
}

export function draftDoor(client: QueryClient): DraftDoor {
  const stored = (draft: Draft) => storeDraft(client, draft);
  return {
    create: (body) => dataOf(api.POST("/drafts", { body })).then(stored),
    update: (change) => changeDraft(change).then(stored),
    read: (id) => readDraft(id).then(stored),
  };
}

/** Two windows wrote on one draft: `id` has the words of the other one, `copyId` those of this one. */
export interface Parted {
  id: string;
  name: string;
  copyId: string;
  copyName: string;
}
interface Saved {
  draft: Draft;
  parted: Parted | null;
}
interface SaveOptions {
  /** Whether what is stored by now has nothing that this window does not know. */
  isKnown(stored: Draft): boolean;
  /** What to keep beside it where it has. */
  copy(): NewDraft;
}

/** Saves over the draft that was read. Where another window saved other words meanwhile, these become a draft of their own. */
export async function saveDraft(
  door: DraftDoor,
  change: Partial<Pick<DraftChange, "id">> & Omit<DraftChange, "id"> & NewDraft,
  options: SaveOptions,
): Promise<Saved> {
  const { id, name, content } = change;
  const alone = (draft: Draft): Saved => ({ draft, parted: null });
  if (!id) return alone(await door.create({ name, content }));
  try {
    return alone(await door.update({ ...change, id }));
  } catch (error) {
    if (isGone(error)) return alone(await door.create({ name, content })); // deleted elsewhere, still written on here
    if (!isChangedElsewhere(error)) throw error;
  }
  const stored = await door.read(id);
  if (options.isKnown(stored)) return alone(await door.update({ ...change, id, since: stored.updated_at }));
  const draft = await door.create(options.copy());
  return { draft, parted: { id, name: stored.name, copyId: draft.id, copyName: draft.name } };
}

/** Whether two contents say the same; the server gives the fields in an order of its own. */
export function sameContent(a: DraftContent, b: DraftContent): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

/**
 * What a window could not save. `since` is the `updated_at` of the draft that it was written on; `slot` tells texts that
 * are no draft yet from each other.
 */
export interface Rescue extends NewDraft {
  id: string | undefined;
  since: string | undefined;
  slot: string;
}
type Place = Pick<Rescue, "id" | "slot">;

export const newSlot = (): string => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

/** Keeps in this browser what could not be saved, each text in a place of its own, so that none takes the place of another. */
export function rescues(prefix: string) {
  const keyOf = ({ id, slot }: Place) => `${prefix}.${id ?? `new-${slot}`}`;
  /** Local storage may be full or forbidden; the program has the draft all the same, some seconds older. */
  function attempt<T>(run: () => T, otherwise: T): T {
    try {
      return run();
    } catch {
      return otherwise;
    }
  }
  return {
    keep: (rescue: Rescue): void =>
      attempt(() => localStorage.setItem(keyOf(rescue), JSON.stringify(rescue)), undefined),
    drop: (place: Place): void => attempt(() => localStorage.removeItem(keyOf(place)), undefined),
    all: (): Rescue[] =>
      attempt(() => Object.keys(localStorage), [])
        .filter((key) => key.startsWith(`${prefix}.`))
        .flatMap((key) => attempt(() => JSON.parse(localStorage.getItem(key) ?? "null") as Rescue | null, null) ?? []),
  };
}
