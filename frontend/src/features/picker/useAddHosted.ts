import { useState } from "react";
import { toApiError, type ApiError } from "@/api/errors";
import type { HostedVoice } from "@/api/hosted";
import { readProfile, useCreateProfile } from "@/api/profiles";
import type { Profile } from "@/api/types";
import { createUnderFreeName } from "./createProfile";

const attempts = 10;

/** Returns the names to try for a profile: Aria, Aria (ProviderA), Aria (ProviderA 2). */
const namesOf = ({ name, provider }: HostedVoice): string[] =>
  Array.from({ length: attempts }, (_, i) => (i === 0 ? name : `${name} (${provider}${i === 1 ? "" : ` ${i}`})`));

/** Finds or makes the profile of a hosted voice, with the chosen model. */
export function useAddHosted(onAdded: (profile: Profile) => void) {
  const create = useCreateProfile();
  const [state, setState] = useState<{ isPending: boolean; error: ApiError | null }>({ isPending: false, error: null });
  const [models, setModels] = useState<ReadonlyMap<string, string>>(new Map());
  const modelOf = (voice: HostedVoice): string => models.get(voice.id) ?? voice.model;

  const make = (voice: HostedVoice): Promise<Profile> =>
    createUnderFreeName(create.mutateAsync, namesOf(voice), {
      voice_type: "hosted",
      language: voice.language,
      hosted_voice_id: voice.id,
      hosted_model_id: modelOf(voice),
    });
  async function add(voice: HostedVoice): Promise<void> {
    if (state.isPending) return;
    setState({ isPending: true, error: null });
    try {
      onAdded(await (voice.profile_id ? readProfile(voice.profile_id) : make(voice)));
      setState({ isPending: false, error: null });
    } catch (thrown) {
      setState({ isPending: false, error: toApiError(thrown) });
    }
  }
  return {
    ...state,
    add: (voice: HostedVoice) => void add(voice),
    modelOf,
    setModel: (voice: HostedVoice, model: string) => setModels((before) => new Map(before).set(voice.id, model)),
  };
}

export type AddHosted = ReturnType<typeof useAddHosted>;
