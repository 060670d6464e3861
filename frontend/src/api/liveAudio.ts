import { api, dataOf } from "./client";
import type { LivePeaks } from "./types";

/** Samples of a running generation, as they arrive. */
export interface LiveAudio {
  /** Samples a second. */
  rate: number;
  channels: number;
  /** Seconds: where the first new passage of a changed text begins. */
  newFrom: number;
  /** 16-bit little-endian samples of all channels by turns. */
  body: ReadableStream<Uint8Array>;
}

/**
 * Requests a part of a running generation; it ends early where the generation ends, and is null when that is complete. `seconds`
 * limits its length.
 */
export async function fetchLiveAudio(
  id: string,
  from: number,
  seconds: number,
  signal: AbortSignal,
): Promise<LiveAudio | null> {
  const { data, response } = await api.GET("/generate/{generation_id}/live", {
    params: { path: { generation_id: id }, query: { from, seconds } },
    parseAs: "stream",
    headers: { Accept: "audio/pcm" },
    signal,
  });
  if (!data) return null;
  return {
    rate: Number(response.headers.get("X-Sample-Rate")),
    channels: Number(response.headers.get("X-Channels")),
    newFrom: Number(response.headers.get("X-New-From")),
    body: data as unknown as ReadableStream<Uint8Array>,
  };
}

/** Returns what there is of a running generation after a position. */
export const fetchLivePeaks = (id: string, from: number, signal: AbortSignal): Promise<LivePeaks> =>
  dataOf(
    api.GET("/generate/{generation_id}/live/peaks", {
      params: { path: { generation_id: id }, query: { from } },
      signal,
    }),
  );
