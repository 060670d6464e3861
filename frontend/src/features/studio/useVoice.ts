import { useProfile, useProfiles } from "@/api/profiles";
import type { Profile } from "@/api/types";
import type { Content } from "./content";

/** The voice of the draft; the first one there is when none was chosen, or the chosen one is gone. */
export function useVoice(content: Content): { profile: Profile | undefined; isLoading: boolean; speed: number } {
  const chosen = useProfile(content.profile_id ?? undefined);
  const all = useProfiles({});
  const fallback = content.profile_id === null || chosen.error?.status === 404;
  const profile = fallback ? all.items.find((voice) => voice.usable) ?? all.items[0] : chosen.data;
  return { profile, isLoading: fallback ? all.isLoading : chosen.isLoading, speed: content.speed ?? profile?.speed ?? 1 };
}
