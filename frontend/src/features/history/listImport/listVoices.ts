import type { ListRow } from "@/api/batch";
import { api, dataOf } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Profile } from "@/api/types";
import { previewText } from "@/api/text";

export interface Failure {
  row: ListRow;
  error: ApiError;
}

export type FindProfile = (name: string) => Promise<Profile>;

/** Returns a function that finds each profile once: thousands of rows may have the same voice. */
export function profileFinder(signal: AbortSignal): FindProfile {
  const found = new Map<string, Promise<Profile>>();
  return (name) => {
    const key = name.toLowerCase();
    const profile = found.get(key) ?? profileNamed(name, signal);
    found.set(key, profile);
    return profile;
  };
}

/** Returns the profile with this name, ignoring case. */
async function profileNamed(name: string, signal: AbortSignal): Promise<Profile> {
  const { items } = await dataOf(api.GET("/profiles", { params: { query: { search: name, limit: 100 } }, signal }));
  const found = items.find((profile) => profile.name.toLowerCase() === name.toLowerCase());
  if (!found) throw toApiError({ code: "profile_not_found", detail: `There is no profile "${name}".` });
  return found;
}

/** What no other try changes: the voice does not exist, or does not speak the language. */
const voiceErrors: readonly string[] = [
  "profile_not_found",
  "model_unknown",
  "engine_mismatch",
  "language_not_supported",
  "invalid",
];

/** Returns why the voice of a row cannot speak its language; null if it can, or if only speaking can tell. */
async function voiceError({ voice, language }: ListRow, find: FindProfile, signal: AbortSignal) {
  try {
    const speaker = voice.includes(":") ? { voice } : { profile_id: (await find(voice)).id };
    await previewText({ text: "a", ...speaker, ...(language ? { language } : {}) }, signal);
    return null;
  } catch (problem) {
    const error = toApiError(problem);
    return voiceErrors.includes(error.code) ? error : null;
  }
}

/** Checks each voice of a list once. */
export function checkVoices(rows: readonly ListRow[], describe: (failure: Failure) => string): Promise<ListRow[]> {
  const { signal } = new AbortController();
  const find = profileFinder(signal);
  const checked = new Map<string, ReturnType<typeof voiceError>>();
  return Promise.all(
    rows.map(async (row) => {
      if (row.voice === "" || row.problem !== "") return row;
      const key = JSON.stringify([row.voice, row.language]);
      const check = checked.get(key) ?? voiceError(row, find, signal);
      checked.set(key, check);
      const error = await check;
      return error ? { ...row, problem: describe({ row, error }) } : row;
    }),
  );
}
