import { Download, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useCancelModel, useDownloadModel, useModels } from "@/api/models";
import { openOutside } from "@/api/session";
import type { Model } from "@/api/types";
import { href } from "@/app/router";
import { useFormat } from "@/i18n/format";
import { Button, Card, ErrorBox, IconButton, Portrait, ProgressBar } from "@/ui";
import { bestModel, hasVoices } from "./best";

const key = "voicewright.betterVoices";

function readDismissed(): boolean {
  try {
    return localStorage.getItem(key) === "dismissed";
  } catch {
    return false; // no storage: it is offered once more
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, "dismissed");
  } catch {
    // no storage: nothing is lost but this wish
  }
}

/** The download while it runs: how far, how fast, how long, and a way to stop. */
function Progress({ model }: { model: Model }) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const live = useLiveDownload(model.model_name);
  const cancel = useCancelModel();
  const part = live && live.total > 0 ? live.current / live.total : null;
  const words = live && part !== null
    ? [format.percent(part), live.bytesPerSecond > 0 ? t("perSecond", { size: format.bytes(live.bytesPerSecond) }) : "", live.etaSeconds === null ? "" : format.duration(live.etaSeconds)].filter(Boolean).join(" · ")
    : t("starting");
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1"><ProgressBar label={t("downloading", { name: model.display_name })} value={part} text={words} /></div>
      <Button size="small" onClick={() => cancel.mutate(model.model_name)}>{t("common:stop")}</Button>
    </div>
  );
}

function Offer({ model, onGet, busy }: { model: Model; onGet(): void; busy: boolean }) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const { license } = model;
  return (
    <>
      <div><Button kind="primary" icon={<Download size={16} aria-hidden />} busy={busy} onClick={onGet}>{t("download", { size: format.megabytes(model.size_mb - model.partial_mb) })}</Button></div>
      {license.accept_required && !license.accepted ? (
        <p className="text-12 text-ink-3">{t("licence", { name: license.name })} <a href={license.url} rel="noreferrer" onClick={(e) => { e.preventDefault(); openOutside(license.url); }}>{t("readLicence")}</a></p>
      ) : null}
    </>
  );
}

function About({ model }: { model: Model }) {
  const { t } = useTranslation("welcome");
  const format = useFormat();
  const languages = [...new Set(model.languages.map((tag) => tag.split("-")[0] ?? tag))];
  const spoken = languages.length > 3 ? t("languages", { count: languages.length }) : format.list(languages.map(format.language));
  return (
    <div className="flex gap-3">
      <Portrait id={model.model_name} size={48} />
      <div className="min-w-0">
        <p className="font-medium">{model.display_name}</p>
        <p className="text-ink-2">{t("voices", { count: model.voices })} {spoken}. {model.fits === "tight" ? t("tight") : t("fits")}</p>
      </div>
    </div>
  );
}

/**
 * After the first sound: the one model that suits this machine best, one click away. Shows nothing when voices are here, when
 * none fits, or once it was closed. Give it a place and, where it lies over something, a width.
 */
export function BetterVoicesCard({ className = "" }: { className?: string }) {
  const { t, i18n } = useTranslation("welcome");
  const models = useModels().data;
  const download = useDownloadModel();
  const [dismissed, setDismissed] = useState(readDismissed);
  const [wanted, setWanted] = useState<string | null>(null);
  const language = navigator.languages.find((tag) => tag.split("-")[0] === i18n.language.split("-")[0]) ?? i18n.language;
  if (dismissed || !models) return null;
  const chosen = models.find((m) => m.model_name === wanted) ?? models.find((m) => m.family === "speech" && m.downloading !== null) ?? bestModel(models, language);
  if (!chosen || (hasVoices(models) && !(wanted && chosen.downloaded))) return null;
  const failure = download.error ?? (chosen.error ? failureOf(chosen.error) : null);
  function get(model: Model) {
    setWanted(model.model_name);
    download.mutate({ name: model.model_name, acceptLicense: model.license.accept_required });
  }
  function close() {
    remember();
    setDismissed(true);
  }
  return (
    <Card role="region" aria-label={t("title")} className={`grid gap-3 bg-float ${className}`}>
      <div className="flex items-center"><h2 className="flex-1 font-semibold">{chosen.downloaded ? t("ready") : t("title")}</h2><IconButton label={t("common:close")} icon={<X size={16} />} onClick={close} /></div>
      <About model={chosen} />
      {chosen.downloaded ? <div><a className="k-btn" data-kind="primary" href={href("voices")} onClick={close}>{t("choose")}</a></div>
        : chosen.downloading ? <Progress model={chosen} /> : <Offer model={chosen} busy={download.isPending} onGet={() => get(chosen)} />}
      {failure && !chosen.downloading && !chosen.downloaded ? <ErrorBox error={failure} /> : null}
    </Card>
  );
}
