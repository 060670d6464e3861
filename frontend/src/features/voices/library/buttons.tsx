import { LoaderCircle, MoreHorizontal, Pause, Play, Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSetHostedFavorite } from "@/api/hosted";
import { useUpdateProfile } from "@/api/profiles";
import { useDownloadsOff } from "@/features/downloads";
import { IconButton, Menu, useToast, type MenuItem } from "@/ui";
import { sampleId, togglePreview, usePreviewState } from "@/player";
import { hostedId } from "./hosted";
import { isBuiltInOffer } from "./builtIn";
import { bareVoice } from "./mix";
import type { Voice } from "./voice";

/** Reports whether a voice can be previewed without a download; the preview of a hosted voice is free. */
export const canPreview = (voice: Voice): boolean =>
  (voice.state === "ready" && !isBuiltInOffer(voice)) ||
  voice.state === "memory" ||
  hasSample(voice) ||
  (voice.hosted !== undefined && voice.access !== "signedOut");

/** Reports whether the makers of a voice, whose model is not downloaded, may publish a sample of it. */
const hasSample = ({ state, model, shares }: Voice): boolean =>
  state === "missing" && model?.samples === true && shares.length === 0;

/** Returns the id under which the preview of a voice is played. */
export function previewId(voice: Voice): string {
  const { hosted, profile, model } = voice;
  if (hosted) return hostedId(hosted);
  if (!model || !hasSample(voice)) return profile.id;
  return sampleId(model.model_name, bareVoice(profile.preset_voice_id ?? "") || "0"); // the only one of its model is 0
}

export function PreviewButton({ voice, tabIndex }: { voice: Voice; tabIndex?: number | undefined }) {
  const { t } = useTranslation("picker");
  const { name } = voice;
  const id = previewId(voice);
  const state = usePreviewState(id);
  const off = useDownloadsOff();
  const unreachable = off !== null && hasSample(voice); // samples come from the network
  const able = canPreview(voice) && !unreachable;
  const label = unreachable
    ? off
    : !able
      ? t(voice.state === "missing" ? "preview.later" : "preview.never", { name })
      : state === "playing"
        ? t("preview.stop", { name })
        : state === "loading"
          ? t("preview.preparing", { name })
          : t("preview.play", { name });
  const icon =
    state === "loading" ? (
      <LoaderCircle size={16} className="animate-spin" />
    ) : state === "playing" ? (
      <Pause size={16} />
    ) : (
      <Play size={16} />
    );
  return (
    <IconButton
      label={label}
      tabIndex={tabIndex}
      icon={icon}
      aria-disabled={!able || undefined}
      aria-pressed={state === "playing"}
      onClick={() => able && togglePreview(id)}
    />
  );
}

/** Toggles a voice as favourite: a hosted voice without a profile in the service's list. */
export function useFavorite() {
  const update = useUpdateProfile();
  const mark = useSetHostedFavorite();
  const toast = useToast();
  const { t } = useTranslation("picker");
  return ({ profile, name, offered, hosted }: Voice) => {
    const onError = () => toast({ text: t("favoriteFailed", { name }) });
    if (offered && hosted) mark.mutate({ id: hosted.id, favorite: !hosted.favorite }, { onError });
    else if (!offered) update.mutate({ id: profile.id, changes: { favorite: !profile.favorite } }, { onError });
  };
}

/** Returns the menu items for what the buttons of a voice's row do. */
export function useVoiceItems(voice: Voice): MenuItem[] {
  const { t } = useTranslation("picker");
  const toggle = useFavorite();
  const { profile, offered, hosted } = voice;
  const id = previewId(voice);
  const isPlaying = usePreviewState(id) === "playing";
  return [
    {
      label: t(isPlaying ? "item.stop" : "item.listen"),
      icon: isPlaying ? <Pause size={16} /> : <Play size={16} />,
      shortcut: "space",
      disabled: !canPreview(voice),
      onSelect: () => togglePreview(id),
    },
    ...(offered && !hosted
      ? []
      : [
          {
            label: t("item.favorite"),
            shortcut: "*",
            checked: offered && hosted ? hosted.favorite : (profile.favorite ?? false),
            onSelect: () => toggle(voice),
          },
        ]),
  ];
}

/** The button of a menu with these items, in rows that have no other menu. */
export function VoiceItemsMenu({ voice, tabIndex }: { voice: Voice; tabIndex?: number }) {
  const { t } = useTranslation("picker");
  return (
    <Menu isOfRow groups={[useVoiceItems(voice)]}>
      <IconButton
        label={t("item.more", { name: voice.name })}
        tabIndex={tabIndex}
        icon={<MoreHorizontal size={16} />}
      />
    </Menu>
  );
}

export function FavoriteButton({ voice, tabIndex }: { voice: Voice; tabIndex?: number | undefined }) {
  const { t } = useTranslation("picker");
  const toggle = useFavorite();
  const {
    name,
    profile: { favorite: own },
    offered,
    hosted,
  } = voice;
  const favorite = offered && hosted ? hosted.favorite : own;
  return (
    <IconButton
      label={t("favorite", { name })}
      tabIndex={tabIndex}
      aria-pressed={favorite}
      className="k-star k-later"
      icon={<Star size={16} fill={favorite ? "currentColor" : "none"} />}
      onClick={() => toggle(voice)}
    />
  );
}
