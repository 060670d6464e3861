import { Download as DownloadIcon, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, type ApiError } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useDownloadModel, useModels, usePauseModel } from "@/api/models";
import { openOutside } from "@/api/session";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, Portrait, ProgressBar } from "@/ui";
import { StoppedDownload, useDownloadsOff, useDownloadState } from "@/features/downloads";
import { awaitVoice, forgetAwaited, useAwaited } from "@/features/picker";
import { bestModel, hasVoices, smallerModel } from "./best";
import { useDownloadSpeed } from "./speed";
import { useCoversTextCursor } from "./useCoversTextCursor";
import "./welcome.css";

const key = "voicewright.betterVoices";

function readDismissed(): boolean {
  try {
    return localStorage.getItem(key) === "dismissed";
  } catch {
    return false; // no storage: it is offered again
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, "dismissed");
  } catch {
    // no storage: the card is shown again at the next start
  }
}

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
function Download({ error, ...props }: DownloadProps) {
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

function About({ model }: { model: Model }) {
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

/** Returns the language of the page, with the accent that the browser prefers. */
function useLanguage(): string {
  const { i18n } = useTranslation();
  return navigator.languages.find((tag) => tag.split("-")[0] === i18n.language.split("-")[0]) ?? i18n.language;
}

/** Returns the model of the card: the requested or downloading one, else the best one, or the smaller alternative. */
function useChosen(wanted: string | null, looked: string | null, language: string) {
  const models = useModels().data;
  if (!models) return null;
  const best = bestModel(models, language);
  const running =
    models.find((m) => m.model_name === wanted) ?? models.find((m) => m.family === "speech" && m.downloading !== null);
  const chosen = running ?? models.find((m) => m.model_name === looked) ?? best;
  if (!chosen || hasVoices(models)) return null;
  const other = smallerModel(models, language, chosen) ?? best;
  return { chosen, other: other === chosen ? undefined : other };
}

/** Offline nothing can be downloaded, so that nothing is offered. */
function WhileOnline({ children }: { children: ReactNode }) {
  return useDownloadsOff() === null ? children : null;
}

interface Props {
  /** Where the voice is chosen. */
  place: string;
  /** The id of the profile in use. */
  inUse: string | undefined;
  /** The generation that is spoken again with the new voice. */
  generation: string;
}

/**
 * After the first audio: the one model that suits this machine best, one click away. Shows nothing when voices are
 * installed, when no model fits, or once it was closed. The new voice speaks the same text again. It floats at the lower end of its positioned container.
 */
export function BetterVoicesCard({ place, inUse, generation }: Props) {
  const { t } = useTranslation("welcome");
  const language = useLanguage();
  const download = useDownloadModel();
  const [dismissed, setDismissed] = useState(readDismissed);
  const wanted = useAwaited(place)?.model ?? null;
  const [looked, setLooked] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isAside = useCoversTextCursor(box);
  const offer = useChosen(wanted, looked, language);
  if (dismissed || !offer) return null;
  const { chosen, other } = offer;
  function get(model: Model) {
    setLooked(model.model_name);
    awaitVoice(place, {
      model: model.model_name,
      language,
      inUse,
      before: new Set(),
      speakAgain: generation,
    });
    download.mutate({ name: model.model_name, acceptLicense: model.license.accept_required });
  }
  function look(name: string) {
    forgetAwaited(place);
    setLooked(name);
    download.reset();
  }
  function close() {
    remember();
    setDismissed(true);
  }
  return (
    <WhileOnline>
      <div
        ref={box}
        role="region"
        aria-label={t("title")}
        className="k-card w-card"
        data-aside={isAside ? "" : undefined}
      >
        <div className="flex items-center">
          <h2 className="flex-1 font-semibold">{t("title")}</h2>
          <IconButton label={t("common:close")} icon={<X size={16} />} onClick={close} />
        </div>
        <About model={chosen} />
        <Download
          model={chosen}
          error={download.error ?? (chosen.error ? failureOf(chosen.error) : null)}
          busy={download.isPending}
          onGet={() => get(chosen)}
          other={other}
          onOther={look}
        />
      </div>
    </WhileOnline>
  );
}
