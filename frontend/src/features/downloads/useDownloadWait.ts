import { useEffect, useState } from "react";
import type { LiveDownload } from "@/api/live";

/** Why no bytes arrive, if known: a retry is scheduled, the network is down, or the hub does not respond. */
export type Wait =
  | { kind: "retry"; seconds: number; attempt: number; of: number; why: string }
  | { kind: "network"; seconds: number; why: string }
  | { kind: "silent"; seconds: number };

const silentAfter = 5; // seconds without a byte before it is reported

/** Returns what a download waits for. Every change of it causes an event, so `live.at` is when the wait began. */
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
    const { wait_seconds, attempt, of, detail, network_lost } = live.retry;
    const left = Math.max(0, wait_seconds - seconds);
    return network_lost
      ? { kind: "network", seconds: left, why: detail }
      : { kind: "retry", seconds: left, attempt, of, why: detail };
  }
  return seconds >= silentAfter ? { kind: "silent", seconds: Math.floor(seconds) } : null;
}
