import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";

/** Says how much of a stopped download is saved. */
export function StoppedDownload({ savedMb }: { savedMb: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return <p className="text-12 text-ink-2">{t("jobs.stopped", { size: format.megabytes(savedMb) })}</p>;
}
