import { CircleStop, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, IconButton } from "@/ui";
import type { GenerationFlow } from "./useGenerationFlow";

/** Reports the progress at which a generation was stopped, that nothing was saved, and how to generate it again. */
export function StoppedNote({ flow }: { flow: GenerationFlow }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const { stopped } = flow;
  if (!stopped || flow.running) return null;
  const { done, total } = stopped;
  const text =
    total > 1 ? t("stopped.at", { done: format.number(done), total: format.number(total) }) : t("stopped.plain");
  return (
    <div className="st-note" role="status">
      <CircleStop size={16} aria-hidden />
      <p className="min-w-0 flex-1">{text}</p>
      <Button size="small" onClick={flow.generate}>
        {t("stopped.again")}
      </Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={flow.dismiss} />
    </div>
  );
}
