import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";

/** The shortcuts of the picker, for its footer. */
export function KeyHints() {
  const { t } = useTranslation("picker");
  const keys: [string[], string][] = [
    [["arrowup", "arrowdown"], t("keys.move")],
    [["space"], t("keys.listen")],
    [["enter"], t("keys.choose")],
    [["*"], t("keys.favorite")],
  ];
  return (
    <span className="hidden flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-2 sm:flex">
      {keys.map(([caps, word]) => (
        <span key={word} className="inline-flex items-center gap-1.5">
          {caps.map((cap) => (
            <Kbd key={cap} keys={cap} />
          ))}
          {word}
        </span>
      ))}
    </span>
  );
}
