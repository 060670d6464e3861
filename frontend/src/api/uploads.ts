import type { QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "@/lib/store";
import { isAbort } from "./errors";

/** A file on its way to the server, which makes something of it. */
export interface Upload {
  key: string;
  file: File;
  fields: Record<string, string>;
  state: "waiting" | "sending" | "failed";
  /** The part that has been sent, 0 to 1; the server reads the file after that. */
  sent: number;
  error: unknown;
  /** Called with the id of what the server made. */
  onArrived(id: string): void;
}

/** Sends one file and returns the id of what the server made of it. */
type Send = (
  client: QueryClient,
  upload: Upload,
  options: { signal: AbortSignal; onProgress: (sent: number) => void },
) => Promise<string>;

const nothing = () => undefined;

/** Returns a list of files that are sent one after the other; one that fails does not stop the others. */
export function createUploads(send: Send) {
  const store = createStore<readonly Upload[]>([]);
  const aborts = new Map<string, AbortController>();
  let count = 0;
  let isSending = false;

  const change = (key: string, part: Partial<Upload>) =>
    store.set((all) => all.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)));
  const remove = (key: string) => store.set((all) => all.filter((upload) => upload.key !== key));

  async function sendOne(client: QueryClient, upload: Upload): Promise<string | null> {
    const { key } = upload;
    const abort = new AbortController();
    aborts.set(key, abort);
    change(key, { state: "sending", sent: 0, error: null });
    try {
      const onProgress = (sent: number) => change(key, { sent });
      const id = await send(client, upload, { signal: abort.signal, onProgress });
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

  return {
    useUploads: (): readonly Upload[] => useStore(store),

    /** Sends files; `onArrived` is called with the id of what was made of each. */
    sendFiles(
      client: QueryClient,
      files: readonly File[],
      fields: Record<string, string>,
      onArrived: (id: string) => void = nothing,
    ): void {
      const added = files.map((file): Upload => {
        count += 1;
        return { key: `upload-${count}`, file, fields, state: "waiting", sent: 0, error: null, onArrived };
      });
      store.set((all) => [...all, ...added]);
      void sendAll(client);
    },

    retryUpload(client: QueryClient, key: string): void {
      change(key, { state: "waiting", error: null });
      void sendAll(client);
    },

    cancelUpload(key: string): void {
      const abort = aborts.get(key);
      if (abort) abort.abort();
      else remove(key);
    },
  };
}
