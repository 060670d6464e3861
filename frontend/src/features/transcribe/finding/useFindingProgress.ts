import { useTranslation } from "react-i18next";
import type { FindingSpeakers } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useDownloadProgress } from "../ModelDownload";
import { useSpeakersModel } from "../models";

/** Returns how far a search for speakers is, 0 to 1 or null while that is unknown, and the words for it. */
export function useFindingProgress({ status, progress }: FindingSpeakers): { value: number | null; text: string } {
  const { t } = useTranslation();
  const format = useFormat();
  const model = useSpeakersModel();
  const download = useDownloadProgress(model);
  const words = t(`finding.${status}`);
  if (status === "listening") return { value: progress, text: `${words} · ${format.percent(progress)}` };
  if (status !== "downloading_model") return { value: null, text: words };
  return { value: download.value, text: [words, download.text].join(" · ") };
}
