import { useEffect, useState } from "react";
import { applyDownloadEvent, useLiveDownload } from "@/api/live";
import { readDownload } from "@/api/models";
import type { Model } from "@/api/types";

export interface Bytes {
  current: number;
  total: number;
}

/** Returns the bytes to show: within one download they never decrease, in whatever order list and stream arrive. */
export function steady(before: Bytes | null, now: Bytes | null): Bytes | null {
  if (!now) return null;
  const current = Math.max(now.current, before?.current ?? 0);
  return { current, total: Math.max(now.total, current) };
}

/** Records the bytes of a running download; null means that there is none, and the next one starts from zero. */
export function useSteadyBytes(model: Model, fetching: boolean): Bytes | null {
  const live = useLiveDownload(model.model_name);
  const [shown, setShown] = useState<Bytes | null>(null);
  const size = model.size_mb * 1_000_000;
  const known = live ?? model.downloading ?? { current: 0, total: size };
  const next = steady(shown, fetching ? { current: known.current, total: known.total || size } : null);
  if (next?.current !== shown?.current || next?.total !== shown?.total) setShown(next);
  return next;
}

/** Fetches the record of a paused download once, because the stream reports changes only. */
export function useFirstRecord(model: Model): void {
  const name = model.model_name;
  const unknown = useLiveDownload(name) === undefined && model.state === "downloading";
  useEffect(() => {
    if (!unknown) return;
    const stop = new AbortController();
    void readDownload(name, stop.signal).then((event) => event && !stop.signal.aborted && applyDownloadEvent(event));
    return () => stop.abort();
  }, [unknown, name]);
}
