import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import type { Model } from "@/api/types";
import { ProgressBar } from "@/ui";
import { isFetching, isImported, type Phase } from "./phase";
import { useFirstRecord, useSteadyBytes } from "./progress";
import { useModelErrorText, useStateText } from "./words";

interface Props { model: Model; phase: Phase; error: ApiError | null; /** The error is about files that were given here. */ fromDisk: boolean }

/** What is with a model now: a word, a bar while something goes on, the reason when it went wrong. */
export function StateCell({ model, phase, error, fromDisk }: Props) {
  const { t } = useTranslation("models");
  const live = useLiveDownload(model.model_name);
  const fetching = isFetching(phase, model);
  const bytes = useSteadyBytes(model, fetching);
  useFirstRecord(model);
  const words = useStateText()(model, phase, bytes, live);
  if (error) return <ErrorLines error={error} fromDisk={fromDisk || isImported(model)} more={model.partial_mb > 0 ? words.more : ""} />;
  if (fetching && bytes) {
    const part = bytes.total > 0 ? bytes.current / bytes.total : 0;
    return <ProgressBar label={t("downloadOf", { name: model.display_name })} value={phase === "preparing" ? null : part} tone={phase === "paused" ? "paused" : "plain"} text={words.text} />;
  }
  if (phase === "checking" || phase === "copying" || phase === "deleting") return <ProgressBar label={words.text} value={null} text={words.text} />;
  return (
    <>
      <div className={phase === "broken" || phase === "failed" ? "text-danger" : phase === "absent" ? "text-ink-2" : ""}>{words.text}</div>
      {words.more ? <div className={phase === "absent" ? "text-danger" : "text-ink-3"}>{words.more}</div> : null}
    </>
  );
}

function ErrorLines({ error, fromDisk, more }: { error: ApiError; fromDisk: boolean; more: string }) {
  const { title, remedy } = useModelErrorText()(error, fromDisk ? "disk" : "hub");
  return (
    <div role="alert">
      <div className="flex gap-1.5 text-danger"><TriangleAlert size={16} aria-hidden />{title}</div>
      {remedy || more ? <div className="text-ink-2">{[remedy, more].filter(Boolean).join(" ")}</div> : null}
    </div>
  );
}
