import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { usePeaks } from "@/api/history";
import { keys } from "@/api/keys";
import { isScript, readScript } from "@/api/scripts";
import type { Generation } from "@/api/types";

type Peaks = readonly (readonly number[])[];

const barCount = 400; // of short audio; longer audio has a peak for each sixth of a second, to include its pauses
const mostPeaks = 8000; // the limit of the server
const peaksFor = (seconds: number): number => Math.round(Math.max(barCount, Math.min(mostPeaks, seconds * 6)));
const none: Peaks = [];

/** The server stores the waveforms of single turns; concatenated they are that of the joined audio. */
export function joinPeaks(parts: readonly { peaks: Peaks; seconds: number }[], gap: number, n = barCount): number[][] {
  const total = parts.reduce((sum, part) => sum + part.seconds, 0) + gap * Math.max(0, parts.length - 1);
  const out: number[][] = [];
  let at = 0;
  for (const { peaks, seconds } of parts) {
    const from = Math.round((at / total) * n);
    const count = Math.round(((at + seconds) / total) * n) - from;
    while (out.length < from) out.push([0, 0]);
    for (let i = 0; i < count; i += 1) out.push([...(peaks[Math.floor((i * peaks.length) / count)] ?? [0, 0])]);
    at += seconds + gap;
  }
  return out;
}

async function peaksOfScript(id: string, signal: AbortSignal): Promise<{ peaks: number[][] }> {
  const script = await readScript(id, signal);
  const parts = await Promise.all(
    script.turns
      .filter((turn) => turn.status === "complete")
      .map(async (turn) => ({
        seconds: turn.duration,
        peaks: (
          await dataOf(
            api.GET("/history/{generation_id}/peaks", {
              params: {
                path: { generation_id: turn.id },
                query: { n: Math.max(100, Math.min(mostPeaks, Math.round(turn.duration * 6))) },
              },
              signal,
            }),
          )
        ).peaks,
      })),
  );
  return { peaks: joinPeaks(parts, script.gap_ms / 1000, peaksFor(script.duration)) };
}

/** The waveform of the player's audio: of a generation, or of the joined audio of a script. */
export function usePlayerPeaks(generation: Generation): Peaks {
  const joined = isScript(generation.id);
  const count = peaksFor(generation.duration);
  const one = usePeaks(joined ? undefined : generation, count);
  const made = `${generation.duration}:${generation.chunks.map((chunk) => chunk.take).join(",")}`;
  const whole = useQuery({
    queryKey: keys.peaks(generation.id, made, count),
    queryFn: ({ signal }) => peaksOfScript(generation.id, signal),
    enabled: joined,
    staleTime: Infinity,
  });
  return (joined ? whole.data?.peaks : one.data?.peaks) ?? none;
}
