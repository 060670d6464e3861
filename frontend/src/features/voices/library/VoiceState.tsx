import { Check, Cloud, Cpu, Download, Lock, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLiveDownload } from "@/api/live";
import { useFormat } from "@/i18n/format";
import { Rate } from "@/features/hosted";
import type { Voice } from "./voice";

/** Whether a voice is ready, or what it requires first. */
export function VoiceState({ voice }: { voice: Voice }) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const live = useLiveDownload(voice.model?.model_name ?? "");
  const line = (icon: React.ReactNode, text: string, title?: string) => (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 text-12 text-ink-2" title={title ?? text}>
      {icon}
      <span className="truncate">{text}</span>
    </span>
  );
  if (voice.access && voice.access !== "on")
    return line(<TriangleAlert size={14} aria-hidden />, t(`state.${voice.access}`), t(`hosted.${voice.access}`));
  if (voice.state === "locked") return line(<Lock size={14} aria-hidden />, t("state.locked"), t("hosted.locked"));
  if (voice.hosted) return <Rate credits={voice.hosted.credits_per_1000} />;
  if (voice.access) return line(<Cloud size={14} aria-hidden />, t("state.hosted"));
  if (voice.state === "unusable")
    return line(<TriangleAlert size={14} aria-hidden />, t("state.unusable"), voice.profile.reason);
  if (voice.state === "memory") return line(<Cpu size={14} aria-hidden />, t("state.memory"));
  if (voice.state === "ready") return line(<Check size={14} aria-hidden />, t("state.ready"));
  if (live && live.total > 0)
    return line(<Download size={14} aria-hidden />, format.percent(live.current / live.total));
  return line(<Download size={14} aria-hidden />, format.megabytes(voice.model?.size_mb ?? 0), t("state.missing"));
}
