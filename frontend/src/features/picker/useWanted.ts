import { useIsFetching } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { keys } from "@/api/keys";
import type { Model } from "@/api/types";
import { bareVoice, type Voice } from "@/features/voices/library";

/** What waits for a download: a voice whose model is not installed, or a model with all its voices. */
export type Wanted = { key: string; model: Model; voice?: Voice };

/** A voice whose model was downloaded, and the voices that existed before. `looked`: the list was read since. `found`: the voice in that list. */
interface Awaited {
  voice: Voice;
  before: ReadonlySet<string>;
  looked: boolean;
  found?: Voice;
}

/** Finds the voice that was offered before, not a copy of it. For a single-voice model the name is enough. */
export function arrived(
  { voice: { name, profile: offer }, before }: Pick<Awaited, "voice" | "before">,
  voices: readonly Voice[],
): Voice | undefined {
  const isIt = ({ profile, shares }: Voice) =>
    profile.model_name === offer.model_name &&
    shares.length === 0 &&
    (!offer.preset_voice_id || bareVoice(profile.preset_voice_id ?? "") === offer.preset_voice_id);
  const same = voices.filter(isIt).sort((a, b) => a.profile.created_at.localeCompare(b.profile.created_at));
  return same.find(({ profile }) => !before.has(profile.id)) ?? same.find((voice) => voice.name === name) ?? same[0];
}

interface Options {
  models: readonly Model[];
  voices: readonly Voice[];
  error: unknown;
  choose(voice: Voice): void;
  refetch(): Promise<unknown>;
  onBack(): void;
}

/** A voice or model to download first; the voice is chosen once installed, `missing` if the model came without it. */
export function useWanted({ models, voices, error, choose, refetch, onBack }: Options) {
  const [wanted, setWanted] = useState<(Wanted & { before: ReadonlySet<string> }) | null>(null);
  const [awaited, setAwaited] = useState<Awaited | null>(null);
  const isFetching = useIsFetching({ queryKey: keys.profiles }) > 0;
  const model = wanted ? models.find((one) => one.model_name === wanted.model.model_name) : undefined;
  const want = (next: Wanted) => {
    setAwaited(null);
    setWanted({ ...next, before: new Set(voices.map(({ profile }) => profile.id)) });
  };
  const back = useCallback(() => {
    setWanted(null);
    onBack();
  }, [onBack]);
  const ready = useCallback(() => {
    if (wanted?.voice?.offered) {
      setAwaited({ voice: wanted.voice, before: wanted.before, looked: false });
      void refetch().then(() => setAwaited((now) => now && { ...now, looked: true }));
    } else if (wanted?.voice) choose(wanted.voice);
    back();
  }, [wanted, choose, back, refetch]);
  const found = awaited ? (awaited.found ?? arrived(awaited, voices)) : undefined;
  if (awaited && found && !awaited.found) setAwaited({ ...awaited, found });
  const chooseFound = useEffectEvent(choose);
  useEffect(() => {
    if (found) chooseFound(found);
  }, [found]);
  const missing = awaited?.looked && !isFetching && !error && !found ? awaited.voice : undefined;
  const giveUp = () => {
    setAwaited(null);
    onBack();
  };
  return { wanted: model ? wanted : null, model, want, ready, back, missing, giveUp };
}
