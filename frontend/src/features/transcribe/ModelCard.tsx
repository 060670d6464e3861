import { Download } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useDownloadModel } from "@/api/models";
import type { Model } from "@/api/types";
import { useCancelDownload, useDownloadPace, useDownloadWait, useOfSizes } from "@/features/downloads";
import { href } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Button, Card, ErrorBox, ProgressBar } from "@/ui";
import { firstModel } from "./models";
import { setOptions } from "./options";
import { takeHeldFiles, useHeldFiles } from "./state";
import type { Incoming } from "./useIncoming";

function Progress({ model }: { model: Model }) {
  const { t } = useTranslation("transcribe");
  const live = useLiveDownload(model.model_name);
  const wait = useDownloadWait(live);
  const pace = useDownloadPace()(live, wait);
  const sizes = useOfSizes();
  const { cancel } = useCancelDownload();
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
      <Button size="small" onClick={() => cancel(model.model_name, model.display_name)}>
        {t("common:stop")}
      </Button>
    </div>
  );
}

/** The first model in one click: the one that suits this machine best. Files that wait for it go on by themselves. */
export function ModelCard({ models, send }: { models: readonly Model[]; send: Incoming["send"] }) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const download = useDownloadModel();
  const held = useHeldFiles();
  const [wanted, setWanted] = useState("");
  const model =
    models.find(({ model_name }) => model_name === wanted) ??
    models.find(({ downloading }) => downloading !== null) ??
    firstModel(models);
  const ready = models.find(({ downloaded }) => downloaded)?.model_name;
  const goOn = useEffectEvent((name: string) => {
    const files = takeHeldFiles();
    if (files.length > 0) send(files, name);
  });
  useEffect(() => {
    if (ready !== undefined) goOn(ready);
  }, [ready]);
  if (!model || ready !== undefined) return null;
  const failure = download.error ?? (model.error && !model.downloading ? failureOf(model.error) : null);
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
      {failure ? <ErrorBox error={failure} /> : null}
      {model.downloading ? (
        <Progress model={model} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            icon={<Download size={16} aria-hidden />}
            busy={download.isPending}
            onClick={() => start(model.model_name)}
          >
            {failure ? t("common:retry") : t("first.download", { size: format.megabytes(model.size_mb) })}
          </Button>
          <a href={href("models", [], { tab: "more" })}>{t("first.others")}</a>
        </div>
      )}
    </Card>
  );
}
