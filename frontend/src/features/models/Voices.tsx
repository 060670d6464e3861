import { Loader, Play, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import { fetchPreview, useProfiles } from "@/api/profiles";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { player } from "@/player";
import { Button, ErrorBox, IconButton, Portrait } from "@/ui";

interface Sound { id: string; state: "fetching" | "playing" }

/** Plays one preview at a time; what the window plays else is paused for it. */
function usePreview() {
  const [sound, setSound] = useState<Sound | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const playing = useRef<{ audio: HTMLAudioElement; abort: AbortController } | null>(null);
  const quiet = () => {
    playing.current?.abort.abort();
    playing.current?.audio.pause();
    playing.current = null;
  };
  useEffect(() => quiet, []);
  const stop = () => { quiet(); setSound(null); };
  const play = async (id: string) => {
    stop();
    const mine = { audio: new Audio(), abort: new AbortController() };
    playing.current = mine;
    setError(null);
    setSound({ id, state: "fetching" });
    if (player.get().playing) player.pause();
    try {
      const address = URL.createObjectURL(await fetchPreview(id, mine.abort.signal));
      mine.audio.src = address;
      mine.audio.onended = () => { URL.revokeObjectURL(address); if (playing.current === mine) setSound(null); };
      if (playing.current !== mine) return;
      setSound({ id, state: "playing" });
      await mine.audio.play();
    } catch (thrown) {
      if (playing.current !== mine) return; // stopped, or another one was asked for
      setSound(null);
      setError(toApiError(thrown));
    }
  };
  return { sound, error, play, stop };
}

const few = 5;

/** The voices of a model that is here, to listen to. */
export function Voices({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const [all, setAll] = useState(false);
  const profiles = useProfiles({ engine: model.engine }, 200);
  const { sound, error, play, stop } = usePreview();
  if (!model.downloaded || model.voices === 0) return null;
  const voices = profiles.items.filter((profile) => profile.model_name === model.model_name);
  if (voices.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-semibold">{t("voices")} <span className="font-normal text-ink-3">{format.number(voices.length)}</span></h3>
      {error ? <ErrorBox error={error} /> : null}
      <ul>
        {(all ? voices : voices.slice(0, few)).map((voice) => {
          const mine = sound?.id === voice.id ? sound.state : null;
          const label = mine ? t("stopVoice", { name: voice.name }) : t("playVoice", { name: voice.name });
          return (
            <li key={voice.id} className="flex min-h-9 items-center gap-2">
              <Portrait id={voice.id} size={20} /><span className="truncate">{voice.name}</span>
              <span className="min-w-0 flex-1 truncate text-12 text-ink-3">{mine === "fetching" ? t("fetchingVoice") : format.language(voice.language)}</span>
              <IconButton label={label} icon={mine === "fetching" ? <Loader size={14} /> : mine ? <Square size={14} /> : <Play size={14} />} onClick={() => (mine ? stop() : void play(voice.id))} />
            </li>
          );
        })}
      </ul>
      {voices.length > few && !all ? <Button kind="quiet" size="small" onClick={() => setAll(true)}>{t("allVoices", { count: voices.length })}</Button> : null}
    </section>
  );
}
