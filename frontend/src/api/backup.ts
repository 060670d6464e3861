import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { saveFile } from "./download";
import { ApiError, toApiError, unreachable } from "./errors";
import { trackExport } from "./exports";
import { keys } from "./keys";
import type { CheckedBackup } from "./types";
import { uploadForm } from "./upload";

/** What a backup has besides the library. */
export interface BackupChoice {
  /** The voice prints of known speakers. */
  voice_prints: boolean;
}

/** How large a backup made now would be, in bytes; the server looks at every file, so it is asked only when it is needed. */
export function useBackupSize(choice: BackupChoice, enabled: boolean) {
  return useQuery<{ bytes: number }, ApiError>({
    queryKey: keys.backupSize(choice),
    queryFn: ({ signal }) => dataOf(api.GET("/backup/size", { params: { query: choice }, signal })),
    placeholderData: (before) => before,
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Saves a backup of the library; `name` is what the list of jobs calls it. Returns whether a file was written. */
export async function saveBackup(name: string, choice: BackupChoice, onStart: (id: string) => void): Promise<boolean> {
  const day = new Date();
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
  let saved = false;
  await trackExport(name, async (export_id, signal) => {
    onStart(export_id);
    saved = await saveFile(`voicewright ${date}.zip`, (file) =>
      api.GET("/backup", { params: { query: { export_id, ...choice } }, signal, ...file }),
    );
  });
  return saved;
}

/** Sends a backup to be checked. `onProgress` is called with the part that has been sent, 0 to 1. */
export async function checkBackup(
  file: File,
  options: { signal: AbortSignal; onProgress(part: number): void },
): Promise<CheckedBackup> {
  const form = new FormData();
  form.set("file", file, file.name);
  return (await uploadForm("/restore", form, options)) as CheckedBackup;
}

/** Removes a checked backup; one that is gone already is no error. */
export async function discardBackup(id: string): Promise<void> {
  await api.DELETE("/restore/{restore_id}", { params: { path: { restore_id: id } } }).catch(() => undefined);
}

const pollInterval = 250; // ms
const longestWait = 120_000; // ms, until a server that does not answer counts as gone

/**
 * Replaces the library with a checked backup, and waits until the server has opened it, or the former one in its place. It gives up
 * when the server does not come back, or refuses the token.
 */
export async function restoreBackup(id: string, networkSettings: boolean): Promise<void> {
  await dataOf(
    api.POST("/restore/{restore_id}", {
      params: { path: { restore_id: id } },
      body: { network_settings: networkSettings },
    }),
  );
  const deadline = Date.now() + longestWait;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
    const state = await dataOf(api.GET("/restore")).catch((failure: unknown) => {
      if (toApiError(failure).status === 401) throw failure;
      return null; // it is closing its library
    });
    if (state?.undone) throw new ApiError(0, { code: "restore_undone" });
    if (state && !state.restoring) return;
    if (Date.now() > deadline) throw unreachable(null);
  }
}
