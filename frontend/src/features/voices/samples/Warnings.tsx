import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SampleWarning } from "@/api/types";

/** Returns the texts of a warning in the person's language; the server's English where there is none. */
export function useWarningText(): (warning: SampleWarning) => { title: string; remedy: string } {
  const { t, i18n } = useTranslation("samples");
  return ({ code, detail, remedy, params = {} }) =>
    i18n.exists(`samples:warning.${code}.title`)
      ? { title: t(`warning.${code}.title`, params), remedy: t(`warning.${code}.remedy`, params) }
      : { title: detail, remedy };
}

/** What makes a sample less good than it could be, and how to record a better one. */
export function Warnings({ warnings }: { warnings: readonly SampleWarning[] }) {
  const { t } = useTranslation("samples");
  const text = useWarningText();
  if (warnings.length === 0) return null;
  return (
    <ul className="grid gap-2" aria-label={t("warnings")}>
      {warnings.map((warning) => {
        const { title, remedy } = text(warning);
        return (
          <li key={warning.code} className="flex gap-2">
            <TriangleAlert size={16} className="mt-0.5 flex-none text-warn" aria-hidden />
            <div className="min-w-0">
              <p className="font-medium text-ink">{title}</p>
              <p className="text-12 text-ink-2">{remedy}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
