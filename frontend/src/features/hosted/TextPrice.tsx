import { useTranslation } from "react-i18next";
import type { HostedQuote } from "@/api/hosted";
import { useCredits } from "./words";

/** The price of the present text, beside the button that generates it. */
export function TextPrice({ quote }: { quote: HostedQuote }) {
  const { t } = useTranslation("hosted");
  const words = useCredits()(quote.credits);
  return (
    <span
      role="status"
      aria-label={`${t("price.label")}: ${words}`}
      title={quote.warn ? t("price.warn") : t("price.label")}
      className={`flex-none text-12 whitespace-nowrap tabular-nums ${quote.warn ? "text-warn" : "text-ink-2"}`}
    >
      {words}
    </span>
  );
}
