import { useState } from "react";
import { useStore } from "@/lib/store";
import { hasV3 } from "./drafts/textDocument";
import type { TextStore } from "./drafts/textStore";
import { rememberVoice } from "@/features/voices/library";
import { useStoredVoice, useVoice } from "./generation/useVoice";
import { useVoiceModel } from "./generation/voiceModel";

/** Where a voice that is being downloaded is chosen. */
export const place = "studio";

/** The voice of the open text, and the picker for another one. */
export function useVoiceChoice(draftStore: TextStore) {
  const { document } = useStore(draftStore.state);
  const { profile, isLoading, speed } = useVoice(document);
  const voiceModel = useVoiceModel(profile);
  useStoredVoice(draftStore, profile);
  const [isPicking, setPicking] = useState(false);
  return {
    profile,
    isLoading,
    speed,
    voiceModel,
    isHosted: profile?.voice_type === "hosted",
    isV3: hasV3(profile),
    isPicking,
    pick: (): void => setPicking(true),
    closePicker: (): void => setPicking(false),
    choose: (profile_id: string): void => {
      draftStore.change((before) => ({ ...before, profile_id }));
      rememberVoice(profile_id);
    },
  };
}

export type VoiceChoice = ReturnType<typeof useVoiceChoice>;
