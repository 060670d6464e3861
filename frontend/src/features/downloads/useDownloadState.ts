import { useLiveDownload } from "@/api/live";
import type { Model } from "@/api/types";

const megabyte = 1_000_000;

/** Returns whether a model is being downloaded, and how much of it is saved. A paused download stays in `downloading`. */
export function useDownloadState(model: Model): { isRunning: boolean; savedMb: number } {
  const live = useLiveDownload(model.model_name);
  const isPaused = live?.status === "paused";
  return {
    isRunning: !isPaused && (live !== undefined || model.downloading !== null),
    savedMb: isPaused ? Math.ceil(live.current / megabyte) : model.partial_mb,
  };
}
