import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { primary } from "./filter";

interface Props {
  /** The voices of the program's own list. */
  models: readonly Model[];
  /** A search or filter has matches, which are shown at once. */
  isFiltered: boolean;
  children: ReactNode;
}

/** Piper as one row that opens to its voices, each of which is a model of its own. */
export function PiperVoices({ models, isFiltered, children }: Props) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const id = useId();
  const [wasOpened, setOpened] = useState(false);
  const isOpen = wasOpened || isFiltered;
  const sizes = models.map((model) => model.size_mb).filter((size) => size > 0);
  const words = [
    t("piper.note"),
    t("languages", { count: new Set(models.flatMap((model) => model.languages.map(primary))).size }),
    t("piper.sizes", { from: format.megabytes(Math.min(...sizes)), to: format.megabytes(Math.max(...sizes)) }),
  ];
  return (
    <section aria-label={engineName("piper")}>
      <button
        type="button"
        className="grid min-h-13 w-full grid-cols-[16px_minmax(0,1fr)] items-center gap-x-1.5 border-b border-line px-6 py-2 text-start hover:bg-fill @max-[680px]/main:px-4"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={isFiltered}
        onClick={() => setOpened(!wasOpened)}
      >
        {isOpen ? (
          <ChevronDown size={16} aria-hidden />
        ) : (
          <ChevronRight size={16} aria-hidden className="rtl:rotate-180" />
        )}
        <span className="font-semibold">{t("piper.title")}</span>
        <span className="col-start-2 truncate text-12 text-ink-3">
          {(sizes.length > 0 ? words : words.slice(0, 1)).join(" · ")}
        </span>
      </button>
      <div id={id}>{isOpen ? children : null}</div>
    </section>
  );
}
