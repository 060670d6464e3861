import { LoaderCircle, Pause, Play, Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUpdateProfile } from "@/api/profiles";
import { IconButton, useToast } from "@/ui";
import { togglePreview, usePreviewState } from "@/player";
import type { Voice } from "./voice";

/** Reports whether a voice can be previewed without a download. */
export const canPreview = (voice: Voice): boolean => voice.state === "ready" || voice.state === "memory";

export function PreviewButton({ voice, tabIndex }: { voice: Voice; tabIndex?: number | undefined }) {
  const { t } = useTranslation("picker");
  const {
    name,
    profile: { id },
  } = voice;
  const state = usePreviewState(id);
  const able = canPreview(voice);
  const label = !able
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

/** Toggles a voice as favourite. */
export function useFavorite() {
  const update = useUpdateProfile();
  const toast = useToast();
  const { t } = useTranslation("picker");
  return ({ profile, name, offered }: Voice) =>
    offered ||
    update.mutate(
      { id: profile.id, changes: { favorite: !profile.favorite } },
      { onError: () => toast({ text: t("favoriteFailed", { name }) }) },
    );
}

export function FavoriteButton({ voice, tabIndex }: { voice: Voice; tabIndex?: number | undefined }) {
  const { t } = useTranslation("picker");
  const toggle = useFavorite();
  const {
    name,
    profile: { favorite },
  } = voice;
  return (
    <IconButton
      label={t("favorite", { name })}
      tabIndex={tabIndex}
      aria-pressed={favorite}
      icon={<Star size={16} fill={favorite ? "currentColor" : "none"} />}
      onClick={() => toggle(voice)}
    />
  );
}
