import { createParser } from "eventsource-parser";
import { useEffect, useState } from "react";
import { send } from "@/api/client";
import { noteDownload, useLiveDownload } from "@/api/live";
import type { Model, ModelProgress } from "@/api/types";

export interface Bytes {
  current: number;
  total: number;
}

/** The bytes to show: within one download they never go back, whatever order the list and the stream come in. */
export function steady(before: Bytes | null, now: Bytes | null): Bytes | null {
  if (!now) return null;
  const current = Math.max(now.current, before?.current ?? 0);
  return { current, total: Math.max(now.total, current) };
}

/** The bytes of a download that goes on; null says that there is none, and the next begins anew. */
export function useSteadyBytes(model: Model, fetching: boolean): Bytes | null {
  const live = useLiveDownload(model.model_name);
  const [shown, setShown] = useState<Bytes | null>(null);
  const size = model.size_mb * 1_000_000;
  const known = live ?? model.downloading ?? { current: 0, total: size };
  const next = steady(shown, fetching ? { current: known.current, total: known.total || size } : null);
  if (next?.current !== shown?.current || next?.total !== shown?.total) setShown(next);
  return next;
}

/** The stream tells of changes only, so a window that opens beside a paused download asks for its record once. */
export function useFirstRecord(model: Model): void {
  const name = model.model_name;
  const unknown = useLiveDownload(name) === undefined && model.state === "downloading";
  useEffect(() => {
    if (!unknown) return;
    const stop = new AbortController();
    void firstRecord(name, stop.signal).then((record) => record && !stop.signal.aborted && noteDownload(record));
    return () => stop.abort();
  }, [unknown, name]);
}

/** The present record of a download: its stream begins with it. */
async function firstRecord(name: string, signal: AbortSignal): Promise<ModelProgress | null> {
  try {
    const answer = await send("GET", `/models/progress/${encodeURIComponent(name)}`, {
      headers: { Accept: "text/event-stream" },
      signal,
    });
    const reader = answer.body
      ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
      .getReader();
    let record: ModelProgress | null = null;
    const parser = createParser({
      onEvent: ({ data }) => {
        record ??= JSON.parse(data) as ModelProgress;
      },
    });
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
