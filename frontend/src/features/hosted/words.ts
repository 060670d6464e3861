import { useEffect, useState } from "react";
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

type Wait = Generation["wait"];

/** Returns the seconds of a wait that are left, counted down in the page between two answers of the server. */
function useSecondsLeft(wait: Wait): number {
  const [passed, setPassed] = useState({ wait, seconds: 0 });
  const seconds = wait?.seconds ?? 0;
  const isCounting = seconds > 0;
  useEffect(() => {
    if (!isCounting) return;
    const start = Date.now();
    const timer = setInterval(() => setPassed({ wait, seconds: (Date.now() - start) / 1000 }), 1000);
    return () => clearInterval(timer);
  }, [wait, isCounting]);
  return Math.max(0, Math.ceil(seconds - (passed.wait === wait ? passed.seconds : 0)));
}

/** Returns why a hosted generation waits; empty where it does not. */
export function useWaitText(wait: Wait): string {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  const seconds = useSecondsLeft(wait);
  if (!wait) return "";
  const { reason, place = 0 } = wait;
  if (reason === "queue") return place < 2 ? t("wait.queueNext") : t(`wait.${reason}`, { count: place, ordinal: true });
  return seconds > 0 ? t(`wait.${reason}`, { time: format.duration(seconds) }) : t(`wait.${reason}Now`);
}
