import type { LiveDownload } from "@/api/live";
import type { Model } from "@/api/types";
import type { ModelAction } from "./action";

/** Reports whether a model was imported from the user's own files, which cannot be downloaded again. */
export const isImported = (model: Model): boolean => model.variant === "imported";

/** The state that a row shows: the server's, refined by the download events and by what this window just requested. */
export type Phase =
  | "absent"
  | "stopped"
  | "failed"
  | "queued"
  | "preparing"
  | "downloading"
  | "checking"
  | "paused"
  | "ready"
  | "loading"
  | "loaded"
  | "unloading"
  | "broken"
  | "deleting"
  | "copying";

/** The action of the main button. */
export type MainAction =
  "download" | "pause" | "resume" | "continue" | "retry" | "cancel" | "load" | "unload" | "importAgain";

const phaseDuring: Partial<Record<ModelAction, Phase>> = {
  verify: "checking",
  delete: "deleting",
  fill: "copying",
  load: "loading",
  unload: "unloading",
};
const live: Partial<Record<LiveDownload["status"], Phase>> = {
  queued: "queued",
  resolving: "preparing",
  downloading: "downloading",
  verifying: "checking",
  paused: "paused",
};

export function phaseOf(model: Model, download: LiveDownload | undefined, action: ModelAction | undefined): Phase {
  const requested = action && phaseDuring[action];
  if (requested) return requested;
  if (download) return live[download.status] ?? "downloading";
  switch (model.state) {
    case "downloading":
      return "downloading";
    case "downloaded":
      return "ready";
    case "loading":
      return "loading";
    case "loaded":
      return "loaded";
    case "unloading":
      return "unloading";
    case "broken":
      return "broken";
    default:
      break;
  }
  if (isImported(model)) return "broken"; // its files are missing and cannot be downloaded
  if (model.error) return "failed";
  return action === "download" ? "queued" : model.partial_mb > 0 ? "stopped" : "absent";
}

const mainActions: Partial<Record<Phase, MainAction>> = {
  absent: "download",
  stopped: "continue",
  failed: "retry",
  broken: "retry",
  queued: "pause",
  preparing: "pause",
  downloading: "pause",
  paused: "resume",
  ready: "load",
  loaded: "unload",
};

/** Returns the action of the main button; null while the model is busy and cannot be stopped. */
export function mainAction(phase: Phase, model: Model): MainAction | null {
  if (phase === "checking") return model.downloaded || model.state === "broken" ? null : "cancel";
  if (phase === "broken" && isImported(model)) return "importAgain"; // there is nothing to download
  return mainActions[phase] ?? null;
}

const fetchingPhases: readonly Phase[] = ["queued", "preparing", "downloading", "paused", "checking"];

/** Reports whether a download is in progress, with bytes to show. */
export function isFetching(phase: Phase, model: Model): boolean {
  return fetchingPhases.includes(phase) && !model.downloaded && model.state !== "broken";
}

/** Reports whether any file of the model is on this machine or being downloaded. */
export function isLocal(model: Model): boolean {
  return (
    isImported(model) ||
    model.downloaded ||
    model.downloading !== null ||
    model.state === "broken" ||
    model.state === "downloading" ||
    model.partial_mb > 0 ||
    model.error !== null
  );
}
