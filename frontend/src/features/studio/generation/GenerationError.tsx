import { Download, X } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useDownloadModel, useModels } from "@/api/models";
import { useDownloadsOff } from "@/features/downloads";
import { href, navigate } from "@/lib/router";
import type { Model } from "@/api/types";
import { actionsFor } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, useFocusOnRemoval } from "@/ui";
import type { GenerationFlow } from "./useGenerationFlow";

type Download = ReturnType<typeof useDownloadModel>;
interface Shown {
  flow: GenerationFlow;
  /** The button of the screen that gets the focus when the error goes. */
  action: RefObject<HTMLElement | null>;
  chooseVoice(): void;
}
interface Props extends Shown {
  error: ApiError;
  model: Model | undefined;
  download: Download;
}

/** Downloads the model again, then generates. */
function DownloadAgainButton({ flow, model, download }: Pick<Props, "flow" | "download"> & { model: Model }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const size = format.megabytes(Math.max(1, model.size_mb - model.partial_mb));
  const acceptLicense = model.license.accept_required && model.license.accepted; // it was accepted at installation
  return (
    <Button
      size="small"
      busy={download.isPending}
      icon={<Download size={14} aria-hidden />}
      onClick={() => download.mutate({ name: model.model_name, acceptLicense }, { onSuccess: flow.failure.retry })}
    >
      {t("downloadAgain", { size })}
    </Button>
  );
}

function Remedy({ error, flow, model, download, chooseVoice }: Omit<Props, "action">) {
  const { t } = useTranslation("studio");
  const actions = actionsFor(error.code);
  const off = useDownloadsOff();
  if (actions.includes("downloadModel") && off === null && model && model.repo_id !== "")
    return <DownloadAgainButton flow={flow} model={model} download={download} />; // imported models have no download
  if (actions.includes("chooseVoice"))
    return (
      <Button
        size="small"
        onClick={() => {
          flow.dismiss();
          chooseVoice();
        }}
      >
        {t("voice.choose")}
      </Button>
    );
  if (actions.includes("openModel") || actions.includes("openModels"))
    return (
      <Button size="small" onClick={() => navigate(href("models"))}>
        {t("openModels")}
      </Button>
    );
  if (!actions.includes("retry") || flow.unfinished.partial) return null; // StoppedNote continues it
  return (
    <Button size="small" onClick={flow.failure.retry}>
      {t("common:retry")}
    </Button>
  );
}

/** Keyed by the error, so that the error of a failed download disappears with it. */
function Failure({ action, ...props }: Omit<Props, "download">) {
  const { t } = useTranslation("studio");
  const download = useDownloadModel();
  const ref = useFocusOnRemoval(action);
  return (
    <div className="st-error" ref={ref}>
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
                props.flow.dismiss();
              }}
            />
          </span>
        }
      />
    </div>
  );
}

/** The error of a generation, with the action that resolves it. */
export function GenerationError({ modelName, ...shown }: Shown & { modelName: string | undefined }) {
  const { flow } = shown;
  const error = flow.failure.error as ApiError | null;
  const named = error?.params.model_name;
  const name =
    typeof named === "string" ? named : flow.generation?.status === "failed" ? flow.generation.model_name : modelName;
  const model = useModels().data?.find((one) => one.model_name === name);
  if (!error) return null;
  return <Failure key={`${flow.generation?.id}:${error.code}`} {...shown} error={error} model={model} />;
}
