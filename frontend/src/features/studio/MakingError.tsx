import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { href, navigate } from "@/app/router";
import { Button, ErrorBox, IconButton } from "@/ui";
import type { Making } from "./useMaking";

const models = new Set(["insufficient_disk", "out_of_memory", "model_corrupt", "hub_gated", "model_not_downloaded", "not_permitted"]);
const voices = new Set(["profile_not_found", "engine_mismatch", "language_not_supported", "sample_not_found"]);
/** Neither another try nor another place helps: the words say what does. */
const asItIs = new Set(["nothing_to_speak", "invalid", "runtime_missing", "unsupported_cpu", "unsupported_gpu", "cancelled"]);

function Remedy({ error, making, chooseVoice }: { error: ApiError; making: Making; chooseVoice(): void }) {
  const { t } = useTranslation("studio");
  if (voices.has(error.code)) return <Button size="small" onClick={() => { making.dismiss(); chooseVoice(); }}>{t("voice.choose")}</Button>;
  if (models.has(error.code)) return <Button size="small" onClick={() => navigate(href("models"))}>{t("openModels")}</Button>;
  if (asItIs.has(error.code)) return null;
  return <Button size="small" onClick={making.again}>{t("common:retry")}</Button>;
}

/** What went wrong, where the person looks, with the way on. */
export function MakingError({ making, chooseVoice }: { making: Making; chooseVoice(): void }) {
  const { t } = useTranslation("studio");
  if (!making.error) return null;
  return (
    <div className="st-error">
      <ErrorBox error={making.error} action={(
        <span className="flex flex-none items-center gap-1">
          <Remedy error={making.error as ApiError} making={making} chooseVoice={chooseVoice} />
          <IconButton label={t("common:close")} icon={<X size={14} />} onClick={making.dismiss} />
        </span>
      )} />
    </div>
  );
}
