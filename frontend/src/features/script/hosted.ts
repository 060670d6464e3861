import { v3Model } from "@/api/hosted";
import type { Generation, Model, Profile } from "@/api/types";
import { speakable, speakerOf, type ScriptContent, type Turn } from "./model";

/** How hosted voices speak a script: not at all, turn by turn, or all turns as one dialogue. */
export type HostedMode = "none" | "turns" | "dialogue";

export const isV3 = (voice: Profile | undefined): boolean =>
  voice?.voice_type === "hosted" && voice.hosted_model_id === v3Model;

/** Reports whether a voice plays a direction in square brackets: v3 plays any, a model on this machine those that it names. */
export const playsTag = (models: readonly Model[], voice: Profile | undefined, direction: string): boolean =>
  isV3(voice) ||
  (models.find(({ model_name }) => model_name === voice?.model_name)?.expressions.includes(direction.toLowerCase()) ??
    false);

export const voiceOf = (script: ScriptContent, turn: Turn, voices: readonly Profile[]): Profile | undefined => {
  const id = speakerOf(script, turn)?.profileId;
  return voices.find((voice) => voice.id === id);
};

/** Returns how hosted voices speak the script. The server decides in the same way. */
export function hostedMode(script: ScriptContent, voices: readonly Profile[]): HostedMode {
  const used = speakable(script).map((turn) => voiceOf(script, turn, voices));
  if (!used.some((voice) => voice?.voice_type === "hosted")) return "none";
  return used.every(isV3) ? "dialogue" : "turns";
}

/** Returns the turns that can have audio tags: those with a hosted voice of v3. */
export const enhanceable = (script: ScriptContent, voices: readonly Profile[]): Turn[] =>
  speakable(script).filter((turn) => isV3(voiceOf(script, turn, voices)));

/** Reports whether a generation is the audio of several turns. */
export const isDialogue = (generation: Generation | undefined): boolean => (generation?.dialogue?.length ?? 0) > 1;

/** Returns each generation once: the turns of a dialogue share one. */
export const distinct = (turns: readonly Generation[]): Generation[] => [
  ...new Map(turns.map((turn) => [turn.id, turn])).values(),
];
