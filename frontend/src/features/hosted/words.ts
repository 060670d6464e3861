import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";

/** Returns a function that words a price: "420 credits", or that it is unknown. */
export function useCredits(): (credits: number | null) => string {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  return (credits) =>
    credits === null ? t("unknown") : t("credits", { count: credits, number: format.number(credits) });
}
