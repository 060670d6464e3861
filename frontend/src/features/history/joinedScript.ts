import { hasEnded, type Chunk, type Generation, type Script } from "@/api/types";

export function nameOf(script: Script): string {
  return script.title || (script.turns[0]?.text.slice(0, 80) ?? "");
}

/** The turns as parts of the joined sound, so that the player shows which one speaks. */
function turnsAsChunks(script: Script): Chunk[] {
  let at = 0;
  return script.turns.filter((turn) => turn.status === "complete").map((turn) => {
    const chunk = { text: turn.text, start: at, end: at + turn.duration, take: 0, takes: 1 };
    at = chunk.end + script.gap_ms / 1000;
    return chunk;
  });
}

/** The joined sound of a script as the player takes it; null until it is made. */
export function joinedSound(script: Script): Generation | null {
  const first = script.turns[0];
  if (!script.audio_url || !first) return null;
  return {
    ...first, id: script.id, title: nameOf(script), text: script.turns.map((turn) => turn.text).join("\n"), status: "complete", audio_url: script.audio_url,
    audio_path: script.audio_path, duration: script.duration, sample_rate: script.sample_rate, chunks: turnsAsChunks(script), receipt: null, parent_id: null,
  };
}

/** Whether every turn has its sound, so that they can be joined. */
export const canJoin = (script: Script): boolean => script.turns.length > 0 && script.turns.every((turn) => turn.status === "complete");
export const isRunning = (script: Script): boolean => script.turns.some((turn) => !hasEnded(turn.status));
