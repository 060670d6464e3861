import { CloudAlert, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { hasCredential, isLow, useHostedStatus, type HostedStatus } from "@/api/hosted";
import { useFormat } from "@/i18n/format";
import { href, useRoute } from "@/lib/router";
import { storedValue } from "@/lib/storedValue";
import { IconButton } from "@/ui";

type Kind = NonNullable<HostedStatus["notice"]>["kind"] | "low";

/** The day on which each notice was dismissed. */
const dismissed = storedValue("voicewright.notices", v.record(v.string(), v.string()), {});

function kindOf(status: HostedStatus | undefined): Kind | null {
  if (!status || !hasCredential(status)) return null;
  return status.notice?.kind ?? (isLow(status) ? "low" : null);
}

/** A plan that ends or has ended, or few credits: at most once a day. The Account screen shows it by itself. */
export function HostedNotice() {
  const { t } = useTranslation();
  const format = useFormat();
  const { screen } = useRoute();
  const status = useHostedStatus().data;
  const [days, setDays] = useState(dismissed.read);
  const kind = kindOf(status);
  const today = new Date().toDateString();
  if (kind === null || screen === "account" || days[kind] === today) return null;
  function dismiss(one: Kind) {
    const next = { ...days, [one]: today };
    dismissed.write(next);
    setDays(next);
  }
  const expires = status?.notice?.expires_at;
  return (
    <div className="f-banner">
      <CloudAlert size={16} aria-hidden />
      <span className="min-w-0 flex-1">
        {t(`hosted.notice.${kind}`, { date: expires ? format.date(expires) : "" })}
      </span>
      <a className="k-btn hover:no-underline" data-kind="quiet" data-size="small" href={href("account")}>
        {t("openAccount")}
      </a>
      <IconButton label={t("close")} icon={<X size={14} />} onClick={() => dismiss(kind)} />
    </div>
  );
}
