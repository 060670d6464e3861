import { useEffect } from "react";
import * as v from "valibot";
import { useLiveDownloads } from "@/api/live";
import { storedValue } from "@/lib/storedValue";

const stored = storedValue("voicewright.downloadSpeed", v.nullable(v.pipe(v.number(), v.minValue(1))), null);

/** Returns the bytes per second of a current or earlier download in this browser; null if there was none. */
export function useDownloadSpeed(): number | null {
  const speed = Math.round(Math.max(0, ...useLiveDownloads().map((download) => download.bytesPerSecond)));
  useEffect(() => {
    if (speed > 0) stored.write(speed);
  }, [speed]);
  return speed > 0 ? speed : stored.read();
}
