import { useEffect } from "react";
import { useProfile, useProfiles } from "@/api/profiles";
import type { Profile } from "@/api/types";
import { useStore } from "@/lib/store";
import type { TextDocument } from "../drafts/textDocument";
import type { TextStore } from "../drafts/textStore";

const lastKey = "voicewright.studio.voice";

function lastVoice(): string | undefined {
  try {
    return localStorage.getItem(lastKey) ?? undefined;
  } catch {
    return undefined; // no storage: the default voice is used
  }
}

/** Stores the voice that the next draft without one begins with. */
export function rememberVoice(id: string): void {
  try {
    localStorage.setItem(lastKey, id);
  } catch {
    // no storage: the default voice is used
  }
}

interface Voice {
  profile: Profile | undefined;
  isLoading: boolean;
}

const isNotFound = (query: { error: { status: number } | null }): boolean => query.error?.status === 404;

/** Returns the voice for a draft without one: the last used, else the program's default, which is the oldest. */
export function useFallback(): Voice {
  const id = lastVoice();
  const last = useProfile(id);
  const defaults = useProfiles({ voice_type: "default", sort: "oldest" });
  if (id !== undefined && last.isLoading) return { profile: undefined, isLoading: true };
  if (last.data?.usable) return { profile: last.data, isLoading: false };
  return { profile: defaults.items.find((voice) => voice.usable), isLoading: defaults.isLoading };
}

/** Returns the voice of the draft. */
export function useVoice(document: TextDocument): Voice & { speed: number } {
  const chosen = useProfile(document.profile_id ?? undefined);
  const fallback = useFallback();
  const isFallback =
    document.profile_id === null ||
    isNotFound(chosen) ||
    (chosen.isLoading && fallback.profile?.id === document.profile_id);
  const voice = isFallback ? fallback : { profile: chosen.data, isLoading: chosen.isLoading };
  return { ...voice, speed: document.speed ?? voice.profile?.speed ?? 1 };
}

/** Stores the voice in a draft without one at its first change, so that the draft keeps it. */
export function useStoredVoice(draftStore: TextStore, profile: Profile | undefined): void {
  const { saving, document } = useStore(draftStore.state);
  const unsavedVoice = saving !== "clean" && document.profile_id === null ? profile?.id : undefined;
  useEffect(() => {
    if (unsavedVoice !== undefined) draftStore.change((before) => ({ ...before, profile_id: unsavedVoice }));
  }, [draftStore, unsavedVoice]);
}
