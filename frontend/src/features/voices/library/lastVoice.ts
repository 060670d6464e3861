import { useProfile, useProfiles } from "@/api/profiles";
import type { Profile } from "@/api/types";

const lastKey = "voicewright.studio.voice";

function lastVoice(): string | undefined {
  try {
    return localStorage.getItem(lastKey) ?? undefined;
  } catch {
    return undefined; // no storage: the default voice is used
  }
}

/** Stores the voice that the next draft or book without one begins with. */
export function rememberVoice(id: string): void {
  try {
    localStorage.setItem(lastKey, id);
  } catch {
    // no storage: the default voice is used
  }
}

export interface UsableVoice {
  profile: Profile | undefined;
  isLoading: boolean;
}

/** Returns the voice for a draft or book without one: the last used, else the program's default, which is the oldest. */
export function useFallback(): UsableVoice {
  const id = lastVoice();
  const last = useProfile(id);
  const defaults = useProfiles({ voice_type: "default", sort: "oldest" });
  if (id !== undefined && last.isLoading) return { profile: undefined, isLoading: true };
  if (last.data?.usable) return { profile: last.data, isLoading: false };
  return { profile: defaults.items.find((voice) => voice.usable), isLoading: defaults.isLoading };
}
