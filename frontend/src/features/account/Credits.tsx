import { Cloud } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isLow, type HostedStatus } from "@/api/hosted";
import { useFormat } from "@/i18n/format";
import { Card, Chip, Meter } from "@/ui";

interface Part {
  name: string;
  credits: number;
  colour: string;
  text: string;
}

const freeAllowance = 10_000; // credits of the Free plan (docs/contract/hosted-api.md)

/** Returns the number of credits that the full width of the bar stands for; the allowance of a paid plan is not known. */
function wholeOf({ credits, payg_credits, plan }: HostedStatus): number {
  const known = credits ?? 0;
  return plan === "free" ? Math.max(known, freeAllowance + (payg_credits ?? 0)) : known;
}

/** The credits by their source: those of the plan end with it, purchased ones do not. */
function useParts({ credits, payg_credits, plan, expires_at }: HostedStatus): Part[] {
  const { t } = useTranslation("account");
  const format = useFormat();
  const purchased = payg_credits ?? 0;
  const ofPlan = Math.max(0, (credits ?? 0) - purchased);
  const number = (n: number) => format.number(n);
  const planText = expires_at
    ? t("credits.planUntil", { credits: number(ofPlan), date: format.date(expires_at) })
    : t(plan === "free" ? "credits.free" : "credits.plan", {
        credits: number(ofPlan),
        allowance: number(Math.max(ofPlan, freeAllowance)),
      });
  return [
    { name: "plan", credits: ofPlan, colour: "var(--hosted)", text: planText },
    ...(purchased > 0
      ? [
          {
            name: "purchased",
            credits: purchased,
            colour: "var(--wave)",
            text: t("credits.purchased", { credits: number(purchased) }),
          },
        ]
      : []),
  ];
}

/** The balance as a number and as a bar of its parts. After a failed reading it is the last known one, with its time. */
export function Credits({ status }: { status: HostedStatus }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const parts = useParts(status);
  const whole = wholeOf(status);
  const { credits, plan, checked_at, error, notice } = status;
  if (credits === null) return null;
  return (
    <Card className="grid gap-3" role="group" aria-label={t("credits.title")}>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <div>
          <p className="flex items-center gap-1.5 text-12 font-medium text-ink-2">
            <Cloud size={16} className="text-hosted" aria-hidden />
            {t("credits.title")}
          </p>
          <p className="mt-1 text-28 font-semibold">{format.number(credits)}</p>
        </div>
        {plan ? <Chip>{t(`plans.${plan}`, { defaultValue: plan })}</Chip> : null}
      </div>
      <Meter
        parts={parts.map((part) => ({
          name: part.name,
          part: whole > 0 ? part.credits / whole : 0,
          colour: part.colour,
        }))}
        text={parts.map((part) => part.text).join(", ")}
      />
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-12 text-ink-2">
        {parts.map((part) => (
          <span key={part.name} className="inline-flex items-center gap-1.5">
            <i className="size-2 flex-none rounded-[2px]" style={{ background: part.colour }} aria-hidden />
            {part.text}
          </span>
        ))}
      </div>
      {notice ? (
        <p className="text-12 text-warn">{t(`common:hosted.notice.${notice.kind}`, noticeWords(notice, format))}</p>
      ) : null}
      {isLow(status) ? <p className="text-12 text-warn">{t("common:hosted.notice.low")}</p> : null}
      {error && checked_at ? (
        <p className="text-12 text-ink-3">{t("credits.asOf", { time: format.dateTime(checked_at) })}</p>
      ) : null}
    </Card>
  );
}

function noticeWords({ expires_at }: NonNullable<HostedStatus["notice"]>, format: ReturnType<typeof useFormat>) {
  return { date: expires_at ? format.date(expires_at) : "" };
}
