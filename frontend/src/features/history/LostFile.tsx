import type { ReactNode } from "react";
import { FileX } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Says that the file of a generation is gone, what that means, and how to have it back. */
export function LostFile({ of, action }: { of?: string; action: ReactNode }) {
  const { t } = useTranslation("history");
  return (
    <div className="k-error flex-wrap" role="alert">
      <FileX size={16} aria-hidden />
      <div className="min-w-[min(160px,100%)] flex-1 wrap-anywhere">
        <p className="font-medium">{t("lost.title")}</p>
        {of ? <p dir="auto" className="line-clamp-1 text-ink-2">{of}</p> : null}
        <p className="text-ink-2">{t("lost.remedy")}</p>
      </div>
      {action}
    </div>
  );
}
