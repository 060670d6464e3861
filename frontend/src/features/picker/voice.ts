import type { Model, Profile } from "@/api/types";
import { bareVoice, parseMix, type Share } from "./mix";

export type Gender = "female" | "male";
export type Readiness = "memory" | "ready" | "missing" | "unusable";

/** A profile with what the models say about it. */
export interface Voice {
  profile: Profile;
  engine: string;
  /** What speaks it; undefined for the built-in engine. */
  model: Model | undefined;
  languages: readonly string[];
  gender: Gender | undefined;
  state: Readiness;
  shares: readonly Share[];
}

export const builtIn = "espeak";
const names: Record<string, string> = { espeak: "eSpeak NG", kokoro: "Kokoro", kitten: "KittenTTS", supertonic: "Supertonic", piper: "Piper", pocket: "Pocket TTS", chatterbox: "Chatterbox", moss: "MOSS-TTS" };
/** Engines whose every voice speaks every language of the model. */
const multilingual: ReadonlySet<string> = new Set(["supertonic"]);

export function engineName(engine: string): string {
  return names[engine] ?? engine;
}

/** Voice ids of these engines tell it: af_heart, expr-voice-2-f, F1. */
const genderMarks: Record<string, RegExp> = { kokoro: /^[a-z]([fm])_/, kitten: /-([fm])$/, supertonic: /^([FM])\d+$/ };

export function genderOf(engine: string, presetVoiceId: string): Gender | undefined {
  const ids = parseMix(presetVoiceId).map((share) => share.voice);
  const marks = (ids.length > 0 ? ids : [bareVoice(presetVoiceId)]).map((id) => genderMarks[engine]?.exec(id)?.[1]?.toLowerCase());
  if (new Set(marks).size !== 1) return undefined;
  return marks[0] === "f" ? "female" : marks[0] === "m" ? "male" : undefined;
}

function findModel(profile: Profile, models: readonly Model[], defaultVoice: string): Model | undefined {
  const asked = profile.model_name || (profile.voice_type === "default" ? defaultVoice.split(":")[0] : "");
  if (asked) return models.find((model) => model.model_name === asked);
  const same = models.filter((model) => model.engine === profile.preset_engine);
  return same.find((model) => model.downloaded) ?? same.find((model) => model.default) ?? same[0];
}

function stateOf(profile: Profile, model: Model | undefined): Readiness {
  if (!profile.usable) return "unusable";
  if (!model) return "ready";
  if (model.loaded) return "memory";
  return model.downloaded ? "ready" : "missing";
}

export function describeVoice(profile: Profile, models: readonly Model[], defaultVoice: string): Voice {
  const model = findModel(profile, models, defaultVoice);
  const engine = profile.preset_engine || model?.engine || builtIn;
  const id = profile.preset_voice_id ?? "";
  return {
    profile, model, engine, state: stateOf(profile, model), gender: genderOf(engine, id), shares: parseMix(id),
    languages: multilingual.has(engine) && model ? model.languages : [profile.language],
  };
}

/** Models with voices that are not here, one for each set of voices. A model for cloning has no voices to choose. */
export function modelsToGet(models: readonly Model[]): Model[] {
  const speaking = models.filter((model) => model.family === "speech" && model.voices > 0 && !model.cloning);
  const setOf = (model: Model) => (model.engine === "piper" ? model.model_name : `${model.engine} ${model.repo_id}`);
  const here = new Set(speaking.filter((model) => model.downloaded).flatMap((model) => [setOf(model), model.repo_id ? "" : model.engine]));
  const found = new Map<string, Model>();
  for (const model of speaking) {
    if (here.has(setOf(model)) || here.has(model.engine)) continue;
    if (!found.has(setOf(model)) || model.default) found.set(setOf(model), model);
  }
  return [...found.values()];
}
