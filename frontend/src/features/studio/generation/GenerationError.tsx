import { Download, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useDownloadModel, useModels } from "@/api/models";
import { href, navigate } from "@/lib/router";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton } from "@/ui";
import type { Making } from "./useGenerationFlow";

const models = new Set([
  "insufficient_disk",
  "out_of_memory",
  "model_corrupt",
  "hub_gated",
  "model_not_downloaded",
  "not_permitted",
]);
/** Files that are not here, or not as they should be: the hub has them. */
const missing = new Set(["model_corrupt", "model_not_downloaded", "checksum_mismatch"]);
const voices = new Set(["profile_not_found", "engine_mismatch", "language_not_supported", "sample_not_found"]);
/** Neither another try nor another place helps: the words say what does. */
const asItIs = new Set([
  "nothing_to_speak",
  "invalid",
  "runtime_missing",
  "unsupported_cpu",
  "unsupported_gpu",
  "cancelled",
]);

type Download = ReturnType<typeof useDownloadModel>;
interface Props {
  error: ApiError;
  making: Making;
  model: Model | undefined;
  download: Download;
  chooseVoice(): void;
}

/** Downloads the model again, and speaks as soon as it is here. */
function Again({ making, model, download }: Pick<Props, "making" | "download"> & { model: Model }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const size = format.megabytes(Math.max(1, model.size_mb - model.partial_mb));
  const acceptLicense = model.license.accept_required && model.license.accepted; // here before, it was accepted
  return (
    <Button
      size="small"
      busy={download.isPending}
      icon={<Download size={14} aria-hidden />}
      onClick={() => download.mutate({ name: model.model_name, acceptLicense }, { onSuccess: making.again })}
    >
      {t("downloadAgain", { size })}
    </Button>
  );
}

function Remedy({ error, making, model, download, chooseVoice }: Props) {
  const { t } = useTranslation("studio");
  if (missing.has(error.code) && model && model.repo_id !== "")
    return <Again making={making} model={model} download={download} />; // nobody has files of one's own
  if (voices.has(error.code))
    return (
      <Button
        size="small"
        onClick={() => {
          making.dismiss();
          chooseVoice();
        }}
      >
        {t("voice.choose")}
      </Button>
    );
  if (models.has(error.code))
    return (
      <Button size="small" onClick={() => navigate(href("models"))}>
        {t("openModels")}
      </Button>
    );
  if (asItIs.has(error.code)) return null;
  return (
    <Button size="small" onClick={making.again}>
      {t("common:retry")}
    </Button>
  );
}

/** The words of a download that failed belong to this one error. */
function Failure(props: Omit<Props, "download">) {
  const { t } = useTranslation("studio");
  const download = useDownloadModel();
  return (
    <div className="st-error">
      <ErrorBox
        error={download.error ?? props.error}
        action={
          <span className="flex flex-none items-center gap-1">
            <Remedy {...props} download={download} />
            <IconButton
              label={t("common:close")}
              icon={<X size={14} />}
              onClick={() => {
                download.reset();
                props.making.dismiss();
              }}
            />
          </span>
        }
      />
    </div>
  );
}

/** What went wrong, where the person looks, with the way on. */
export function MakingError({
  making,
  modelName,
  chooseVoice,
}: {
  making: Making;
  modelName: string | undefined;
  chooseVoice(): void;
}) {
  const error = making.error as ApiError | null;
  const wanted = error?.params.model_name;
  const name =
    typeof wanted === "string" ? wanted : making.made?.status === "failed" ? making.made.model_name : modelName;
  const model = useModels().data?.find((one) => one.model_name === name);
  if (!error) return null;
  return (
    <Failure
      key={`${making.made?.id}:${error.code}`}
      error={error}
      making={making}
      model={model}
      chooseVoice={chooseVoice}
    />
  );
}
