import { useEffect, useState } from "react";
import type { LiveDownload } from "@/api/live";

/** Why no bytes come, where that is known: the program waits to ask again, has no network, or asked and hears nothing. */
export type Wait =
  | { kind: "retry"; seconds: number; attempt: number; of: number; why: string }
  | { kind: "network"; seconds: number; why: string }
  | { kind: "silent"; seconds: number };

const silentAfter = 5; // seconds without a byte before it is worth a word

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
    const { wait_seconds, attempt, of, detail, network_lost } = live.retry;
    const left = Math.max(0, wait_seconds - seconds);
    return network_lost
      ? { kind: "network", seconds: left, why: detail }
      : { kind: "retry", seconds: left, attempt, of, why: detail };
  }
  return seconds >= silentAfter ? { kind: "silent", seconds: Math.floor(seconds) } : null;
}
