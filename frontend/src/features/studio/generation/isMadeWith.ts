import type { GenerateRequest, Generation, Profile } from "@/api/types";
import type { VoiceModel } from "./voiceModel";

const defaultChunkChars = 400; // of the server

/** Reports whether a request has the voice and the settings of a generation, so that only its text would change. */
export function isMadeWith(
  generation: Generation,
  body: GenerateRequest,
  profile: Profile,
  { engine, model }: VoiceModel,
): boolean {
  const { normalize = true, limit = true, max_chunk_chars = defaultChunkChars, crossfade_ms = 0, steps } = body;
  const made = generation.receipt?.parameters;
  if (!made || generation.source !== "local") return false;
  const isSameVoice =
    generation.profile_id === body.profile_id &&
    generation.engine === engine &&
    (model === undefined || generation.model_name === model.model_name) &&
    (!profile.preset_voice_id || generation.voice === profile.preset_voice_id);
  const isSameSpeech =
    generation.speed === (body.speed ?? profile.speed) &&
    (body.seed === undefined || generation.seed === body.seed) &&
    made["max_chunk_chars"] === max_chunk_chars &&
    (steps === undefined || made["steps"] === steps);
  const isSameFile =
    generation.format === (body.format ?? "wav") &&
    made["normalize"] === normalize &&
    made["limit"] === (normalize && limit) &&
    made["crossfade_ms"] === crossfade_ms;
  return isSameVoice && isSameSpeech && isSameFile;
}
