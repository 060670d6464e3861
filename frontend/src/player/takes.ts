import { api, asFile, dataOf } from "@/api/client";
import type { Generation } from "@/api/types";

/** Identifies a take of a chunk of a generation. */
export interface TakeOf {
  id: string;
  chunk: number;
  take: number;
}

export const takeKey = ({ id, chunk, take }: TakeOf): string => `${id}:${chunk}:${take}`;

const kept = 12; // takes whose audio stays in memory
const sounds = new Map<string, string>();
const lengths = new Map<string, number>();

/** Returns the seconds of a take, if this window has seen or played it. */
export const secondsOf = (of: TakeOf): number | undefined => lengths.get(takeKey(of));

export function noteLength(of: TakeOf, seconds: number): void {
  if (Number.isFinite(seconds)) lengths.set(takeKey(of), seconds);
}

/** Remembers the lengths of chosen takes, the only ones that the server reports, for when another one is chosen. */
export function noteLengths({ id, chunks }: Generation): void {
  chunks.forEach(({ start, end, take }, chunk) => noteLength({ id, chunk, take }, end - start));
}

function keep(key: string, url: string): void {
  sounds.set(key, url);
  const oldest = sounds.size > kept ? [...sounds][0] : undefined;
  if (!oldest) return;
  URL.revokeObjectURL(oldest[1]);
  sounds.delete(oldest[0]);
}

/** Returns the address of the audio of a take, chosen or not. A take never changes. */
export async function takeSound(of: TakeOf): Promise<string> {
  const known = sounds.get(takeKey(of));
  if (known) return known;
  const { id, chunk, take } = of;
  const params = { path: { generation_id: id, n: chunk, take } };
  const url = URL.createObjectURL(
    await dataOf(api.GET("/history/{generation_id}/chunks/{n}/takes/{take}", { params, ...asFile })),
  );
  keep(takeKey(of), url);
  return url;
}
