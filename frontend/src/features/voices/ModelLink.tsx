import { useTranslation } from "react-i18next";
import { toApiError } from "@/api/errors";
import { href } from "@/lib/router";
import type { Voice } from "./voice";

/** What only the screen of models can mend. */
const ofModels: readonly string[] = [
  "model_not_downloaded",
  "model_corrupt",
  "model_unknown",
  "license_not_accepted",
  "checksum_mismatch",
];

/** The way to the model that a voice wants and does not find. */
export function ToModel({ error, voice }: { error: unknown; voice: Voice | undefined }) {
  const { t } = useTranslation("picker");
  if (!ofModels.includes(toApiError(error).code)) return null;
  const name = voice?.model?.model_name;
  return (
    <a className="k-btn hover:no-underline" data-size="small" href={href("models", name ? [name] : [])}>
      {t("toModel")}
    </a>
  );
}
