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

const versions = new Map<string, string>();

/** Forgets the takes of a generation whose text or level has changed: its chunks have other numbers and samples now. */
function noteVersion({ id, text, receipt }: Generation): void {
  const version = `${receipt?.gain_db ?? 0}:${text}`;
  if (versions.get(id) !== version) forget(id);
  versions.set(id, version);
}

function forget(id: string): void {
  const isOf = (key: string) => key.startsWith(`${id}:`);
  for (const [key, url] of [...sounds].filter(([key]) => isOf(key))) {
    URL.revokeObjectURL(url);
    sounds.delete(key);
  }
  for (const key of [...lengths.keys()].filter(isOf)) lengths.delete(key);
}

/** Remembers the lengths of chosen takes, the only ones that the server reports, for when another one is chosen. */
export function noteLengths(generation: Generation): void {
  noteVersion(generation);
  const { id, chunks } = generation;
  chunks.forEach(({ start, end, take }, chunk) => noteLength({ id, chunk, take }, end - start));
}

function keep(key: string, url: string): void {
  sounds.set(key, url);
  const oldest = sounds.size > kept ? [...sounds][0] : undefined;
  if (!oldest) return;
  URL.revokeObjectURL(oldest[1]);
  sounds.delete(oldest[0]);
}

/** Returns the address of the audio of a take, chosen or not. A take never changes as long as the text does not. */
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
