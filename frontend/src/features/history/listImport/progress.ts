import * as v from "valibot";
import { completeOf, type ListRow } from "@/api/batch";
import { audioFormats, type AudioFormat } from "@/api/formats";
import type { Profile } from "@/api/types";
import { storedValue } from "@/lib/storedValue";

/** What rows without a voice or a format get. */
export interface ListOptions {
  profile: Pick<Profile, "id" | "voice_type">;
  format: AudioFormat;
}

/** The generations of a list's rows by the keys of the rows. */
export interface Progress {
  /** The profile and format that the list was generated with. */
  profile: string;
  format: AudioFormat;
  ids: Readonly<Record<string, string>>;
  /** Ids of the generations that are complete; the others are running, failed or deleted. */
  complete: ReadonlySet<string>;
}

export const noProgress: Progress = { profile: "", format: "wav", ids: {}, complete: new Set() };

const nothing = { name: "", profile: "", format: "wav" as AudioFormat, ids: {} };

/**
 * The generations of the last list, so that it continues after the window was closed. An id is stored as soon as the server has
 * accepted the row, not when its audio is complete: what was being generated while the window closed is found again, and is not
 * generated twice. 10,000 rows take about half a megabyte of the 5 that local storage has.
 */
const stored = storedValue(
  "voicewright.list",
  v.object({
    name: v.string(),
    profile: v.string(),
    format: v.picklist(audioFormats),
    ids: v.record(v.string(), v.string()),
  }),
  nothing,
);

export const saveProgress = (name: string, { profile, format, ids }: Omit<Progress, "complete">): void =>
  stored.write({ name, profile, format, ids });

export const forgetProgress = (): void => stored.write(nothing);

/** Returns the progress of the list with this name. Rows whose generation was deleted meanwhile are not complete. */
export async function readProgress(name: string): Promise<Progress> {
  const { name: last, ...saved } = stored.read();
  return last === name ? { ...saved, complete: await completeOf(Object.values(saved.ids)) } : noProgress;
}

/** Returns a number for a text that differs for different texts (cyrb53). */
function hash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Returns a key for each row that stays the same when the list is read again; equal rows are numbered. */
export function keysOf(rows: readonly ListRow[], { profile, format }: ListOptions): string[] {
  const seen = new Map<string, number>();
  return rows.map(({ text, name, voice, language, speed, format: own }) => {
    const key = hash(JSON.stringify([text, name, voice, language, speed, own || format, voice || profile.id]));
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${key}:${String(count)}`;
  });
}

/** Returns the ids of complete generations in the order of the rows; undefined for a row without one. */
export function completeIds(
  rows: readonly ListRow[],
  { ids, complete }: Progress,
  options: ListOptions,
): (string | undefined)[] {
  return keysOf(rows, options).map((key) => {
    const id = ids[key];
    return id !== undefined && complete.has(id) ? id : undefined;
  });
}
