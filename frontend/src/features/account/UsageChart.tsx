import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { noonOf, type UsedDay } from "./usageDays";

// In units of the drawing, which is stretched to the width of the screen.
const pitch = 10;
const gap = 2;
const height = 100;
const least = 2; // a small price is visible too

/** The credits of each day as bars. Its name says the same in words; the table has the numbers. */
export function UsageChart({ days, total }: { days: readonly UsedDay[]; total: number }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const date = ({ day }: UsedDay) => format.date(noonOf(day));
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return null;
  const busiest = days.reduce((a, b) => (b.credits > a.credits ? b : a));
  const heightOf = (credits: number) => (credits > 0 ? Math.max(least, (credits / busiest.credits) * height) : 0);
  const words = {
    from: date(first),
    to: date(last),
    day: date(busiest),
    max: format.number(busiest.credits),
    total: format.number(total),
  };
  return (
    <div role="img" aria-label={t("usage.chart", words)} className="text-12 text-ink-3">
      <p className="border-b border-line pb-0.5">{words.max}</p>
      <svg
        viewBox={`0 0 ${days.length * pitch} ${height}`}
        preserveAspectRatio="none"
        className="block h-24 w-full rtl:-scale-x-100"
        aria-hidden
      >
        {days.map((day, i) => (
          <g key={day.day}>
            <title>{`${date(day)}: ${t("usage.total", { count: day.credits })}`}</title>
            <rect x={i * pitch} width={pitch} height={height} fill="transparent" />
            <rect
              className="fill-hosted forced-colors:fill-[CanvasText]"
              x={i * pitch + gap / 2}
              y={height - heightOf(day.credits)}
              width={pitch - gap}
              height={heightOf(day.credits)}
            />
          </g>
        ))}
      </svg>
      <p className="flex flex-wrap justify-between gap-x-4 border-t border-edge pt-1">
        <span>{words.from}</span>
        <span>{words.to}</span>
      </p>
    </div>
  );
}
