import { useQueryClient } from "@tanstack/react-query";
import { Square } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useGeneration } from "@/api/generations";
import { useLiveGeneration } from "@/api/live";
import { hasEnded, type GenerationStatus } from "@/api/types";
import { useWaitText } from "@/features/hosted";
import { useFormat } from "@/i18n/format";
import { ProgressBar } from "@/ui";
import { toRow } from "./rows";
import { editRows } from "./useRows";

/** The progress of a generation; it never runs backwards. */
export function useProgress(id: string, status: GenerationStatus, progress: number) {
  const made = useGeneration(id).data;
  const live = useLiveGeneration(id);
  const now = made && hasEnded(made.status) ? made.status : (live?.status ?? made?.status ?? status);
  return { status: now, progress: Math.max(progress, made?.progress ?? 0, live?.progress ?? 0), made };
}

/** The second line of a running row: stage, progress, remaining time, and a way to stop. */
export function LiveLine({
  id,
  status,
  progress,
  onStop,
}: {
  id: string;
  status: GenerationStatus;
  progress: number;
  onStop(id: string): void;
}) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const client = useQueryClient();
  const now = useProgress(id, status, progress);
  const { made } = now;
  const waiting = useWaitText(made?.wait ?? null);
  useEffect(() => {
    if (made && hasEnded(made.status)) editRows(client, [id], (row) => ({ ...toRow(made), highlight: row.highlight }));
  }, [client, id, made]);
  const stage = t(`common:status.${now.status}`);
  const words = now.status === "generating" ? [stage, format.percent(now.progress)] : [stage];
  if (now.status === "generating" && made?.eta_seconds)
    words.push(t("timeLeft", { time: format.duration(made.eta_seconds) }));
  return (
    <div className="flex items-end gap-3">
      <div className="max-w-80 min-w-0 flex-1">
        <ProgressBar
          label={t("progressOf")}
          value={now.status === "generating" ? now.progress : null}
          text={waiting || words.join(" · ")}
        />
      </div>
      <button
        type="button"
        tabIndex={-1}
        className="k-btn -mb-1 shrink-0"
        data-kind="quiet"
        data-size="small"
        onClick={() => onStop(id)}
      >
        <Square size={12} aria-hidden />
        {t("common:stop")}
      </button>
    </div>
  );
}
