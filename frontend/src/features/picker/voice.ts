import type { Model, Profile } from "@/api/types";
import { parseMix, type Share } from "./mix";

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
  return {
    profile, model, engine, state: stateOf(profile, model), gender: profile.gender || undefined, shares: parseMix(profile.preset_voice_id ?? ""),
    languages: model?.multilingual ? model.languages : [profile.language],
  };
}

/** Variants of one model have the same voices; a model of a single voice is itself. */
const setOf = (model: Model): string => (model.voices > 1 ? [model.engine, model.repo_id, model.voices, ...model.languages].join() : model.model_name);
const ownFiles = (model: Model): string => `${model.engine} ${model.voices}`;

/** Models with voices that are not here, one for each set of voices. A model for cloning has no voices to choose. */
export function modelsToGet(models: readonly Model[]): Model[] {
  const speaking = models.filter((model) => model.family === "speech" && model.supported && model.voices > 0 && !model.cloning && (model.downloaded || model.repo_id !== "")); // files of one's own are nowhere to get
  const here = new Set(speaking.filter((model) => model.downloaded).flatMap((model) => [setOf(model), model.repo_id || model.voices === 1 ? "" : ownFiles(model)]));
  const found = new Map<string, Model>();
  for (const model of speaking) {
    if (here.has(setOf(model)) || here.has(ownFiles(model))) continue;
    if (!found.has(setOf(model)) || model.default) found.set(setOf(model), model);
  }
  return [...found.values()];
}
