import { apiUrl } from "@/api/client";
import { readGeneration } from "@/api/generations";
import { isScript, readScript } from "@/api/scripts";
import { isTranscript, readTranscript } from "@/api/transcriptions";
import type { Sound } from "./state";

/** Returns the same sound with an audio address that is valid for another hour. */
export async function withNewAddress(sound: Sound): Promise<Sound> {
  const { id } = sound;
  if (!isScript(id) && !isTranscript(id)) return readGeneration(id);
  const { audio_url, audio_path, duration } = await (isScript(id) ? readScript(id) : readTranscript(id));
  return { ...sound, audio_url, audio_path, duration };
}

/** Returns the address of the audio, another one for each version of its file, so that no buffer returns a former one. */
export function addressOf({ audio_url, audio_path }: Pick<Sound, "audio_url" | "audio_path">): string {
  const version = /\.(\d+)\.\w+$/.exec(audio_path)?.[1];
  return apiUrl(version === undefined ? audio_url : `${audio_url}&version=${version}`);
}
