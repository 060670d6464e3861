import * as v from "valibot";
import type { GenerationStatus, ModelProgress } from "./types";

const generationStatuses = [
  "queued",
  "downloading_model",
  "loading_model",
  "generating",
  "complete",
  "failed",
  "cancelled",
] as const satisfies readonly GenerationStatus[];

const downloadStatuses = [
  "idle",
  "queued",
  "resolving",
  "downloading",
  "verifying",
  "paused",
  "complete",
  "error",
] as const satisfies readonly ModelProgress["status"][];

export const generationEvent = v.object({
  id: v.string(),
  status: v.picklist(generationStatuses),
  progress: v.number(),
});

export const downloadEvent = v.object({
  model_name: v.string(),
  status: v.picklist(downloadStatuses),
  current: v.number(),
  total: v.number(),
  retry: v.nullish(
    v.object({
      attempt: v.number(),
      of: v.number(),
      wait_seconds: v.number(),
      code: v.string(),
      detail: v.string(),
      network_lost: v.optional(v.boolean()),
    }),
  ),
});
export type DownloadEvent = v.InferOutput<typeof downloadEvent>;

/** Returns the value if it has the shape of the schema, else undefined. */
export function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}
