import type { QueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { isAbort } from "@/api/errors";
import { uploadForm } from "@/api/upload";
import { keys } from "@/api/keys";
import { asForm } from "@/api/client";
import { createStore, useStore } from "@/lib/store";

/** A file on its way to the server; once it has arrived it is a transcript. */
export interface Upload {
  key: string;
  file: File;
  fields: Record<string, string>;
  state: "waiting" | "sending" | "failed";
  /** The part that has been sent, 0 to 1. */
  sent: number;
  error: unknown;
  /** Called with the id of its transcript. */
  onArrived(id: string): void;
}

const store = createStore<readonly Upload[]>([]);
const aborts = new Map<string, AbortController>();
const response = v.object({ id: v.string() });
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
    const { signal } = abort;
    const form = asForm({ ...fields, file }); // the file last, so that the server knows the options before it arrives
    const { id } = v.parse(
      response,
      await uploadForm("/transcriptions", form, { signal, onProgress: (sent) => change(key, { sent }) }),
    );
    await client.invalidateQueries({ queryKey: keys.transcripts }); // before its row as an upload disappears
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

/** Sends the waiting files one after the other. */
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

/** Sends files to be transcribed; `onArrived` is called with the id of each transcript. */
export function sendFiles(
  client: QueryClient,
  files: readonly File[],
  fields: Record<string, string>,
  onArrived: (id: string) => void = () => undefined,
): void {
  const added = files.map((file): Upload => {
    count += 1;
    return { key: `upload-${count}`, file, fields, state: "waiting", sent: 0, error: null, onArrived };
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
