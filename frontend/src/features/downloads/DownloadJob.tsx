import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LiveDownload } from "@/api/live";
import { useModel } from "@/api/models";
import { IconButton, ProgressBar } from "@/ui";
import { useCancelDownload } from "./useCancelDownload";
import { useDownloadWait } from "./useDownloadWait";
import { useDownloadPace, useOfSizes } from "./words";

/** A download in the list of jobs: progress, speed, remaining time, and a way to stop it. */
export function DownloadJob({ job }: { job: LiveDownload }) {
  const { t } = useTranslation();
  const sizes = useOfSizes();
  const wait = useDownloadWait(job);
  const pace = useDownloadPace()(job, wait);
  const { cancel } = useCancelDownload();
  const name = useModel(job.model_name)?.display_name ?? job.model_name;
  const state = job.status === "downloading" ? [] : [t(`jobs.state.${job.status}`)];
  const text = [...state, ...(job.total > 0 ? [sizes(job.current, job.total)] : []), ...pace].join(" · ");
  const part = job.total > 0 && job.status !== "resolving" ? job.current / job.total : null;
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate">{name}</p>
        <ProgressBar
          label={t("jobs.download", { name })}
          value={part}
          tone={job.status === "paused" || wait ? "paused" : "plain"}
          text={text}
        />
      </div>
      <IconButton
        label={t("jobs.cancel", { name })}
        icon={<X size={14} />}
        onClick={() => cancel(job.model_name, name)}
      />
    </div>
  );
}
