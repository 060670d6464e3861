import type { HostedVoice } from "@/api/hosted";
import type { Model, Profile } from "@/api/types";
import { baseLanguage } from "./language";
import { parseMix, type Share } from "./mix";

export type Gender = "female" | "male";
/** `locked`: the plan of the hosted account does not include the voice. */
export type Readiness = "memory" | "ready" | "missing" | "locked" | "unusable";

/** Whether hosted voices can be used: not set up, without a sign-in or key, offline, or yes. */
export type HostedAccess = "off" | "signedOut" | "offline" | "on";

/** A provider of a hosted voice; `locked` as of Readiness. */
export type Choice = HostedVoice & { locked: boolean };

/** A profile with what its model says about it. */
export interface Voice {
  profile: Profile;
  /** The name on screen: that of the profile, but a translated one for the unchanged built-in voice. */
  name: string;
  /** Its model is not installed, or it is a hosted voice that was never chosen, so it has no profile yet. */
  offered: boolean;
  /** What the hosted service says about a hosted voice; undefined for local ones and where it is not known. */
  hosted?: HostedVoice | undefined;
  /** A voice without a profile that is listed by itself, not in the row of its engine. */
  near?: boolean;
  /** The same voice of all providers that have it, where there are several: `hosted` is one of them. */
  choices?: readonly Choice[];
  /** Whether the hosted service can be used; only for hosted voices. */
  access?: HostedAccess;
  engine: string;
  /** The model that speaks it; undefined for the built-in engine. */
  model: Model | undefined;
  languages: readonly string[];
  gender: Gender | undefined;
  state: Readiness;
  shares: readonly Share[];
}

export const builtIn = "espeak";
export const hostedEngine = "hosted";

/** Returns the model that speaks a cloned voice without a model of its own, as the server chooses it. */
function modelToClone({ language }: Profile, models: readonly Model[]): Model | undefined {
  const able = models.filter(
    (model) => model.cloning && model.languages.some((tag) => baseLanguage(tag) === baseLanguage(language)),
  );
  return able.find((model) => model.downloaded) ?? able[0];
}

function findModel(profile: Profile, models: readonly Model[], defaultVoice: string): Model | undefined {
  const asked = profile.model_name || (profile.voice_type === "default" ? defaultVoice.split(":")[0] : "");
  if (asked) return models.find((model) => model.model_name === asked);
  if (profile.voice_type === "cloned") return modelToClone(profile, models);
  const same = models.filter((model) => model.engine === profile.preset_engine);
  return same.find((model) => model.downloaded) ?? same.find((model) => model.default) ?? same[0];
}

function stateOf(profile: Profile, model: Model | undefined): Readiness {
  if (!profile.usable) return "unusable";
  if (!model) return "ready";
  if (model.loaded) return "memory";
  return model.downloaded ? "ready" : "missing";
}

/** Reports whether this is the voice of the first start, neither renamed nor described. */
const isUntouched = ({ voice_type, name, description }: Profile): boolean =>
  voice_type === "default" && name === "Built-in voice" && description === "";

export function describeVoice(
  profile: Profile,
  models: readonly Model[],
  defaultVoice: string,
  builtInName = profile.name,
): Voice {
  const isHosted = profile.voice_type === "hosted";
  const model = isHosted ? undefined : findModel(profile, models, defaultVoice);
  const engine = isHosted ? hostedEngine : profile.preset_engine || model?.engine || builtIn;
  return {
    profile,
    name: isUntouched(profile) ? builtInName : profile.name,
    offered: false,
    model,
    engine,
    state: stateOf(profile, model),
    gender: profile.gender || undefined,
    shares: parseMix(profile.preset_voice_id ?? ""),
    languages: model?.multilingual ? model.languages : [profile.language],
  };
}

/** Returns the key of models with the same voices; a single-voice model has its own. */
const setOf = (model: Model): string =>
  model.voices > 1 ? [model.engine, model.voices, ...model.languages].join() : model.model_name;
const ownFiles = (model: Model): string => `${model.engine} ${model.voices}`;

/** Reports whether two models are variants of each other: kokoro-q8 is kokoro. */
const isVariant = (a: Model, b: Model): boolean =>
  setOf(a) === setOf(b) &&
  (a.repo_id === b.repo_id ||
    a.model_name.startsWith(`${b.model_name}-`) ||
    b.model_name.startsWith(`${a.model_name}-`));

/** Returns models whose voices are not installed, one of all variants. A cloning model has no voices to choose. */
export function modelsToGet(models: readonly Model[]): Model[] {
  const speaking = models.filter(
    (model) =>
      model.family === "speech" &&
      model.supported &&
      model.voices > 0 &&
      !model.cloning &&
      (model.downloaded || model.repo_id !== ""),
  ); // imported models cannot be downloaded
  const here = speaking.filter((model) => model.downloaded);
  const own = new Set(here.filter((model) => model.repo_id === "" && model.voices > 1).map(ownFiles));
  const found: Model[] = [];
  for (const model of speaking) {
    if (here.some((other) => isVariant(model, other)) || own.has(ownFiles(model))) continue;
    const at = found.findIndex((other) => isVariant(model, other));
    if (at < 0) found.push(model);
    else if (model.default) found[at] = model;
  }
  return found;
}
