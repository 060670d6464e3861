import { Box } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Failure } from "@/api/types";
import { href } from "@/lib/router";

/** What only the screen of models can mend. */
const ofModels: readonly string[] = [
  "model_not_downloaded",
  "model_corrupt",
  "model_unknown",
  "license_not_accepted",
  "checksum_mismatch",
];

/** The way to the model that a generation wants and does not find. */
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
  if (!failure || !ofModels.includes(failure.code)) return null;
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
