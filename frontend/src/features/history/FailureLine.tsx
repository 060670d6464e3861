import { RotateCcw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import type { Failure, Generation } from "@/api/types";
import { useErrorText } from "@/i18n/errors";
import { AccountLink, InstallLink } from "@/ui";
import { ModelRemedy } from "./ModelRemedy";
import { usePartialText } from "./PartialLine";

/** The second line of a failed row, over its full width: the reason, and a way to try again. */
export function FailureLine({
  id,
  error,
  partial,
  model,
  onRetry,
}: {
  id: string;
  error: Failure | null;
  partial: Generation["partial"];
  model: string;
  onRetry(id: string): void;
}) {
  const { t } = useTranslation("history");
  const words = useErrorText();
  const why = error ? words(failureOf(error)) : { title: t("failedUnknown"), remedy: "" };
  const finished = usePartialText();
  const full = [why.title, why.remedy].filter(Boolean).join(" ");
  return (
    <div className="flex items-center gap-2 text-12 leading-4 text-danger">
      <TriangleAlert size={14} aria-hidden />
      <span className="line-clamp-2 min-w-0 flex-1" title={full}>
        {partial ? `${why.title} ${finished(partial)}` : why.title}
      </span>
      <ModelRemedy failure={error} model={model} tabIndex={-1} />
      {error ? <AccountLink code={error.code} tabIndex={-1} /> : null}
      {error ? <InstallLink code={error.code} params={error.params ?? {}} tabIndex={-1} /> : null}
      <button type="button" tabIndex={-1} className="k-btn" data-size="small" onClick={() => onRetry(id)}>
        <RotateCcw size={14} aria-hidden />
        <span className="@max-[640px]/main:sr-only">{partial ? t("continue") : t("common:retry")}</span>
      </button>
    </div>
  );
}
