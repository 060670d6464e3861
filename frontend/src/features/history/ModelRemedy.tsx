import { Box } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Failure } from "@/api/types";
import { actionsFor } from "@/i18n/errors";
import { href } from "@/lib/router";

/** A link to the model of a generation whose failure is about the model. */
export function ModelRemedy({
  failure,
  model,
  tabIndex,
}: {
  failure: Failure | null;
  model: string;
  tabIndex?: number;
}) {
  const { t } = useTranslation("history");
  if (!failure || !actionsFor(failure.code).includes("openModel")) return null;
  return (
    <a
      className="k-btn hover:no-underline"
      data-size="small"
      tabIndex={tabIndex}
      href={href("models", model ? [model] : [])}
    >
      <Box size={14} aria-hidden />
      <span className="@max-[640px]/main:sr-only">{t("toModel")}</span>
    </a>
  );
}
