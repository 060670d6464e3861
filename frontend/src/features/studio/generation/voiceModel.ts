import { useModels } from "@/api/models";
import { useSettings } from "@/api/settings";
import type { Model, Profile } from "@/api/types";
import { builtIn, describeVoice } from "@/features/picker/voice";

/** What speaks with a voice. */
export interface Speaker {
  engine: string;
  model: Model | undefined;
}

const none: Model[] = [];

/** The engine and the model of a voice, also where it leaves them to the setting of the program. */
export function useSpeaker(profile: Profile | undefined): Speaker {
  const models = useModels().data ?? none;
  const asked = useSettings().data?.["speech.default_voice"];
  if (!profile) return { engine: "", model: undefined };
  const { engine, model } = describeVoice(profile, models, typeof asked === "string" ? asked : "");
  return { engine, model };
}

/** Whether another seed gives another sound: eSpeak NG has nothing that is drawn by chance. */
export const usesSeed = (engine: string): boolean => engine !== builtIn;
