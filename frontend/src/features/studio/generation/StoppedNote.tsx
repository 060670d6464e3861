import { CircleStop, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, IconButton } from "@/ui";
import type { Making } from "./useGenerationFlow";

/** Says how far it was when it was stopped, that nothing of it is kept, and how to have it whole. */
export function StoppedNote({ making }: { making: Making }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const { stopped } = making;
  if (!stopped || making.running) return null;
  const { done, total } = stopped;
  const text =
    total > 1 ? t("stopped.at", { done: format.number(done), total: format.number(total) }) : t("stopped.plain");
  return (
    <div className="st-note" role="status">
      <CircleStop size={16} aria-hidden />
      <p className="min-w-0 flex-1">{text}</p>
      <Button size="small" onClick={making.speak}>
        {t("stopped.again")}
      </Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={making.dismiss} />
    </div>
  );
}
