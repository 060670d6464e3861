import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { cx } from "@/ui";
import { noonOf, type Used, type UsedDay } from "./usageDays";

const columns = ["calls", "characters", "credits"] as const;
const cell = "border-b border-line py-1.5 ps-4 text-end font-normal whitespace-nowrap";
const dayCell = "border-b border-line py-1.5 text-start font-normal";

function Row({ name, used }: { name: string; used: Used }) {
  const format = useFormat();
  return (
    <tr className={cx(used.calls === 0 && "text-ink-3")}>
      <th scope="row" className={dayCell}>
        {name}
      </th>
      {columns.map((column) => (
        <td key={column} className={cell}>
          {format.number(used[column])}
        </td>
      ))}
    </tr>
  );
}

/** A region without controls must be scrollable by keyboard too. */
const scrolls = { tabIndex: 0 };

/** The numbers of the chart, the latest day first. */
export function UsageTable({ days, total }: { days: readonly UsedDay[]; total: Used }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  return (
    <div
      {...scrolls}
      role="region"
      aria-label={t("usage.table")}
      className="relative max-h-60 overflow-y-auto rounded-(--r-s)"
    >
      <table className="w-full border-collapse" aria-label={t("usage.table")}>
        <thead className="sticky top-0 bg-page text-12 text-ink-3">
          <tr>
            <th scope="col" className={dayCell}>
              {t("usage.day")}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className={cell}>
                {t(`usage.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <Row key={day.day} name={format.date(noonOf(day.day))} used={day} />
          ))}
        </tbody>
        <tfoot className="font-medium">
          <Row name={t("usage.sum")} used={total} />
        </tfoot>
      </table>
    </div>
  );
}
