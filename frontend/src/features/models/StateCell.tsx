import { useTranslation } from "react-i18next";
import { useLiveDownload } from "@/api/live";
import type { Model } from "@/api/types";
import { useDownloadWait } from "@/features/downloads";
import { ProgressBar } from "@/ui";
import { useLicenceShort } from "./licence";
import { isFetching, type Phase } from "./phase";
import { useFirstRecord, useSteadyBytes } from "./progress";
import { useFitsWarning, useStateText } from "./words";

/** The state of a model: a word, or a bar during a download. */
export function StateCell({ model, phase }: { model: Model; phase: Phase }) {
  const { t } = useTranslation("models");
  const live = useLiveDownload(model.model_name);
  const fetching = isFetching(phase, model);
  const bytes = useSteadyBytes(model, fetching);
  const wait = useDownloadWait(fetching ? live : undefined);
  useFirstRecord(model);
  const words = useStateText()(model, phase, bytes, live, wait);
  if (phase === "absent") return <Terms model={model} />;
  if (fetching && bytes) {
    const part = bytes.total > 0 ? bytes.current / bytes.total : 0;
    return (
      <ProgressBar
        label={t("downloading", { name: model.display_name })}
        value={phase === "preparing" ? null : part}
        tone={phase === "paused" || wait ? "paused" : "plain"}
        text={<span title={wait && wait.kind !== "silent" ? wait.why : undefined}>{words.text}</span>}
      />
    );
  }
  if (phase === "checking" || phase === "copying" || phase === "deleting")
    return <ProgressBar label={words.text} value={null} text={words.text} />;
  return (
    <>
      <div className={phase === "broken" || phase === "failed" ? "text-danger" : ""}>{words.text}</div>
      {words.more ? <div className="text-ink-3">{words.more}</div> : null}
    </>
  );
}

/** For a model that is not installed: its licence, and whether it would fit. */
function Terms({ model }: { model: Model }) {
  const licence = useLicenceShort()(model);
  const warning = useFitsWarning()(model);
  return (
    <>
      <div className="truncate text-ink-2" title={model.license.name}>
        {licence}
      </div>
      {warning ? <div className={model.fits === "no" ? "text-danger" : "text-warn"}>{warning}</div> : null}
    </>
  );
}
