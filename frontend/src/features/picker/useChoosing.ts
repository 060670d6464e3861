import { useCallback } from "react";
import type { Profile } from "@/api/types";
import { type Entry, isBuiltInOffer, isHosted, type Voice } from "@/features/voices/library";
import { awaitVoice, forgetAwaited } from "./awaited";
import { canUse } from "./HostedChoice";
import type { VoicePickerProps } from "./props";
import { useAddBuiltIn } from "./useAddBuiltIn";
import { useAddHosted } from "./useAddHosted";
import { useWanted } from "./useWanted";

type Options = Omit<Parameters<typeof useWanted>[0], "choose"> &
  Pick<VoicePickerProps, "onChoose" | "onClose" | "place" | "value">;

/** Chooses a row: at once, after its profile is made, or after the download of its model. */
export function useChoosing({ onChoose, onClose, place, value, ...lists }: Options) {
  const chooseProfile = useCallback(
    (profile: Profile) => {
      if (place !== undefined) forgetAwaited(place);
      onChoose(profile);
      onClose();
    },
    [onChoose, onClose, place],
  );
  const choose = useCallback(({ profile }: Voice) => chooseProfile(profile), [chooseProfile]);
  const { want, ...waiting } = useWanted({ ...lists, choose });
  const { wanted } = waiting;
  const adding = useAddHosted(chooseProfile);
  const addingBuiltIn = useAddBuiltIn(chooseProfile);
  function takeVoice(key: string, voice: Voice): void {
    if (!canUse(voice)) return;
    if (isHosted(voice) && voice.hosted && voice.offered) adding.add(voice.hosted);
    else if (isHosted(voice)) choose(voice);
    else if (isBuiltInOffer(voice)) addingBuiltIn.add(voice);
    else if (voice.state !== "missing") choose(voice);
    else if (voice.model) want({ key, model: voice.model, voice });
  }
  return {
    ...waiting,
    choose,
    adding,
    addingBuiltIn,
    take(entry: Entry): void {
      if (entry.kind === "voice") takeVoice(entry.key, entry.voice);
      else if (entry.kind === "model") want(entry);
      else if (entry.kind === "group" && entry.toGet) want({ key: entry.key, model: entry.toGet });
    },
    /** The voice of the running download is chosen, also when the picker is closed by then. */
    remember(): void {
      if (place === undefined || !wanted?.voice) return;
      awaitVoice(place, {
        model: wanted.model.model_name,
        voice: wanted.voice,
        language: wanted.voice.profile.language,
        inUse: value,
        before: wanted.before,
      });
    },
    forget(): void {
      if (place !== undefined) forgetAwaited(place);
    },
  };
}

export type Choosing = ReturnType<typeof useChoosing>;
