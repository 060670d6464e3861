import { useEffect } from "react";
import type { Profile } from "@/api/types";
import { useProfile } from "@/api/profiles";
import { type UsableVoice, useFallback } from "@/features/voices/library";
import { useStore } from "@/lib/store";
import type { TextDocument } from "../drafts/textDocument";
import type { TextStore } from "../drafts/textStore";

const isNotFound = (query: { error: { status: number } | null }): boolean => query.error?.status === 404;

/** Returns the voice of the draft. */
export function useVoice(document: TextDocument): UsableVoice & { speed: number } {
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
