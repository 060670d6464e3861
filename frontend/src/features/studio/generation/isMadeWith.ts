import { v3Model } from "@/api/hosted";
import type { GenerateRequest, Generation, Profile } from "@/api/types";
import type { VoiceModel } from "./voiceModel";

const defaultChunkChars = 400; // of the server

type Parameters = Record<string, unknown>;

function hasLocalSettings(generation: Generation, made: Parameters, body: GenerateRequest): boolean {
  const { normalize = true, limit = true, max_chunk_chars = defaultChunkChars, crossfade_ms = 0, steps, seed } = body;
  return (
    generation.format === (body.format ?? "wav") &&
    (seed === undefined || generation.seed === seed) &&
    (steps === undefined || made["steps"] === steps) &&
    made["normalize"] === normalize &&
    made["limit"] === (normalize && limit) &&
    made["max_chunk_chars"] === max_chunk_chars &&
    made["crossfade_ms"] === crossfade_ms
  );
}

const hostedOptions = ["stability", "similarity_boost", "speaker_boost", "language_override"] as const;

/** Reports whether a request has the voice and the settings of a generation, so that only its text would change. */
export function isMadeWith(
  generation: Generation,
  body: GenerateRequest,
  profile: Profile,
  { engine, model }: VoiceModel,
): boolean {
  const { speed, voice, model_name } = generation;
  const made = generation.receipt?.parameters;
  const modelName = model?.model_name ?? profile.hosted_model_id;
  const voiceId = profile.hosted_voice_id || profile.preset_voice_id;
  const isSameVoice =
    generation.profile_id === body.profile_id &&
    generation.engine === engine &&
    (!modelName || model_name === modelName) &&
    (!voiceId || voice === voiceId);
  if (!made || !isSameVoice) return false;
  if (model_name !== v3Model && speed !== (body.speed ?? profile.speed)) return false; // its speed is fixed
  if (generation.source === "local") return hasLocalSettings(generation, made, body);
  return hostedOptions.every((name) => made[name] === body.hosted?.[name]);
}
