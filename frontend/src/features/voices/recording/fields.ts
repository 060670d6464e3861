import type { ConsentKind } from "@/api/types";

/** What the person enters beside the recording. */
export interface Fields {
  name: string;
  language: string;
  /** Empty: the best one for the sample. */
  model: string;
  /** Null until it is stated. */
  consent: ConsentKind | null;
  transcript: string;
}

export const steps = ["sound", "trim", "transcript", "listen"] as const;
export type Step = (typeof steps)[number];

/** Returns the step before or after another one. */
export const stepFrom = (step: Step, by: 1 | -1): Step => steps[steps.indexOf(step) + by] ?? step;
