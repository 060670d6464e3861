import { useModels } from "@/api/models";
import { useSettings } from "@/api/settings";
import type { Model, Profile } from "@/api/types";
import { builtIn, describeVoice, hostedEngine } from "@/features/voices/library";

/** The engine and model of a voice. */
export interface VoiceModel {
  engine: string;
  model: Model | undefined;
}

const none: Model[] = [];

/** Returns the engine and model of a voice, also where it leaves them to the program's setting. */
export function useVoiceModel(profile: Profile | undefined): VoiceModel {
  const models = useModels().data ?? none;
  const defaultVoice = useSettings().data?.["speech.default_voice"];
  if (!profile) return { engine: "", model: undefined };
  const { engine, model } = describeVoice(profile, models, typeof defaultVoice === "string" ? defaultVoice : "");
  return { engine, model };
}

/** Reports whether a seed can be chosen. eSpeak NG uses no randomness, and the hosted service takes no seed. */
export const usesSeed = (engine: string): boolean => engine !== builtIn && engine !== hostedEngine;
