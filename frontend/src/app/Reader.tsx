import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, type ApiError } from "@/api/errors";
import { useGenerate, useGeneration } from "@/api/generations";
import { useFallback } from "@/features/voices/library";
import { useErrorText } from "@/i18n/errors";
import { output, player } from "@/player";
import { useToast } from "@/ui";

/** Reads a text aloud, once, while it is made. */
export default function Reader({ text }: { text: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const errorText = useErrorText();
  const voice = useFallback();
  const create = useGenerate();
  const generation = useGeneration(create.data?.id).data;
  const begun = useRef(false);

  const failed = useEffectEvent((error: ApiError) => toast({ text: errorText(error).title }));
  const begin = useEffectEvent(() => {
    if (begun.current) return;
    begun.current = true;
    if (!text) return toast({ text: t("readAloud.empty") });
    if (!voice.profile) return toast({ text: t("readAloud.noVoice") });
    create.mutate(
      { profile_id: voice.profile.id, text },
      { onSuccess: (made) => player.follow(made, { play: true, busy: output.watch() }), onError: failed },
    );
  });
  useEffect(() => {
    if (!voice.isLoading) begin();
  }, [voice.isLoading]);
  const status = generation?.status;
  const ended = useEffectEvent(() => {
    if (generation) player.update(generation);
    if (status === "failed" && generation?.error) failed(failureOf(generation.error));
  });
  useEffect(() => ended(), [status]);
  return null;
}
