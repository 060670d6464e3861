import { FileX } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Says that the audio file of a generation is missing, and how to get it back. */
export function MissingFile() {
  const { t } = useTranslation("history");
  return (
    <div className="k-error" role="alert">
      <FileX size={16} aria-hidden />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{t("missing.title")}</p>
        <p className="text-ink-2">{t("missing.remedy")}</p>
      </div>
    </div>
  );
}
