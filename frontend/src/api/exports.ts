import * as v from "valibot";
import { createStore, useStore } from "@/lib/store";
import { api } from "./client";
import { parsed } from "./eventSchemas";

/** An export that this window started. */
export interface RunningExport {
  id: string;
  /** What is exported, as it is called. */
  name: string;
  /** The id of the book that is exported. */
  bookId: string | undefined;
  /** 0 to 1. */
  progress: number;
}

const running = createStore<ReadonlyMap<string, RunningExport>>(new Map());
const aborts = new Map<string, AbortController>();

const exportEvent = v.object({ id: v.string(), progress: v.number() });

/** Returns a random UUID. The browser's own function is missing where the page comes over plain HTTP from another machine. */
function newId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Applies an event of the stream; exports of other windows are not shown here. */
export function applyExportEvent(data: unknown): void {
  const event = parsed(exportEvent, data);
  const before = event && running.get().get(event.id);
  if (before && event.progress > before.progress)
    running.set((map) => new Map(map).set(before.id, { ...before, progress: event.progress }));
}

/**
 * Runs an export with an id for its progress; while it runs it is listed and can be cancelled. Its signal aborts then.
 * A cancelled one is no error.
 */
export async function trackExport(
  name: string,
  work: (id: string, signal: AbortSignal) => Promise<unknown>,
  outer?: AbortSignal,
  bookId?: string,
): Promise<void> {
  const id = newId();
  const abort = new AbortController();
  const stop = () => abort.abort();
  outer?.addEventListener("abort", stop);
  aborts.set(id, abort);
  running.set((map) => new Map(map).set(id, { id, name, bookId, progress: 0 }));
  try {
    await work(id, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted || outer?.aborted) throw error;
  } finally {
    outer?.removeEventListener("abort", stop);
    aborts.delete(id);
    running.set((map) => {
      const next = new Map(map);
      next.delete(id);
      return next;
    });
  }
}

/** Cancels an export. The window cannot break off its request, so the server is told too. */
export function cancelExport(id: string): void {
  aborts.get(id)?.abort();
  void api.DELETE("/exports/{export_id}", { params: { path: { export_id: id } } }).catch(() => undefined);
}

export const useRunningExports = (): RunningExport[] => [...useStore(running).values()];
