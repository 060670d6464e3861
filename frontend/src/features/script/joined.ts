import type { QueryClient } from "@tanstack/react-query";
import { api, saveGet } from "@/api/client";
import { keys } from "@/api/keys";
import type { Generation, Script } from "@/api/types";
import { player } from "@/player";

const barCount = 400; // as many as the player asks for

/** The joined file as the player takes it: one chunk a turn. */
export function asGeneration(script: Script): Generation | null {
  const first = script.turns[0];
  if (!first || !script.audio_url) return null;
  let at = 0;
  const chunks = script.turns.map((turn) => {
    const start = at;
    at = start + turn.duration + script.gap_ms / 1000;
    return { text: turn.text, start, end: start + turn.duration, take: Math.max(0, ...turn.chunks.map((c) => c.take)), takes: 1 };
  });
  return {
    ...first, id: script.id, title: script.title, text: script.turns.map((turn) => turn.text).join("\n"), status: "complete", error: null, receipt: null, format: "wav",
    audio_url: script.audio_url, audio_path: script.audio_path, duration: script.duration, sample_rate: script.sample_rate, chunks,
  };
}

/** The server keeps shapes of single turns; put behind each other they are that of the file. */
export function joinPeaks(parts: readonly { peaks: readonly number[][]; seconds: number }[], gap: number, n = barCount): number[][] {
  const total = parts.reduce((sum, part) => sum + part.seconds, 0) + gap * Math.max(0, parts.length - 1);
  const out: number[][] = [];
  let at = 0;
  for (const { peaks, seconds } of parts) {
    const from = Math.round((at / total) * n);
    const count = Math.round(((at + seconds) / total) * n) - from;
    while (out.length < from) out.push([0, 0]);
    for (let i = 0; i < count; i += 1) out.push(peaks[Math.floor((i * peaks.length) / count)] ?? [0, 0]);
    at += seconds + gap;
  }
  return out;
}

async function seedPeaks(client: QueryClient, script: Script, whole: Generation): Promise<void> {
  const parts = await Promise.all(script.turns.map(async (turn) => ({
    seconds: turn.duration,
    peaks: (await api.get("/history/{generation_id}/peaks", { path: { generation_id: turn.id }, query: { n: 100 } })).peaks,
  })));
  const made = `${whole.duration}:${whole.chunks.map((c) => c.take).join(",")}`;
  client.setQueryData(keys.peaks(whole.id, made, barCount), { peaks: joinPeaks(parts, script.gap_ms / 1000) });
}

/** Plays the joined file; without the shapes of its turns the sound plays all the same. */
export async function playJoined(client: QueryClient, script: Script): Promise<void> {
  const whole = asGeneration(script);
  if (!whole) return;
  await seedPeaks(client, script, whole).catch(() => undefined);
  player.load(whole, { play: true });
}

/** Saves the joined file. */
export async function saveJoined(id: string, name: string): Promise<void> {
  await saveGet("/audio/{id}", { path: { id } }, `${name}.wav`);
}
