import { useCallback, useEffect, useState } from "react";
import type { Model } from "@/api/types";
import { bareVoice } from "./mix";
import type { Voice } from "./voice";

/** What waits for a download: a voice whose model is not here, or a model with all its voices. */
export type Wanted = { key: string; model: Model; voice?: Voice };

/** The voice of this machine that was offered before its model was here. A model of one voice needs no more than its name. */
const arrived = ({ profile }: Voice, voices: readonly Voice[]): Voice | undefined =>
  voices.find((voice) => voice.profile.model_name === profile.model_name && voice.shares.length === 0 && (!profile.preset_voice_id || bareVoice(voice.profile.preset_voice_id ?? "") === profile.preset_voice_id));

/** A voice or a model that is wanted and must be downloaded first; the voice is chosen as soon as it is here. */
export function useWanted({ models, voices, choose, refetch, onBack }: { models: readonly Model[]; voices: readonly Voice[]; choose(voice: Voice): void; refetch(): unknown; onBack(): void }) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [awaited, setAwaited] = useState<Voice | null>(null);
  const model = wanted ? models.find((one) => one.model_name === wanted.model.model_name) : undefined;
  const back = useCallback(() => { setWanted(null); onBack(); }, [onBack]);
  const ready = useCallback(() => {
    if (wanted?.voice?.offered) { setAwaited(wanted.voice); void refetch(); }
    else if (wanted?.voice) choose(wanted.voice);
    back();
  }, [wanted, choose, back, refetch]);
  useEffect(() => {
    const here = awaited ? arrived(awaited, voices) : undefined;
    if (here) choose(here);
  }, [awaited, voices, choose]);
  return { wanted: model ? wanted : null, model, want: setWanted, ready, back };
}
