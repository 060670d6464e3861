import { engineName } from "@/api/models";
import type { Model, NewProfile } from "@/api/types";
import { mixId, modelsToGet, type Voice } from "./library";
import type { Choice } from "@/ui";

export type Source = "recording" | "preset" | "mix" | "default";

/** The state of the form for a new voice. */
export interface Draft {
  source: Source;
  name: string;
  description: string;
  /** Empty: the same as the chosen voice. */
  language: string;
  /** "voice:ID" or "model:NAME". */
  preset: string;
  first: string;
  second: string;
  /** The share of the first voice, 0..1. */
  part: number;
}

export const newDraft = (source: Source): Draft => ({
  source,
  name: "",
  description: "",
  language: "",
  preset: "",
  first: "",
  second: "",
  part: 0.5,
});

const plain = (voice: Voice): boolean =>
  voice.profile.voice_type === "preset" && voice.shares.length === 0 && voice.profile.usable;

/** Presets to base a voice on, and models that would be downloaded for their first voice. */
export function presetChoices(
  voices: readonly Voice[],
  models: readonly Model[],
  words: { notHere: string; size(model: Model): string },
): Choice[] {
  const presets = voices.filter(plain).map((voice) => ({
    value: `voice:${voice.profile.id}`,
    label: voice.profile.name,
    group: engineName(voice.engine),
  }));
  const toGet = modelsToGet(models).map((model) => ({
    value: `model:${model.model_name}`,
    label: `${model.display_name} · ${words.size(model)}`,
    group: words.notHere,
  }));
  return [...presets.sort((a, b) => a.group.localeCompare(b.group) || a.label.localeCompare(b.label)), ...toGet];
}

/** Returns voices that can be mixed with each other: of one model that supports mixing. */
export function mixable(voices: readonly Voice[], withModel?: string): Voice[] {
  const able = voices.filter((voice) => plain(voice) && voice.model?.mixes);
  return withModel === undefined ? able : able.filter((voice) => (voice.profile.model_name ?? "") === withModel);
}

export const findVoice = (voices: readonly Voice[], id: string): Voice | undefined =>
  voices.find((voice) => voice.profile.id === id);

/** Returns the body of the request; null while something is missing. */
export function toProfile(draft: Draft, voices: readonly Voice[], fallbackLanguage: string): NewProfile | null {
  const name = draft.name.trim();
  const common = { name, ...(draft.description.trim() ? { description: draft.description.trim() } : {}) };
  if (name === "") return null;
  if (draft.source === "default")
    return { ...common, voice_type: "default", language: draft.language || fallbackLanguage };
  if (draft.source === "preset" && draft.preset.startsWith("model:")) {
    return {
      ...common,
      voice_type: "preset",
      model_name: draft.preset.slice(6),
      ...(draft.language ? { language: draft.language } : {}),
    };
  }
  const first = findVoice(voices, draft.source === "mix" ? draft.first : draft.preset.slice(6))?.profile;
  if (!first?.preset_voice_id) return null;
  const second = findVoice(voices, draft.second)?.profile.preset_voice_id;
  if (draft.source === "mix" && (!second || draft.first === draft.second)) return null;
  const preset_voice_id =
    draft.source === "mix" && second ? mixId(first.preset_voice_id, second, draft.part) : first.preset_voice_id;
  return {
    ...common,
    voice_type: "preset",
    preset_voice_id,
    language: draft.language || first.language,
    ...(first.preset_engine ? { preset_engine: first.preset_engine } : {}),
    ...(first.model_name ? { model_name: first.model_name } : {}),
  };
}
