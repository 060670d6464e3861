import { useTranslation } from "react-i18next";
import type { HostedQuote } from "@/api/hosted";
import { useFormat } from "@/i18n/format";
import { useCredits } from "./words";

/** The price of the present text, beside the button that generates it. */
export function TextPrice({ quote }: { quote: HostedQuote }) {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  const words = useCredits()(quote.credits);
  const { calls, credits_left: left } = quote;
  const facts = [
    quote.warn ? t("price.warn") : t("price.label"),
    calls > 1 ? t("price.calls", { count: calls, number: format.number(calls) }) : "",
    left === null ? "" : t("confirm.text", { left: format.number(left) }),
  ];
  return (
    <span
      role="status"
      aria-label={`${t("price.label")}: ${words}`}
      title={facts.filter(Boolean).join("\n")}
      className={`flex-none text-12 whitespace-nowrap tabular-nums ${quote.warn ? "text-warn" : "text-ink-2"}`}
    >
      {words}
    </span>
  );
}
