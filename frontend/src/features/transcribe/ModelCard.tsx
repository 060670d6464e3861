import { Download as DownloadIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, type ApiError } from "@/api/errors";
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
import { href } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Button, Card, ErrorBox, ProgressBar } from "@/ui";
import { firstModel } from "./models";
import { setOptions } from "./options";
import { useHeldFiles } from "./state";

function Progress({ model }: { model: Model }) {
  const { t } = useTranslation("transcribe");
  const live = useLiveDownload(model.model_name);
  const wait = useDownloadWait(live);
  const pace = useDownloadPace()(live, wait);
  const sizes = useOfSizes();
  const pause = usePauseModel();
  const total = live?.total ?? model.downloading?.total ?? 0;
  const current = live?.current ?? model.downloading?.current ?? 0;
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar
          label={t("common:jobs.download", { name: model.display_name })}
          value={total > 0 ? current / total : null}
          text={[...(total > 0 ? [sizes(current, total)] : [t("common:jobs.state.resolving")]), ...pace].join(" · ")}
        />
      </div>
      <Button size="small" busy={pause.isPending} onClick={() => pause.mutate(model.model_name)}>
        {t("common:stop")}
      </Button>
    </div>
  );
}

interface OfferProps {
  model: Model;
  error: ApiError | null;
  busy: boolean;
  onGet(): void;
}

/** The running download, or the button that starts or resumes it. */
function Download({ model, error, busy, onGet }: OfferProps) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { isRunning, savedMb } = useDownloadState(model);
  const off = useDownloadsOff();
  const failure = error ?? (model.error && !isRunning ? failureOf(model.error) : null);
  const size = format.megabytes(model.size_mb - savedMb);
  if (isRunning && !failure) return <Progress model={model} />;
  if (off !== null) return <DownloadsOff reason={off} />;
  return (
    <>
      {failure ? <ErrorBox error={failure} /> : savedMb > 0 ? <StoppedDownload savedMb={savedMb} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<DownloadIcon size={16} aria-hidden />} busy={busy} onClick={onGet}>
          {failure ? t("common:retry") : t(savedMb > 0 ? "common:jobs.resume" : "first.download", { size })}
        </Button>
        <a href={href("models", [], { tab: "more" })}>{t("first.others")}</a>
      </div>
    </>
  );
}

/** The first model in one click: the one that suits this machine best. */
export function ModelCard({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("transcribe");
  const download = useDownloadModel();
  const held = useHeldFiles();
  const [wanted, setWanted] = useState("");
  const model =
    models.find(({ model_name }) => model_name === wanted) ??
    models.find(({ downloading }) => downloading !== null) ??
    firstModel(models);
  if (!model) return null;
  function start(name: string) {
    setWanted(name);
    setOptions({ model: name });
    download.mutate({ name, acceptLicense: true });
  }
  return (
    <Card className="mx-auto grid w-full max-w-110 gap-3 text-start" role="region" aria-label={t("first.title")}>
      <div>
        <h2 className="font-semibold">{t("first.title")}</h2>
        <p className="text-ink-2">
          {t("first.text", { model: model.display_name, count: model.languages.length })} {t(`first.${model.fits}`)}
        </p>
      </div>
      {held.length > 0 ? <p className="text-ink-2">{t("first.held", { count: held.length })}</p> : null}
      <Download model={model} error={download.error} busy={download.isPending} onGet={() => start(model.model_name)} />
    </Card>
  );
}
