import { api, asEvents, asForm, dataOf } from "./client";
import { failureOf, toApiError } from "./errors";
import { readEvents } from "./eventStream";
import { acceptedPrice } from "./generations";
import { expectAgain } from "./live";
import type { components } from "./schema";
import { hasEnded, type GenerateRequest, type Generation } from "./types";

export type ListRow = components["schemas"]["Row"];

/** Reads a list of texts; a row that cannot be spoken has a problem. */
export const parseList = (file: File) => dataOf(api.POST("/batch/parse", { body: { file }, bodySerializer: asForm }));

const pageSize = 500; // the most that the history returns

/** Submits a text and returns its generation before it is complete. */
export const submitText = (body: GenerateRequest): Promise<Generation> =>
  dataOf(api.POST("/generate", { body, headers: { Prefer: "respond-async" } }));

const readState = (id: string, signal?: AbortSignal): Promise<Generation> =>
  dataOf(api.GET("/generate/{generation_id}", { params: { path: { generation_id: id } }, signal: signal ?? null }));

/**
 * Returns a generation that was submitted before, and retries it if it failed or was stopped; null if it was deleted. `accepted` is
 * the price of a hosted one.
 */
export async function resumeGeneration(id: string, accepted: number | undefined): Promise<Generation | null> {
  try {
    const before = await readState(id);
    if (before.status !== "failed" && before.status !== "cancelled") return before;
    const params = { path: { generation_id: id } };
    expectAgain(id);
    return await dataOf(
      api.POST("/generate/{generation_id}/retry", {
        params,
        ...(accepted === undefined ? {} : { body: acceptedPrice(accepted) }),
      }),
    );
  } catch (error) {
    if (toApiError(error).status === 404) return null;
    throw error;
  }
}

/** Waits until a generation is complete; otherwise throws why it failed. Aborting ends the wait, not the generation. */
export async function waitUntilComplete(generation: Generation, signal: AbortSignal): Promise<void> {
  let now = generation;
  const params = { path: { generation_id: now.id } };
  while (!hasEnded(now.status)) {
    const body = await dataOf(api.GET("/generate/{generation_id}/events", { params, signal, ...asEvents }));
    for await (const event of readEvents(body)) void event; // the stream ends with the generation
    now = await readState(now.id, signal);
  }
  if (now.status !== "complete")
    throw failureOf(now.error ?? { code: "cancelled", detail: "The generation was cancelled.", remedy: "" });
}

/** Stops a generation and waits for its end; its finished chunks are stored. */
export async function stopGeneration(id: string): Promise<void> {
  await dataOf(api.POST("/generate/{generation_id}/stop", { params: { path: { generation_id: id } } }));
}

/** Returns when the ids of generations were made: a UUID of version 7 starts with its time in milliseconds. */
const timeOf = (id: string): number => parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/** Returns which of these generations are in the history and complete, in pages of the history since the oldest of them. */
export async function completeOf(ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const oldest = ids.reduce((min, id) => (id < min ? id : min), ids[0] ?? "");
  if (oldest === "") return found;
  const wanted = new Set(ids);
  const from = new Date(timeOf(oldest) - 1000).toISOString(); // the row has a time of its own
  let cursor: string | null = null;
  do {
    const query = { status: "complete", sort: "oldest", from, limit: pageSize, ...(cursor ? { cursor } : {}) } as const;
    const list: { items: { id: string }[]; next_cursor: string | null } = await dataOf(
      api.GET("/history", { params: { query } }),
    );
    for (const { id } of list.items) if (wanted.has(id)) found.add(id);
    cursor = list.next_cursor;
  } while (cursor !== null && found.size < wanted.size);
  return found;
}
