import { useTranslation } from "react-i18next";
import { useLiveDownload, useLiveGeneration, useLiveGenerations } from "@/api/live";
import type { Generation } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { useFormat } from "@/i18n/format";
import { Button, Kbd, ProgressButton } from "@/ui";
import type { Making } from "./useGenerationFlow";

const keys = "mod+enter";

/** Which stage it is in, how far, and how long yet. */
function useStage(made: Generation | undefined): { text: string; value: number } {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const live = useLiveGeneration(made?.id);
  const before = useLiveGenerations().filter((g) => made && g.id < made.id).length; // ids carry their time
  const download = useLiveDownload(made?.model_name ?? "");
  const value = Math.max(live?.progress ?? 0, made?.progress ?? 0);
  const left = (seconds: number | null | undefined) =>
    seconds ? ` · ${t("stage.left", { time: format.duration(Math.ceil(seconds)) })}` : "";
  if (!made) return { text: t("stage.sending"), value: 0 };
  const part = download && download.total > 0 ? download.current / download.total : null;
  const downloading =
    part === null
      ? { text: t("stage.downloading"), value }
      : {
          text: `${t("stage.downloadingPart", { part: format.percent(part) })}${left(download?.etaSeconds)}`,
          value: part,
        };
  switch (live?.status ?? made.status) {
    case "queued":
      if (download && before === 0) return downloading; // of another asker: this one waits for it
      return { text: before > 0 ? t("stage.place", { count: before }) : t("stage.queued"), value };
    case "downloading_model":
      return downloading;
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
  useCommands([{ id: "studio:stop", title: t("common:stop"), shortcut: "escape", run: making.stop }]);
  return <ProgressButton text={making.stopping ? t("stage.stopping") : text} value={value} onStop={making.stop} />;
}

/** The one thing to do here; while it works it says how far it is and can be stopped. */
export function GenerateButton({ making, isFirst }: { making: Making; isFirst: boolean }) {
  const { t } = useTranslation("studio");
  const title = t(isFirst ? "speak" : "generate");
  useCommands([{ id: "studio:generate", title, shortcut: keys, run: making.speak, hidden: making.running }]);
  if (making.running) return <Progress making={making} />;
  return (
    <Button kind="primary" aria-keyshortcuts="Control+Enter" onClick={making.speak}>
      {title}
      <span className="st-keys" aria-hidden>
        <Kbd keys={keys} />
      </span>
    </Button>
  );
}
