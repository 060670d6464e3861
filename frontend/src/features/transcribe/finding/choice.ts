import * as v from "valibot";
import type { SpeakersRequest } from "@/api/types";

/** The ways to find speakers: by their voices, exactly so many by their voices, one on each channel, or not at all. */
export const speakerModes = ["auto", "number", "channels", "off"] as const;

/** The largest number of speakers that the server takes. */
export const maxSpeakers = 100;

const count = (otherwise: number) =>
  v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSpeakers)), otherwise);

/** How speakers are found. The numbers of the other modes are remembered. */
export const choiceSchema = v.object({
  mode: v.fallback(v.picklist(speakerModes), "auto"),
  /** With "auto": the largest number of speakers. */
  atMost: count(20),
  /** With "number". */
  count: count(2),
});
export type SpeakersChoice = v.InferOutput<typeof choiceSchema>;

/** The choice before any is made. */
export const usualChoice: SpeakersChoice = { mode: "auto", atMost: 20, count: 2 };

/** Reports whether a way to find speakers needs the model that hears voices. */
export const needsModel = (mode: SpeakersChoice["mode"]): boolean => mode === "auto" || mode === "number";

/** Returns the request that a choice means. */
export function speakersRequest({ mode, atMost, count: exactly }: SpeakersChoice): SpeakersRequest {
  if (!needsModel(mode)) return { mode };
  return { mode, count: mode === "auto" ? atMost : exactly };
}

/** Returns the number of speakers that a text means; null where it is none that the server takes. */
export function countOf(text: string): number | null {
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= maxSpeakers ? number : null;
}
