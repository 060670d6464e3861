import * as v from "valibot";
import type { FindingSpeakers, GenerationStatus, ModelProgress, TranscriptStatus } from "./types";

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
  request: v.optional(v.nullable(v.object({ book_id: v.string() }))),
});

/** A book that was changed. */
export const bookEvent = v.object({ id: v.string() });

const status = v.optional(v.picklist(generationStatuses));

/** A generation, or a script with its turns, of which only the states are of interest. */
export const withStatus = v.object({ status, turns: v.optional(v.array(v.object({ status }))) });

export const downloadEvent = v.object({
  model_name: v.string(),
  status: v.picklist(downloadStatuses),
  current: v.number(),
  total: v.number(),
  bytes_per_second: v.optional(v.number()),
  eta_seconds: v.nullish(v.number()),
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

const transcriptStatuses = [
  "queued",
  "downloading_model",
  "loading_model",
  "transcribing",
  "complete",
  "failed",
  "cancelled",
] as const satisfies readonly TranscriptStatus[];

const findingStatuses = [
  "queued",
  "downloading_model",
  "loading_model",
  "listening",
] as const satisfies readonly FindingSpeakers["status"][];

/** How far the speakers of a transcript are found; absent while they are not being found. */
const findingSpeakers = v.nullish(v.object({ status: v.picklist(findingStatuses), progress: v.number() }));

/** A transcript changed; the status is left out after an edit. */
export const transcriptEvent = v.object({
  id: v.string(),
  status: v.optional(v.picklist(transcriptStatuses)),
  finding_speakers: findingSpeakers,
});
export type TranscriptEvent = v.InferOutput<typeof transcriptEvent>;

/** A progress message of a running transcript, with its newest segments. */
export const transcriptState = v.object({
  status: v.picklist(transcriptStatuses),
  progress: v.number(),
  finding_speakers: findingSpeakers,
  language: v.string(),
  duration: v.number(),
  segments: v.array(
    v.object({
      id: v.number(),
      start: v.number(),
      end: v.number(),
      text: v.string(),
      words: v.array(v.object({ word: v.string(), start: v.number(), end: v.number(), probability: v.number() })),
      no_speech_prob: v.number(),
      speaker: v.string(),
      speaker_found: v.boolean(),
      cut_from: v.number(),
      paragraph: v.boolean(),
    }),
  ),
});

/** Returns the value if it has the shape of the schema, else undefined. */
export function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}
