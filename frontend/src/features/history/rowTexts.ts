import type { TFunction } from "i18next";
import type { Format } from "@/i18n/format";
import { understood } from "./wordsDiff";

/** The texts that all rows share, translated once, because translating them in each row slows scrolling. */
export interface RowTexts {
  select: string;
  play: string;
  pause: string;
  more: string;
  favorite: string;
  cancelled: string;
  /** A hosted one, with what it cost. */
  hosted(credits: number | null): string;
  /** How well a transcription model understood it. */
  checked(wer: number): string;
  number(value: number): string;
  missing: string;
  missingRemedy: string;
  regenerate: string;
  builtInVoice: string;
}

export function rowTexts(t: TFunction<"history">, format: Format): RowTexts {
  return {
    select: t("history:select"),
    more: t("common:more"),
    play: t("common:player.play"),
    pause: t("common:player.pause"),
    favorite: t("history:marks.favorite"),
    cancelled: t("history:marks.cancelled"),
    hosted: (credits) =>
      credits === null
        ? t("history:marks.hosted")
        : t("history:marks.hostedCredits", { count: credits, number: format.number(credits) }),
    number: (value) => format.number(value),
    checked: (wer) => t("history:verify.mark", { part: format.percent(understood(wer)) }),
    missing: t("history:marks.missing"),
    missingRemedy: t("history:missing.remedy"),
    regenerate: t("history:regenerate"),
    builtInVoice: t("common:builtInVoice"),
  };
}
