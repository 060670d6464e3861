import { useTranslation } from "react-i18next";
import { useDictation } from "@/api/dictation";
import { ErrorBox } from "@/ui";

/** Says whether the shortcut works, which only the desktop knows. */
export function Dictation() {
  const { t } = useTranslation("settings");
  const { data } = useDictation();
  if (data?.error) return <ErrorBox error={data.error} />;
  return data?.shortcut ? (
    <p className="text-12 text-ink-3">{t("dictationActive", { shortcut: data.shortcut })}</p>
  ) : null;
}
