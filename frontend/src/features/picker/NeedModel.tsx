import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useDownloadModel, usePauseModel } from "@/api/models";
import type { Model } from "@/api/types";
import { DownloadsOff, StoppedDownload, useDownloadsOff, useDownloadState } from "@/features/downloads";
import { href } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Button, Checkbox, ErrorBox, ProgressBar } from "@/ui";

interface Props {
  model: Model;
  /** The chosen voice; without one, the whole model was requested. */
  name?: string | undefined;
  /** The sentence before the buttons, in place of the one about the voices of the model. */
  question?: string | undefined;
  /** The model is installed now. */
  onReady(): void;
  onStart?(): void;
  onStop?(): void;
  /** Leaves the download to itself. */
  onLeave?: (() => void) | undefined;
  /** Chooses the voice anyway: the model is downloaded with the first generation. */
  onUseAnyway?: (() => void) | undefined;
  onBack?(): void;
}

function Licence({ model, accepted, onChange }: { model: Model; accepted: boolean; onChange(on: boolean): void }) {
  const { t } = useTranslation("picker");
  const { license } = model;
  if (!license.name) return null;
  const link = license.url ? (
    <a href={license.url} target="_blank" rel="noreferrer">
      {license.name}
    </a>
  ) : (
    license.name
  );
  if (!license.accept_required || license.accepted)
    return (
      <p className="text-12 text-ink-2">
        {t("need.licence")} {link}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-12">
      <Checkbox label={t("need.accept", { licence: license.name })} checked={accepted} onChange={onChange} />
      <span>{link}</span>
    </p>
  );
}

function Progress({
  model,
  onStop,
  onLeave,
  onUseAnyway,
}: {
  model: Model;
  onStop(): void;
  onLeave?: (() => void) | undefined;
  onUseAnyway?: (() => void) | undefined;
}) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const live = useLiveDownload(model.model_name);
  const current = live?.current ?? model.downloading?.current ?? 0;
  const total = live?.total || model.downloading?.total || model.size_mb * 1_000_000;
  const words = [format.percent(current / total), `${format.bytes(current)} / ${format.bytes(total)}`];
  if (live && live.bytesPerSecond > 0) words.push(`${format.bytes(live.bytesPerSecond)}/s`);
  if (live?.etaSeconds) words.push(t("need.left", { time: format.duration(live.etaSeconds) }));
  const text =
    live?.status === "verifying"
      ? t("need.checking")
      : current === 0
        ? t("need.starting", { size: format.bytes(total) })
        : words.join(" · ");
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-40 flex-1">
        <ProgressBar
          label={t("need.downloading", { name: model.display_name })}
          value={current === 0 || live?.status === "verifying" ? null : current / total}
          text={text}
        />
      </div>
      <Button onClick={onStop} autoFocus>
        {t("common:stop")}
      </Button>
      {onUseAnyway ? <Button onClick={onUseAnyway}>{t("need.useNow")}</Button> : null}
      {onLeave ? (
        <Button onClick={onLeave} hint={t("need.backgroundHint")}>
          {t("need.background")}
        </Button>
      ) : null}
    </div>
  );
}

function BackButton({ onBack }: Pick<Props, "onBack">) {
  const { t } = useTranslation("picker");
  return onBack ? (
    <Button kind="quiet" onClick={onBack}>
      {t("need.back")}
    </Button>
  ) : null;
}

/** An imported model whose files are missing: it cannot be downloaded. */
function Removed({ model, onBack }: Pick<Props, "model" | "onBack">) {
  const { t } = useTranslation("picker");
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-52 flex-1 wrap-anywhere">{t("need.missing", { model: model.display_name })}</p>
      <BackButton onBack={onBack} />
      <a className="k-btn hover:no-underline" href={href("models", [model.model_name])}>
        {t("toModel")}
      </a>
    </div>
  );
}

/** The confirmation before a large download, and the download itself. */
export function NeedModel(props: Props) {
  return props.model.repo_id === "" && !props.model.downloaded ? <Removed {...props} /> : <Fetch {...props} />;
}

/** The model cannot be downloaded while offline mode is on. */
function Unavailable({ model, asked, off, onBack }: Pick<Props, "model" | "onBack"> & { asked: string; off: string }) {
  const { t } = useTranslation("picker");
  return (
    <div className="flex flex-wrap items-center gap-3" role="group" aria-label={asked}>
      <div className="min-w-52 flex-1">
        <p className="font-medium">{t("need.notDownloaded", { model: model.display_name })}</p>
        <DownloadsOff reason={off} />
      </div>
      <BackButton onBack={onBack} />
    </div>
  );
}

function Fetch({ model, name, question, onReady, onStart, onStop, onLeave, onUseAnyway, onBack }: Props) {
  const { t } = useTranslation(["picker", "models"]);
  const format = useFormat();
  const download = useDownloadModel();
  const pause = usePauseModel();
  const [accepted, setAccepted] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const mustAccept = model.license.accept_required && !model.license.accepted;
  const off = useDownloadsOff();
  const { isRunning: running, savedMb } = useDownloadState(model);
  useEffect(() => {
    if (waiting && model.downloaded) onReady();
  }, [waiting, model.downloaded, onReady]);

  const start = () =>
    download.mutate(
      { name: model.model_name, acceptLicense: mustAccept && accepted },
      {
        onSuccess: () => {
          setWaiting(true);
          onStart?.();
        },
      },
    );
  const problem = download.error ?? pause.error ?? (model.error && !running ? failureOf(model.error) : null);
  const size = format.megabytes(model.size_mb - savedMb);
  const words = { name, model: model.display_name, size, count: model.voices };
  const sized = model.size_mb > 0 ? t("need.download", { size }) : t("models:action.download");
  const asked =
    question ?? (!name ? t("need.model", words) : model.voices > 1 ? t("need.question", words) : t("need.one", words));
  if (off !== null && !running) return <Unavailable model={model} asked={asked} off={off} onBack={onBack} />;
  if (running || (waiting && !problem && !model.downloaded)) {
    return (
      <Progress
        model={model}
        onStop={() => {
          setWaiting(false);
          onStop?.();
          pause.mutate(model.model_name);
        }}
        onLeave={onLeave}
        onUseAnyway={onUseAnyway}
      />
    );
  }
  return (
    <div className="grid gap-2" role="group" aria-label={t("need.title", { name: name ?? model.display_name })}>
      {problem ? <ErrorBox error={problem} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-52 flex-1">
          <p className="font-medium">{asked}</p>
          {savedMb > 0 && !problem ? <StoppedDownload savedMb={savedMb} /> : null}
          <Licence model={model} accepted={accepted} onChange={setAccepted} />
        </div>
        <BackButton onBack={onBack} />
        {onUseAnyway && !mustAccept ? (
          <Button onClick={onUseAnyway} hint={t("need.laterHint")}>
            {t("need.later")}
          </Button>
        ) : null}
        <Button
          kind="primary"
          icon={<Download size={16} aria-hidden />}
          busy={download.isPending}
          disabled={mustAccept && !accepted}
          onClick={start}
          autoFocus={onBack !== undefined && !mustAccept}
        >
          {problem ? t("common:retry") : savedMb > 0 ? t("common:jobs.resume", { size }) : sized}
        </Button>
      </div>
    </div>
  );
}
