import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { madeOf, usePeaks } from "@/api/history";
import { keys } from "@/api/keys";
import { isScript, joinedTurns, readScript } from "@/api/scripts";
import { isTranscript } from "@/api/transcriptions";
import type { Sound } from "./state";

type Peaks = readonly (readonly number[])[];

const barCount = 400; // of short audio
const perSecond = 25; // a peak is longer than its loudest moment, so that a pause of half a second needs many
const mostPeaks = 8000; // the limit of the server
const peaksFor = (seconds: number, least = barCount): number =>
  Math.round(Math.max(least, Math.min(mostPeaks, seconds * perSecond)));
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
    joinedTurns(script).map(async (turn) => ({
      seconds: turn.duration,
      peaks: (
        await dataOf(
          api.GET("/history/{generation_id}/peaks", {
            params: {
              path: { generation_id: turn.id },
              query: { n: peaksFor(turn.duration, 100) },
            },
            signal,
          }),
        )
      ).peaks,
    })),
  );
  return { peaks: joinPeaks(parts, script.gap_ms / 1000, peaksFor(script.duration)) };
}

const peaksOfTranscript = (id: string, n: number, signal: AbortSignal) =>
  dataOf(
    api.GET("/transcriptions/{transcript_id}/peaks", { params: { path: { transcript_id: id }, query: { n } }, signal }),
  );

/** The waveform of the player's audio: of a generation, of the joined audio of a script, or of a transcript. */
export function usePlayerPeaks(generation: Sound): Peaks {
  const { id } = generation;
  const ownRoute = isScript(id) || isTranscript(id);
  const count = peaksFor(generation.duration);
  const one = usePeaks(ownRoute ? undefined : generation, count);
  const other = useQuery({
    queryKey: keys.peaks(id, madeOf(generation), count),
    queryFn: ({ signal }) => (isScript(id) ? peaksOfScript(id, signal) : peaksOfTranscript(id, count, signal)),
    enabled: ownRoute,
    staleTime: Infinity,
  });
  return (ownRoute ? other.data?.peaks : one.data?.peaks) ?? none;
}
