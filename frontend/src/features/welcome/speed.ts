import { useEffect } from "react";
import { useLiveDownloads } from "@/api/live";

const key = "voicewright.downloadSpeed";

function remembered(): number | null {
  try {
    return Number(localStorage.getItem(key)) || null;
  } catch {
    return null; // no storage: none is known
  }
}

/** Bytes a second of a download that this window saw, now or before; null when it has seen none, as then nothing is known. */
export function useDownloadSpeed(): number | null {
  const now = Math.max(0, ...useLiveDownloads().map((download) => download.bytesPerSecond));
  useEffect(() => {
    if (now === 0) return;
    try {
      localStorage.setItem(key, String(Math.round(now)));
    } catch {
      // no storage: it is measured again
    }
  }, [now]);
  return now > 0 ? now : remembered();
}
