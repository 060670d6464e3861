import { useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import { useCreateProfile } from "@/api/profiles";
import type { Profile } from "@/api/types";
import type { Voice } from "@/features/voices/library";
import { createUnderFreeName } from "./createProfile";

const attempts = 9;

/** Returns the names to try for a profile: American English, American English (2). */
const namesOf = ({ name }: Voice): string[] =>
  Array.from({ length: attempts }, (_, i) => (i === 0 ? name : `${name} (${i + 1})`));

/** Makes the profile of a built-in voice; a name that is taken gets a number. */
export function useAddBuiltIn(onAdded: (profile: Profile) => void) {
  const create = useCreateProfile();
  const [error, setError] = useState<ApiError | null>(null);

  async function add(voice: Voice): Promise<void> {
    if (create.isPending) return;
    setError(null);
    try {
      const { language, preset_engine, preset_voice_id } = voice.profile;
      onAdded(
        await createUnderFreeName(create.mutateAsync, namesOf(voice), {
          voice_type: "preset",
          language,
          preset_engine: preset_engine ?? "",
          preset_voice_id: preset_voice_id ?? "",
        }),
      );
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  }
  return { add: (voice: Voice) => void add(voice), error, isPending: create.isPending };
}
