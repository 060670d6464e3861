import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { HostedStatus } from "@/api/hosted";
import { useUsage } from "@/api/usage";
import { useFormat } from "@/i18n/format";
import { Button, Skeleton } from "@/ui";
import { AccountError } from "./AccountError";
import { UsageChart } from "./UsageChart";
import { noonOf, summaryOf, type UsageSummary } from "./usageDays";
import { UsageTable } from "./UsageTable";

/** What the numbers do not say by themselves: refunds, calls in progress, and a list that was too long to be read. */
function Notes({ summary: { refunded, held, knownFrom }, calls }: { summary: UsageSummary; calls: number }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const notes = [
    knownFrom === null ? "" : t("usage.cut", { count: calls, date: format.date(noonOf(knownFrom)) }),
    refunded > 0 ? t("usage.refunded", { count: refunded }) : "",
    held > 0 ? t("usage.held", { count: held }) : "",
  ].filter(Boolean);
  return notes.map((note) => (
    <p key={note} className="text-12 text-pretty text-ink-3">
      {note}
    </p>
  ));
}

function Content({ summary, calls }: { summary: UsageSummary; calls: number }) {
  const { t } = useTranslation("account");
  const { days, total, knownFrom } = summary;
  const known = days.filter(({ day }) => day >= (knownFrom ?? ""));
  if (total.calls === 0) return <p className="text-ink-3">{t("usage.none")}</p>;
  return (
    <>
      <UsageChart days={known} total={total.credits} />
      <UsageTable days={known} total={total} />
      <Notes summary={summary} calls={calls} />
    </>
  );
}

/** The credits of the last days, as a chart and a table. Not every hosted service lists calls. */
export function Usage({ status }: { status: HostedStatus }) {
  const { t } = useTranslation("account");
  const { data, dataUpdatedAt, error, isLoading, isFetching, refetch } = useUsage(status);
  const summary = useMemo(() => (data ? summaryOf(data, new Date(dataUpdatedAt)) : null), [data, dataUpdatedAt]);
  const isListed = error?.status !== 404;
  if (error && !data && status.error) return null; // the reason is above
  return (
    <section aria-labelledby="account-usage" aria-busy={isLoading} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="account-usage" className="text-14 font-semibold">
          {t("usage.title")}
        </h2>
        {summary && summary.total.calls > 0 ? <p>{t("usage.total", { count: summary.total.credits })}</p> : null}
      </div>
      {summary ? <Content summary={summary} calls={data?.calls.length ?? 0} /> : null}
      {isLoading ? <Skeleton className="h-40" /> : null}
      {isListed ? null : <p className="text-ink-3">{t("usage.notListed")}</p>}
      {error && isListed ? (
        <AccountError
          error={error}
          action={
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              {t("common:retry")}
            </Button>
          }
        />
      ) : null}
    </section>
  );
}
