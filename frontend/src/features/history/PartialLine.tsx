import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";

type Partial = NonNullable<Generation["partial"]>;

/** Returns how many passages of a stopped or failed generation are finished. */
export function usePartialText(): (partial: Partial) => string {
  const { t } = useTranslation("history");
  const format = useFormat();
  return ({ chunks, total }) => t("partial", { done: format.number(chunks), total: format.number(total) });
}

/** The second line of a stopped row: what is finished, and a button that makes the rest. */
export function PartialLine({ id, partial, onRetry }: { id: string; partial: Partial; onRetry(id: string): void }) {
  const { t } = useTranslation("history");
  const text = usePartialText();
  return (
    <div className="flex items-center gap-3 text-12 leading-4 text-ink-3">
      <span className="truncate">{text(partial)}</span>
      <button
        type="button"
        tabIndex={-1}
        className="k-btn shrink-0"
        data-kind="quiet"
        data-size="small"
        onClick={() => onRetry(id)}
      >
        <Play size={12} aria-hidden />
        {t("continue")}
      </button>
    </div>
  );
}
