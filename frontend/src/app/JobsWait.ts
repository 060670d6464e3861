import { createParser } from "eventsource-parser";
import { useEffect, useState } from "react";
import { send } from "@/api/client";
import type { LiveDownload } from "@/api/live";
import type { ModelProgress } from "@/api/types";

/** Why no bytes come, where that is known: the program waits to ask again, or asked and hears nothing. */
export type Wait =
  | { kind: "retry"; seconds: number; attempt: number; of: number; why: string }
  | { kind: "silent"; seconds: number };

const patience = 5; // seconds without a byte before it is worth a word

/** What a download waits for. Every change of it makes an event, so that `live.at` is when the wait began. */
export function useDownloadWait(live: LiveDownload | undefined): Wait | null {
  const isAsking = live?.status === "downloading" || live?.status === "resolving";
  const at = isAsking ? live.at : null;
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  if (!isAsking) return null;
  const seconds = Math.max(0, (now - live.at) / 1000);
  if (live.retry) {
    const { wait_seconds, attempt, of, detail } = live.retry;
    return { kind: "retry", seconds: Math.max(0, wait_seconds - seconds), attempt, of, why: detail };
  }
  return seconds >= patience ? { kind: "silent", seconds: Math.floor(seconds) } : null;
}

/** The present record of a download: its stream begins with it. */
export async function firstRecord(name: string, signal: AbortSignal): Promise<ModelProgress | null> {
  try {
    const answer = await send("GET", `/models/progress/${encodeURIComponent(name)}`, { headers: { Accept: "text/event-stream" }, signal });
    const reader = answer.body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>).getReader();
    let record: ModelProgress | null = null;
    const parser = createParser({ onEvent: ({ data }) => { record ??= JSON.parse(data) as ModelProgress; } });
    while (record === null) {
      const part = await reader?.read();
      if (!part || part.done) break;
      parser.feed(part.value);
    }
    void reader?.cancel();
    return record;
  } catch {
    return null; // the list says that it is being downloaded, and the next event says more
  }
}
