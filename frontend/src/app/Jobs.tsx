import { Square } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";
import { useCancelGeneration } from "@/api/generations";
import { useLiveDownloads, useLiveGenerations } from "@/api/live";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, ProgressBar } from "@/ui";

/** What is being made and fetched right now: a number in the top bar, the list on a click. */
export function Jobs() {
  const { t } = useTranslation();
  const format = useFormat();
  const generations = useLiveGenerations();
  const downloads = useLiveDownloads();
  const cancel = useCancelGeneration();
  const count = generations.length + downloads.length;
  if (count === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger asChild><Button kind="quiet" size="small">{t("jobs.count", { count })}</Button></Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="k-float grid max-h-96 w-80 gap-3 overflow-y-auto p-4" sideOffset={4} collisionPadding={8} aria-label={t("jobs.title")}>
          {generations.map((g) => (
            <div key={g.id} className="flex items-end gap-2">
              <div className="min-w-0 flex-1"><ProgressBar label={t("jobs.generation")} value={g.progress} text={`${t(`status.${g.status}`)} · ${format.percent(g.progress)}`} /></div>
              <IconButton label={t("stop")} icon={<Square size={12} />} onClick={() => cancel.mutate(g.id)} />
            </div>
          ))}
          {downloads.map((d) => (
            <ProgressBar key={d.model_name} label={d.model_name} value={d.total > 0 ? d.current / d.total : null} text={`${d.model_name} · ${format.bytes(d.current)} / ${format.bytes(d.total)}`} />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
