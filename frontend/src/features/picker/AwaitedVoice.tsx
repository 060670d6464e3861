import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModel, useModelDetail } from "@/api/models";
import type { ModelVoice, Profile } from "@/api/types";
import { baseLanguage, bareVoice, useVoices, type Voice } from "@/features/voices/library";
import { useToast } from "@/ui";
import { forgetAwaited, useAwaited, type Awaited } from "./awaited";
import { arrived } from "./useWanted";

interface Props {
  place: string;
  /** The id of the profile in use. */
  value: string | undefined;
  /** The picker is open, which chooses the voice by itself. */
  isPicking?: boolean;
  onChoose(profile: Profile, awaited: Awaited): void;
}

/** Chooses a voice whose model was downloaded, unless another one was chosen meanwhile, and says so. Shows nothing. */
export function AwaitedVoice(props: Props) {
  const awaited = useAwaited(props.place);
  const model = useModel(awaited?.model);
  return awaited && model?.downloaded && !props.isPicking ? <Arrival {...props} awaited={awaited} /> : null;
}

/** Returns the first voice of the model that speaks the language, best with its accent. */
function firstOf(voices: readonly Voice[], order: readonly ModelVoice[], language: string): Voice | undefined {
  const place = ({ profile }: Voice) => order.findIndex(({ id }) => id === bareVoice(profile.preset_voice_id ?? ""));
  const rank = ({ profile }: Voice) =>
    profile.language === language ? 0 : baseLanguage(profile.language) === baseLanguage(language) ? 1 : 2;
  return [...voices].sort((a, b) => rank(a) - rank(b) || place(a) - place(b))[0];
}

function Arrival({ place, value, onChoose, awaited }: Props & { awaited: Awaited }) {
  const { t } = useTranslation();
  const toast = useToast();
  const { voices, models, refetch } = useVoices();
  const detail = useModelDetail(awaited.model);
  const [read, setRead] = useState(false); // the list since the download
  useEffect(() => {
    void refetch().finally(() => setRead(true));
  }, [refetch]);
  const isKnown = read && models.length > 0 && !detail.isLoading;
  const finish = useEffectEvent(() => {
    forgetAwaited(place);
    const own = voices.filter(({ profile, shares }) => profile.model_name === awaited.model && shares.length === 0);
    const voice = awaited.voice
      ? arrived({ voice: awaited.voice, before: awaited.before }, voices)
      : firstOf(own, detail.data?.voices_list ?? [], awaited.language);
    const name = voice?.name ?? detail.data?.display_name ?? awaited.model;
    const isChosen = voice !== undefined && value === awaited.inUse;
    if (isChosen) onChoose(voice.profile, awaited);
    toast({ text: t(isChosen ? "awaited.chosen" : "awaited.ready", { name }) });
  });
  useEffect(() => {
    if (isKnown) finish();
  }, [isKnown]);
  return null;
}
