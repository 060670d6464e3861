import { useTranslation } from "react-i18next";
import type { Sample } from "@/api/types";
import { useFormat } from "@/i18n/format";

type Measured = Pick<Sample, "seconds" | "level_lufs" | "noise_db" | "clipped">;

/** The numbers of a sample: its length, how loud it is, and how loud the background is. */
export function Numbers({ sample }: { sample: Measured }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const whole = (value: number) => format.number(value, { maximumFractionDigits: 0 });
  const rows = [
    [
      t("number.length"),
      t("seconds", { value: format.number(sample.seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) }),
    ],
    [t("number.level"), t("lufs", { value: whole(sample.level_lufs) })],
    [t("number.noise"), t("decibels", { value: whole(sample.noise_db) })],
    [t("number.clipped"), t(sample.clipped ? "number.yes" : "number.no")],
  ];
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="text-12 text-ink-2">{name}</dt>
          <dd className="text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
