import { useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useCreateProfile } from "@/api/profiles";
import type { Profile } from "@/api/types";
import type { Voice } from "@/features/voices/library";

const attempts = 9;

/** Makes the profile of a built-in voice; a name that is taken gets a number. */
export function useAddBuiltIn(onAdded: (profile: Profile) => void) {
  const create = useCreateProfile();
  const [error, setError] = useState<ApiError | null>(null);

  async function make({ name, profile }: Voice, attempt = 1): Promise<Profile> {
    try {
      return await create.mutateAsync({
        name: attempt === 1 ? name : `${name} (${String(attempt)})`,
        voice_type: "preset",
        language: profile.language,
        preset_engine: profile.preset_engine ?? "",
        preset_voice_id: profile.preset_voice_id ?? "",
      });
    } catch (thrown) {
      if (toApiError(thrown).code !== "name_taken" || attempt >= attempts) throw thrown;
      return make({ name, profile } as Voice, attempt + 1);
    }
  }
  async function add(voice: Voice): Promise<void> {
    if (create.isPending) return;
    setError(null);
    try {
      onAdded(await make(voice));
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  }
  return { add: (voice: Voice) => void add(voice), error, isPending: create.isPending };
}
