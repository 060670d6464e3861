import type { LiveDownload } from "@/api/live";
import type { Model } from "@/api/types";
import type { Deed } from "./deeds";

/** A model of the person's own files: nobody has them to download again. */
export const isImported = (model: Model): boolean => model.variant === "imported";

/** What a row says about its model: the state of the server, made finer by the stream and by what this window just asked for. */
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

/** What the one main button does. */
export type MainAction =
  "download" | "pause" | "resume" | "continue" | "retry" | "cancel" | "load" | "unload" | "importAgain";

const asked: Partial<Record<Deed, Phase>> = {
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

export function phaseOf(model: Model, download: LiveDownload | undefined, deed: Deed | undefined): Phase {
  const wanted = deed && asked[deed];
  if (wanted) return wanted;
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
  if (isImported(model)) return "broken"; // it was here, and no download brings it back
  if (model.error) return "failed";
  return deed === "download" ? "queued" : model.partial_mb > 0 ? "stopped" : "absent";
}

const actions: Partial<Record<Phase, MainAction>> = {
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

/** The action of the main button; null while the model is busy with what cannot be stopped. */
export function mainAction(phase: Phase, model: Model): MainAction | null {
  if (phase === "checking") return model.downloaded || model.state === "broken" ? null : "cancel";
  if (phase === "broken" && isImported(model)) return "importAgain"; // nobody has its files to download
  return actions[phase] ?? null;
}

const moving: readonly Phase[] = ["queued", "preparing", "downloading", "paused", "checking"];

/** Whether a download is under way, so that there are bytes to show. */
export function isFetching(phase: Phase, model: Model): boolean {
  return moving.includes(phase) && !model.downloaded && model.state !== "broken";
}

/** Whether something of the model lies on this machine or is on its way here. */
export function isHere(model: Model): boolean {
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
