import { fetchHostedPreview } from "@/api/hosted";
import { fetchVoiceSample } from "@/api/models";
import { fetchPreview } from "@/api/profiles";
import { ShortSound, useShortError, useShortState, type ShortState } from "./shortSound";

const sound = new ShortSound();

export const { stop: stopPreview } = sound;

/** The id of the published sample of a voice whose model is not downloaded. */
export const sampleId = (model: string, voice: string): string => `sample:${model}:${voice}`;

/** Previews of hosted voices have ids like "hosted:VOICE", published samples see sampleId; others are those of profiles. */
function fetchAudio(id: string, signal: AbortSignal): Promise<Blob> {
  const [prefix, name, ...voice] = id.split(":");
  if (prefix === "sample" && name) return fetchVoiceSample(name, voice.join(":"), signal);
  return prefix === "hosted" && name ? fetchHostedPreview(name, signal) : fetchPreview(id, signal);
}

/** Plays a few seconds of a voice, or stops them. */
export const togglePreview = (id: string): void => sound.toggle({ id, load: (signal) => fetchAudio(id, signal) });

/** The same for a text that a voice speaks: `load` returns its audio. */
export const toggleHearing = (id: string, load: (signal: AbortSignal) => Promise<Blob>): void =>
  sound.toggle({ id, load });

export const usePreviewState = (id: string): ShortState | undefined => useShortState(sound, id);

/** The error of the last preview; null unless it failed. */
export const usePreviewError = (): unknown => useShortError(sound);
