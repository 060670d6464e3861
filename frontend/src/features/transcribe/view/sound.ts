import type { Transcript } from "@/api/types";
import { player, type Sound } from "@/player";

/** Returns the audio of a transcript for the player; null if there is none. */
export function soundOf(transcript: Transcript): Sound | null {
  const { id, title, text, duration, audio_url, audio_path } = transcript;
  if (audio_url === "" || transcript.audio_missing) return null;
  return { id, title, text, status: "complete", duration, audio_url, audio_path, chunks: [] };
}

/** Plays a transcript from a position. */
export function playFrom(transcript: Transcript, at: number): void {
  const sound = soundOf(transcript);
  if (sound) player.load(sound, { play: true, at });
}
