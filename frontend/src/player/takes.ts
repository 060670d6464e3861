import { api, asFile, dataOf } from "@/api/client";
import { failureOf } from "@/api/errors";
import type { Sound } from "./state";

/** Identifies a take of a chunk of a generation. */
export interface TakeOf {
  id: string;
  /** The file of the generation: after a change of the text it has another one, and its takes are others. */
  file: string;
  chunk: number;
  take: number;
}

export const takeOf = (
  { id, audio_path: file }: Pick<Sound, "id" | "audio_path">,
  chunk: number,
  take: number,
): TakeOf => ({
  id,
  file,
  chunk,
  take,
});

const chunkKey = ({ id, file, chunk }: Omit<TakeOf, "take">): string => `${id}:${file}:${chunk}:`;
export const takeKey = (of: TakeOf): string => `${chunkKey(of)}${of.take}`;

const kept = 3; // decoded takes in memory: two that are compared, and the one before
const decodedRate = 48_000; // of most devices
const sounds = new Map<string, Promise<AudioBuffer>>();

async function load({ id, chunk, take }: TakeOf): Promise<AudioBuffer> {
  const params = { path: { generation_id: id, n: chunk, take } };
  const file = await dataOf(api.GET("/history/{generation_id}/chunks/{n}/takes/{take}", { params, ...asFile }));
  const decoder = new OfflineAudioContext(1, 1, decodedRate);
  return decoder.decodeAudioData(await file.arrayBuffer()).catch((error: Error) => {
    throw failureOf({ code: "not_playable", detail: error.message, remedy: "" });
  });
}

/** Returns the audio of a take, chosen or not. A take never changes. */
export function takeSound(of: TakeOf): Promise<AudioBuffer> {
  const key = takeKey(of);
  const sound = sounds.get(key) ?? load(of);
  sounds.delete(key);
  sounds.set(key, sound);
  sound.catch(() => sounds.delete(key));
  const [oldest = ""] = sounds.keys();
  if (sounds.size > kept) sounds.delete(oldest);
  return sound;
}

/** Drops the audio of the takes of a chunk from memory. */
export function dropTakeSounds(of: Omit<TakeOf, "take">): void {
  for (const key of [...sounds.keys()]) if (key.startsWith(chunkKey(of))) sounds.delete(key);
}
