import { Cloud } from "lucide-react";
import { useTranslation } from "react-i18next";
import { hasCredential, isLow, useHostedStatus, useTextPrice } from "@/api/hosted";
import { useFormat } from "@/i18n/format";
import { href } from "@/lib/router";
import { Tooltip } from "@/ui";

/** The credits of the hosted account in the top bar, with the price of the present text before them. */
export function HostedCredits() {
  const { t } = useTranslation();
  const format = useFormat();
  const status = useHostedStatus().data;
  const price = useTextPrice()?.credits ?? null;
  if (!status || !hasCredential(status) || status.credits === null) return null;
  const short = (n: number) => format.number(n, { notation: "compact", maximumFractionDigits: n < 10_000 ? 1 : 0 });
  const credits = format.number(status.credits);
  const words =
    price === null
      ? t("hosted.credits", { credits })
      : t("hosted.creditsAndPrice", { credits, price: format.number(price) });
  return (
    <Tooltip text={words}>
      <a
        className="k-btn hover:no-underline"
        data-kind="quiet"
        data-size="small"
        href={href("account")}
        aria-label={words}
      >
        <Cloud size={16} className={isLow(status) ? "text-warn" : "text-hosted"} aria-hidden />
        {price === null
          ? short(status.credits)
          : t("hosted.priceOf", { price: short(price), credits: short(status.credits) })}
      </a>
    </Tooltip>
  );
}
