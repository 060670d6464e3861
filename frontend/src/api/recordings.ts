import { useQuery } from "@tanstack/react-query";
import * as v from "valibot";
import { createStore, useStore } from "@/lib/store";
import { api, asEvents, asFile, dataOf } from "./client";
import type { ApiError } from "./errors";
import { parsed } from "./eventSchemas";
import { readEvents } from "./eventStream";
import type { AudioDevice, Recording } from "./types";

const idKey = "voicewright.recording";
const current = createStore<Recording | null>(null);
let following: AbortController | null = null;

const failure = v.object({ code: v.string(), detail: v.string(), remedy: v.string() });
const state = v.object({
  id: v.string(),
  status: v.picklist(["recording", "paused", "stopped", "failed"]),
  purpose: v.picklist(["transcript", "sample", "dictation"]),
  device: v.string(),
  seconds: v.number(),
  level_db: v.number(),
  peak_db: v.number(),
  clipped: v.boolean(),
  dropped: v.number(),
  error: v.nullable(failure),
});

/** The microphones of this machine. */
export function useRecordingDevices(enabled: boolean) {
  return useQuery<readonly AudioDevice[], ApiError>({
    queryKey: ["recording-devices"],
    queryFn: async ({ signal }) => (await dataOf(api.GET("/recordings/devices", { signal }))).items,
    enabled,
    staleTime: 0, // a microphone may have been plugged in
  });
}

/** The recording of this window; null while none is open. */
export const useRecording = (): Recording | null => useStore(current);

let after: string | null = null; // shown when the open recording is done

function forget(): void {
  following?.abort();
  following = null;
  current.set(null);
  sessionStorage.removeItem(idKey);
  const next = after;
  after = null;
  if (next) void recorder.reopen(next);
}

/** Reads the level and the status until the recording ends. */
async function follow(id: string): Promise<void> {
  following?.abort();
  const abort = new AbortController();
  following = abort;
  try {
    const params = { path: { recording_id: id } };
    const body = await dataOf(
      api.GET("/recordings/{recording_id}/events", { params, signal: abort.signal, ...asEvents }),
    );
    for await (const { data } of readEvents(body)) {
      const next = parsed(state, data);
      if (next && current.get()?.id === id) current.set(next);
    }
  } catch {
    // The recording goes on; its buttons still work.
  }
}

function open(recording: Recording): void {
  sessionStorage.setItem(idKey, recording.id);
  current.set(recording);
  void follow(recording.id);
}

/** Deletes a recording, also while the window closes. */
export async function deleteRecording(id: string): Promise<void> {
  await dataOf(api.DELETE("/recordings/{recording_id}", { params: { path: { recording_id: id } }, keepalive: true }));
}

export function fetchRecording(id: string): Promise<Blob> {
  return dataOf(api.GET("/recordings/{recording_id}/audio", { params: { path: { recording_id: id } }, ...asFile }));
}

export const recorder = {
  async start(device: string, purpose: Recording["purpose"] = "transcript"): Promise<void> {
    open(await dataOf(api.POST("/recordings", { body: { purpose, ...(device ? { device } : {}) } })));
  },
  /**
   * Shows a recording again: the one that was open before the page was reloaded, unless another is named. While there
   * is another one, it waits for its end.
   */
  async reopen(id = sessionStorage.getItem(idKey)): Promise<void> {
    const shown = current.get();
    if (shown && shown.id !== id) after = id;
    if (!id || shown) return;
    try {
      open(await dataOf(api.GET("/recordings/{recording_id}", { params: { path: { recording_id: id } } })));
    } catch {
      sessionStorage.removeItem(idKey); // it was deleted
    }
  },
  async pause(id: string): Promise<void> {
    current.set(await dataOf(api.POST("/recordings/{recording_id}/pause", { params: { path: { recording_id: id } } })));
  },
  async resume(id: string): Promise<void> {
    current.set(
      await dataOf(api.POST("/recordings/{recording_id}/resume", { params: { path: { recording_id: id } } })),
    );
  },
  /** Stops the recording, of which a transcript or a sample is made then. */
  async stop(id: string): Promise<Recording> {
    return dataOf(api.POST("/recordings/{recording_id}/stop", { params: { path: { recording_id: id } } }));
  },
  async discard(id: string): Promise<void> {
    await deleteRecording(id);
    forget();
  },
  /** Forgets a recording that has been handed on. */
  done: forget,
};
