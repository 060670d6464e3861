import { Download as DownloadIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type ApiError } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { usePauseModel } from "@/api/models";
import { openOutside } from "@/api/session";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, Portrait, ProgressBar } from "@/ui";
import { StoppedDownload, useDownloadState } from "@/features/downloads";
import { useDownloadSpeed } from "./speed";
import "./welcome.css";

/** The running download: progress, speed, remaining time, and a way to stop it. */
function Progress({ model }: { model: Model }) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const live = useLiveDownload(model.model_name);
  const pause = usePauseModel();
  const part = live && live.total > 0 ? live.current / live.total : null;
  const words =
    live && part !== null
      ? [
          format.percent(part),
          live.bytesPerSecond > 0 ? t("perSecond", { size: format.bytes(live.bytesPerSecond) }) : "",
          live.etaSeconds === null ? "" : format.duration(live.etaSeconds),
        ]
          .filter(Boolean)
          .join(" · ")
      : t("starting");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar label={t("downloading", { name: model.display_name })} value={part} text={words} />
      </div>
      <Button size="small" busy={pause.isPending} onClick={() => pause.mutate(model.model_name)}>
        {t("common:stop")}
      </Button>
    </div>
  );
}

interface OfferProps {
  model: Model;
  savedMb: number;
  failed: boolean;
  speed: number | null;
  busy: boolean;
  onGet(): void;
  other: Model | undefined;
  onOther(name: string): void;
}

/** The download with its size, its expected time if known, and a smaller alternative. */
function Offer({ model, savedMb, failed, speed, busy, onGet, other, onOther }: OfferProps) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const { license } = model;
  const left = model.size_mb - savedMb;
  const size = format.megabytes(left);
  return (
    <>
      {savedMb > 0 && !failed ? <StoppedDownload savedMb={savedMb} /> : null}
      <div>
        <Button className="w-get" icon={<DownloadIcon size={16} aria-hidden />} busy={busy} onClick={onGet}>
          {failed ? t("common:retry") : t(savedMb > 0 ? "common:jobs.resume" : "download", { size })}
        </Button>
      </div>
      {speed === null && !other ? null : (
        <p className="flex flex-wrap gap-x-2 text-12 text-ink-3">
          {speed === null ? null : <span>{t("time", { time: format.duration((left * 1_000_000) / speed) })}</span>}
          {other ? (
            <button
              type="button"
              className="text-accent-text hover:underline"
              onClick={() => onOther(other.model_name)}
            >
              {t(other.size_mb < model.size_mb ? "smaller" : "larger", {
                size: format.megabytes(other.size_mb - other.partial_mb),
              })}
            </button>
          ) : null}
        </p>
      )}
      {license.accept_required && !license.accepted ? (
        <p className="text-12 text-ink-3">
          {t("licence", { name: license.name })}{" "}
          <a
            href={license.url}
            rel="noreferrer"
            onClick={(e) => {
              e.preventDefault();
              openOutside(license.url);
            }}
          >
            {t("readLicence")}
          </a>
        </p>
      ) : null}
    </>
  );
}

type DownloadProps = Pick<OfferProps, "model" | "busy" | "onGet" | "other" | "onOther"> & { error: ApiError | null };

/** The running download, or the offer to start or resume it. */
export function Download({ error, ...props }: DownloadProps) {
  const { isRunning, savedMb } = useDownloadState(props.model);
  const speed = useDownloadSpeed();
  if (isRunning) return <Progress model={props.model} />;
  return (
    <>
      <Offer {...props} savedMb={savedMb} failed={error !== null} speed={speed} />
      {error ? <ErrorBox error={error} /> : null}
    </>
  );
}

export function About({ model }: { model: Model }) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const languages = [...new Set(model.languages.map((tag) => tag.split("-")[0] ?? tag))];
  const spoken =
    languages.length > 3 ? t("languages", { count: languages.length }) : format.list(languages.map(format.language));
  return (
    <div className="flex gap-3">
      <Portrait id={model.model_name} size={48} />
      <div className="min-w-0">
        <p className="font-medium">{model.display_name}</p>
        <p className="text-ink-2">
          {t("voices", { count: model.voices })} {spoken}. {model.fits === "tight" ? t("tight") : t("fits")}
        </p>
      </div>
    </div>
  );
}
