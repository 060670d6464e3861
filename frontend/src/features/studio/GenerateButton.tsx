import { useTranslation } from "react-i18next";
import { useLiveDownload, useLiveGeneration, useLiveGenerations } from "@/api/live";
import type { Generation } from "@/api/types";
import { useShortcut } from "@/app/commands";
import { useFormat } from "@/i18n/format";
import { Button, ProgressButton } from "@/ui";
import type { Making } from "./useMaking";

/** Which stage it is in, how far, and how long yet. */
function useStage(made: Generation | undefined): { text: string; value: number } {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const live = useLiveGeneration(made?.id);
  const before = useLiveGenerations().filter((g) => made && g.id < made.id).length; // ids carry their time
  const download = useLiveDownload(made?.model_name ?? "");
  const value = Math.max(live?.progress ?? 0, made?.progress ?? 0);
  const left = (seconds: number | null | undefined) => (seconds ? ` · ${t("stage.left", { time: format.duration(Math.ceil(seconds)) })}` : "");
  if (!made) return { text: t("stage.sending"), value: 0 };
  switch (live?.status ?? made.status) {
    case "queued":
      return { text: before > 0 ? t("stage.place", { count: before }) : t("stage.queued"), value };
    case "downloading_model": {
      if (!download || download.total === 0) return { text: t("stage.downloading"), value };
      const part = download.current / download.total;
      return { text: `${t("stage.downloadingPart", { part: format.percent(part) })}${left(download.etaSeconds)}`, value: part };
    }
    case "loading_model":
      return { text: t("stage.loading"), value };
    default: {
      if (made.chunks_total < 2) return { text: `${t("stage.speaking")}${left(made.eta_seconds)}`, value };
      const chunk = Math.min(made.chunks_done + 1, made.chunks_total);
      return { text: `${t("stage.chunk", { chunk, total: made.chunks_total })}${left(made.eta_seconds)}`, value };
    }
  }
}

function Progress({ making }: { making: Making }) {
  const { t } = useTranslation("studio");
  const { text, value } = useStage(making.made);
  useShortcut("escape", t("stop"), making.stop);
  return <ProgressButton text={text} value={value} onStop={making.stop} />;
}

/** The one thing to do here; while it works it says how far it is and can be stopped. */
export function GenerateButton({ making, isFirst }: { making: Making; isFirst: boolean }) {
  const { t } = useTranslation("studio");
  const title = t(isFirst ? "speak" : "generate");
  useShortcut("mod+enter", t("generate"), making.speak);
  if (making.running) return <Progress making={making} />;
  return <Button kind="primary" shortcut="mod+enter" onClick={making.speak}>{title}</Button>;
}
