import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, type ApiError } from "@/api/errors";
import { useGenerate, useGeneration } from "@/api/generations";
import { useFallback } from "@/features/studio/generation/useVoice";
import { useErrorText } from "@/i18n/errors";
import { useStore } from "@/lib/store";
import { player } from "@/player";
import { useToast } from "@/ui";
import { clipboard } from "./clipboard";

/** Reads the text of the clipboard aloud when the window's tray asks for it, with the voice that Studio used last. */
export function ReadAloud() {
  const request = useStore(clipboard);
  if (request?.kind === "refused") return <Refused key={request.asked} keys={request.text} />;
  return request ? <Reader key={request.asked} text={request.text} /> : null;
}

function Refused({ keys }: { keys: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const say = useEffectEvent(() => toast({ text: t("readAloud.refused", { keys }) }));
  useEffect(() => say(), []);
  return null;
}

function Reader({ text }: { text: string }) {
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
    create.mutate({ profile_id: voice.profile.id, text }, { onError: failed });
  });
  useEffect(() => {
    if (!voice.isLoading) begin();
  }, [voice.isLoading]);
  const status = generation?.status;
  const ended = useEffectEvent(() => {
    if (status === "complete" && generation) player.load(generation, { play: true, at: 0 });
    if (status === "failed" && generation?.error) failed(failureOf(generation.error));
  });
  useEffect(() => ended(), [status]);
  return null;
}
