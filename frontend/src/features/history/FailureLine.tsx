import { RotateCcw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import type { Failure } from "@/api/types";
import { useErrorText } from "@/i18n/errors";
import { ModelRemedy } from "./ModelRemedy";

/** The second line of a row that failed: why, in words, and the way to try again. */
export function FailureLine({ id, error, model, onRetry }: { id: string; error: Failure | null; model: string; onRetry(id: string): void }) {
  const { t } = useTranslation("history");
  const words = useErrorText();
  const why = error ? words(failureOf(error)) : { title: t("failedUnknown"), remedy: "" };
  const text = [why.title, why.remedy].filter(Boolean).join(" ");
  return (
    <div className="flex items-center gap-2 text-12 text-danger">
      <TriangleAlert size={14} aria-hidden />
      <span className="min-w-0 truncate" title={text}>{text}</span>
      <ModelRemedy failure={error} model={model} tabIndex={-1} />
      <button type="button" tabIndex={-1} className="k-btn" data-size="small" onClick={() => onRetry(id)}><RotateCcw size={14} aria-hidden />{t("common:retry")}</button>
    </div>
  );
}
