import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";

/** Returns a function that words a price: "420 credits", or that it is unknown. */
export function useCredits(): (credits: number | null) => string {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  return (credits) =>
    credits === null ? t("unknown") : t("credits", { count: credits, number: format.number(credits) });
}

/** Returns a function that words why a hosted generation waits; empty where it does not. */
export function useWaitText(): (wait: Generation["wait"]) => string {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  return (wait) => {
    if (!wait) return "";
    const { reason, place = 0, seconds = 0 } = wait;
    if (reason === "queue")
      return place < 2 ? t("wait.queueNext") : t(`wait.${reason}`, { count: place, ordinal: true });
    return seconds > 0 ? t(`wait.${reason}`, { time: format.duration(seconds) }) : t(`wait.${reason}Now`);
  };
}
