import { Download as DownloadIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useDownloadModel, usePauseModel } from "@/api/models";
import type { Model } from "@/api/types";
import {
  DownloadsOff,
  StoppedDownload,
  useDownloadPace,
  useDownloadsOff,
  useDownloadState,
  useDownloadWait,
  useOfSizes,
} from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, ProgressBar } from "@/ui";

/** Returns how much of a model is downloaded, 0 to 1 or null while that is unknown, and the words for it. */
export function useDownloadProgress(model: Model | undefined): { value: number | null; text: string } {
  const { t } = useTranslation("transcribe");
  const live = useLiveDownload(model?.model_name ?? "");
  const wait = useDownloadWait(live);
  const pace = useDownloadPace()(live, wait);
  const sizes = useOfSizes();
  const total = live?.total ?? model?.downloading?.total ?? 0;
  const current = live?.current ?? model?.downloading?.current ?? 0;
  return {
    value: total > 0 ? current / total : null,
    text: [...(total > 0 ? [sizes(current, total)] : [t("common:jobs.state.resolving")]), ...pace].join(" · "),
  };
}

function Progress({ model }: { model: Model }) {
  const { t } = useTranslation("transcribe");
  const { value, text } = useDownloadProgress(model);
  const pause = usePauseModel();
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar label={t("common:jobs.download", { name: model.display_name })} value={value} text={text} />
      </div>
      <Button size="small" busy={pause.isPending} onClick={() => pause.mutate(model.model_name)}>
        {t("common:stop")}
      </Button>
    </div>
  );
}

interface Props {
  model: Model;
  /** Beside the button. */
  more?: ReactNode;
  onStart?(): void;
}

/** The running download of a model, or the button that starts or resumes it. */
export function ModelDownload({ model, more, onStart }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const download = useDownloadModel();
  const { isRunning, savedMb } = useDownloadState(model);
  const off = useDownloadsOff();
  const failure = download.error ?? (model.error && !isRunning ? failureOf(model.error) : null);
  const size = format.megabytes(model.size_mb - savedMb);
  if (isRunning && !failure) return <Progress model={model} />;
  if (off !== null) return <DownloadsOff reason={off} />;
  return (
    <>
      {failure ? <ErrorBox error={failure} /> : savedMb > 0 ? <StoppedDownload savedMb={savedMb} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<DownloadIcon size={16} aria-hidden />}
          busy={download.isPending}
          onClick={() => {
            onStart?.();
            download.mutate({ name: model.model_name, acceptLicense: true });
          }}
        >
          {failure ? t("common:retry") : t(savedMb > 0 ? "common:jobs.resume" : "first.download", { size })}
        </Button>
        {more}
      </div>
    </>
  );
}
