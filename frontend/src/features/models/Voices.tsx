import { LoaderCircle, Play, Plus, Square } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModelDetail } from "@/api/models";
import { useCreateProfile, useProfiles } from "@/api/profiles";
import type { Model, ModelVoice, Profile } from "@/api/types";
import { bareVoice } from "@/features/voices/library";
import { sampleId, stopPreview, togglePreview, usePreviewError, usePreviewState } from "@/player";
import { useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, Portrait, useToast } from "@/ui";

const few = 5;

/** The voices of a model, with previews once it is installed. */
export function Voices({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const detail = useModelDetail(model.model_name);
  const profiles = useProfiles({ engine: model.engine }, 500).items.filter(
    (profile) => profile.model_name === model.model_name,
  );
  const unheard = usePreviewError();
  useEffect(() => stopPreview, []);
  const all = detail.data?.voices_list ?? [];
  // Usable voices come first.
  const voices = [...all.filter((voice) => voice.usable), ...all.filter((voice) => !voice.usable)];
  if (detail.error)
    return (
      <section>
        <ErrorBox
          error={detail.error}
          action={
            <Button size="small" onClick={() => void detail.refetch()}>
              {t("common:retry")}
            </Button>
          }
        />
      </section>
    );
  if (voices.length === 0) return null;
  const profileOf = new Map(profiles.map((profile) => [bareVoice(profile.preset_voice_id ?? ""), profile]));
  return (
    <section aria-label={t("voices")}>
      <h3 className="mb-1 font-semibold">
        {t("voices")} <span className="font-normal text-ink-3">{format.number(model.voices)}</span>
      </h3>
      {model.downloaded ? null : (
        <p className="mb-1 text-12 wrap-anywhere text-ink-3">{t(model.samples ? "voicesSamples" : "voicesLater")}</p>
      )}
      {unheard ? <ErrorBox error={unheard} /> : null}
      <ul>
        {(isWhole ? voices : voices.slice(0, few)).map((voice) => (
          <VoiceLine key={voice.id} model={model} voice={voice} profile={profileOf.get(voice.id)} />
        ))}
      </ul>
      {voices.length > few && !isWhole ? (
        <Button kind="quiet" size="small" onClick={() => setWhole(true)}>
          {t("allVoices", { count: model.voices })}
        </Button>
      ) : null}
    </section>
  );
}

function VoiceLine({ model, voice, profile }: { model: Model; voice: ModelVoice; profile: Profile | undefined }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const facts = [
    ...(model.multilingual ? [] : [format.language(voice.language)]),
    ...(voice.gender ? [t(`gender.${voice.gender}`)] : []),
  ];
  return (
    <li className="flex min-h-9 items-center gap-2">
      <Portrait id={profile?.id ?? `${model.model_name}:${voice.id}`} size={20} />
      <span dir="auto" className="truncate">
        {profile?.name ?? voice.name}
      </span>
      <span className="min-w-0 flex-1 truncate text-12 text-ink-3" title={voice.reason || undefined}>
        {voice.usable ? facts.join(" · ") : voice.reason || t("voiceUnsupported")}
      </span>
      {!voice.usable ? null : !model.downloaded ? (
        model.samples ? (
          <Listen id={sampleId(model.model_name, voice.id)} name={voice.name} />
        ) : null
      ) : profile ? (
        <Listen id={profile.id} name={profile.name} />
      ) : (
        <Take model={model} voice={voice} />
      )}
    </li>
  );
}

function Listen({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation("models");
  const state = usePreviewState(id);
  const label =
    state === "loading"
      ? t("preparingSample")
      : state === "playing"
        ? t("stopVoice", { name })
        : t("playVoice", { name });
  const icon =
    state === "loading" ? (
      <LoaderCircle size={14} className="animate-spin" />
    ) : state === "playing" ? (
      <Square size={14} />
    ) : (
      <Play size={14} />
    );
  return <IconButton label={label} icon={icon} aria-pressed={state === "playing"} onClick={() => togglePreview(id)} />;
}

/** A voice without a profile: the profile was deleted, or the model was imported. */
function Take({ model, voice }: { model: Model; voice: ModelVoice }) {
  const { t } = useTranslation("models");
  const toast = useToast();
  const words = useErrorText();
  const create = useCreateProfile();
  const take = (name: string) =>
    create.mutate(
      {
        name,
        voice_type: "preset",
        model_name: model.model_name,
        preset_engine: model.engine,
        preset_voice_id: voice.id,
        language: voice.language,
      },
      {
        onError: (error) => {
          const longer = `${voice.name} (${model.display_name})`;
          if (error.code === "name_taken" && name !== longer) take(longer);
          else toast({ text: words(error).title });
        },
      },
    );
  return (
    <IconButton
      label={t("addVoice", { name: voice.name })}
      icon={<Plus size={14} />}
      aria-busy={create.isPending || undefined}
      onClick={() => {
        if (!create.isPending) take(voice.name);
      }}
    />
  );
}
