import { useTranslation } from "react-i18next";
import type { LiveDownload } from "@/api/live";
import { useFormat, type Format } from "@/i18n/format";
import type { Wait } from "./useDownloadWait";

/** Formats the size of files in whole MB, rounded up as in the list of models, so that both show the same. */
export const wholeSize = (format: Format, bytes: number): string =>
  bytes < 1_000_000 ? format.bytes(bytes) : format.megabytes(Math.ceil(bytes / 1_000_000));

/** "4.1 of 25 MB": the unit once if both have the same. */
export function useOfSizes(): (got: number, total: number) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (got, total) => {
    const size = wholeSize(format, total);
    if (got <= 0) return t("jobs.of", { got: format.number(0), size });
    const some = format.bytes(Math.min(got, total));
    const unit = (text: string) => text.replace(/^[\d.,\s]+/, "");
    const bare = unit(some) === unit(size) ? some.slice(0, some.length - unit(some).length).trim() : some;
    return t("jobs.of", { got: bare, size });
  };
}

/** Returns the speed of a download and the time left, or what it waits for. */
export function useDownloadPace(): (live: LiveDownload | undefined, wait: Wait | null) => string[] {
  const { t } = useTranslation();
  const format = useFormat();
  return (live, wait) => {
    if (wait?.kind === "retry") {
      const params = { wait: format.duration(wait.seconds), attempt: wait.attempt, of: wait.of };
      return [
        t(
          wait.seconds < 1 ? "jobs.retryNow" : live && live.current > 0 ? "jobs.retryBroken" : "jobs.retrySilent",
          params,
        ),
      ];
    }
    if (wait?.kind === "network") return [t("jobs.noNetwork", { wait: format.duration(wait.seconds) })];
    if (wait) return [t("jobs.silent", { time: format.duration(wait.seconds) })];
    if (live?.status !== "downloading" || live.bytesPerSecond <= 0) return [];
    const speed = t("jobs.perSecond", { speed: format.bytes(live.bytesPerSecond) });
    return live.etaSeconds === null ? [speed] : [speed, t("jobs.left", { time: format.duration(live.etaSeconds) })];
  };
}
