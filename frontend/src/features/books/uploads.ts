import type { QueryClient } from "@tanstack/react-query";
import { createBook } from "@/api/books";
import { isAbort } from "@/api/errors";
import { createStore, useStore } from "@/lib/store";
import { setArrival } from "./state";

/** A file on its way to the server; once it has arrived it is a book. */
export interface Upload {
  key: string;
  file: File;
  /** The voice and other fields of the new book. */
  fields: Record<string, string>;
  state: "waiting" | "sending" | "failed";
  /** The part that has been sent, 0 to 1; the server reads the file after that. */
  sent: number;
  error: unknown;
  /** Called with the id of its book. */
  onArrived(id: string): void;
}

const store = createStore<readonly Upload[]>([]);
const aborts = new Map<string, AbortController>();
let count = 0;
let isSending = false;

const change = (key: string, part: Partial<Upload>) =>
  store.set((all) => all.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)));
const remove = (key: string) => store.set((all) => all.filter((upload) => upload.key !== key));

export const useUploads = (): readonly Upload[] => useStore(store);

async function sendOne(client: QueryClient, { key, file, fields }: Upload): Promise<string | null> {
  const abort = new AbortController();
  aborts.set(key, abort);
  change(key, { state: "sending", sent: 0, error: null });
  try {
    const onProgress = (sent: number) => change(key, { sent });
    const { id, notes } = await createBook(client, file, fields, { signal: abort.signal, onProgress });
    setArrival(id, { notes });
    remove(key);
    return id;
  } catch (error) {
    if (isAbort(error)) remove(key);
    else change(key, { state: "failed", error });
    return null;
  } finally {
    aborts.delete(key);
  }
}

/** Sends the waiting files one after the other; one that fails does not stop the others. */
async function sendAll(client: QueryClient): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (;;) {
    const next = store.get().find(({ state }) => state === "waiting");
    if (!next) break;
    const id = await sendOne(client, next);
    if (id !== null) next.onArrived(id);
  }
  isSending = false;
}

/** Makes a book of each file; `onArrived` is called with the id of each. */
export function sendFiles(
  client: QueryClient,
  files: readonly File[],
  fields: Record<string, string>,
  onArrived: (id: string) => void,
): void {
  const added = files.map((file): Upload => {
    count += 1;
    return { key: `book-${count}`, file, fields, state: "waiting", sent: 0, error: null, onArrived };
  });
  store.set((all) => [...all, ...added]);
  void sendAll(client);
}

export function retryUpload(client: QueryClient, key: string): void {
  change(key, { state: "waiting", error: null });
  void sendAll(client);
}

export function cancelUpload(key: string): void {
  const abort = aborts.get(key);
  if (abort) abort.abort();
  else remove(key);
}
