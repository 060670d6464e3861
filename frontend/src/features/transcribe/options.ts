import * as v from "valibot";
import type { Model, TranscriptionRequest } from "@/api/types";
import { storedValue } from "@/lib/storedValue";
import { createStore, useStore } from "@/lib/store";
import { choiceSchema, needsModel, speakersRequest, usualChoice } from "./finding/choice";

export const anyLanguage = "auto";

const schema = v.object({
  /** Empty: the default model of the settings. */
  model: v.fallback(v.string(), ""),
  language: v.fallback(v.string(), anyLanguage),
  /** Names and words to expect, as they are spelled. */
  names: v.fallback(v.string(), ""),
  translate: v.fallback(v.boolean(), false),
  words: v.fallback(v.boolean(), true),
  /** Which parts are transcribed: all but silence, only detected speech, or everything. */
  parts: v.fallback(v.picklist(["sound", "speech", "all"]), "sound"),
  speakers: v.fallback(choiceSchema, usualChoice),
  /** Underline words that the model was unsure of. */
  marks: v.fallback(v.boolean(), true),
});
/** The length of the longest list of names that the server takes, in characters. */
export const maxNames = 4_000;

/** The options of this browser for the next files, and how transcripts are shown. */
export type Options = v.InferOutput<typeof schema>;

/** The options before any is chosen. */
export const defaultOptions: Options = {
  model: "",
  language: anyLanguage,
  names: "",
  translate: false,
  words: true,
  parts: "sound",
  speakers: usualChoice,
  marks: true,
};
const stored = storedValue("voicewright.transcribe", schema, defaultOptions);
const store = createStore<Options>(stored.read());

export const useOptions = (): Options => useStore(store);

export function setOptions(changes: Partial<Options>): void {
  store.set((before) => ({ ...before, ...changes }));
  stored.write(store.get());
}

/** The models that the next files are transcribed with. */
export interface ChosenModels {
  /** One that is not installed was chosen knowingly and is downloaded first; otherwise nothing is, also if it was deleted meanwhile. */
  transcriber: Model;
  /** The model that finds speakers is installed. Without it none are requested, as that would download it. */
  findsSpeakers: boolean;
}

/** Returns the body of a transcription of a recording with these options. */
export function requestOf(options: Options, models: ChosenModels): TranscriptionRequest {
  const { language, names, translate, words, parts, speakers } = options;
  return {
    model_name: models.transcriber.model_name,
    ...(models.transcriber.downloaded ? { download: false } : {}),
    ...(language === anyLanguage ? {} : { language }),
    ...(names.trim() === "" ? {} : { prompt: names.trim() }),
    ...(translate ? { translate } : {}),
    timestamps: words ? "word" : "segment",
    ...(parts === "sound" ? {} : { vad: parts === "speech" }),
    ...(models.findsSpeakers || !needsModel(speakers.mode) ? { speakers: { ...speakersRequest(speakers) } } : {}),
  };
}

/** Returns a request as the fields of a form. */
export const formFields = (request: TranscriptionRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );
