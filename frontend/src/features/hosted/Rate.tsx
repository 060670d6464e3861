import { useTranslation } from "react-i18next";
import { useCredits } from "./words";

/** The price of a hosted voice for 1,000 characters. */
export function Rate({ credits }: { credits: number | null }) {
  const { t } = useTranslation("hosted");
  const words = useCredits()(credits);
  if (credits === null) return <span className="text-12 text-ink-2">{words}</span>;
  return (
    <span className="text-end text-12 leading-4 whitespace-nowrap text-ink-2">
      {words}
      <span className="block text-ink-3">{t("per1000")}</span>
    </span>
  );
}
