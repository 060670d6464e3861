import { useTranslation } from "react-i18next";
import type { Consent } from "@/api/types";
import { useFormat } from "@/i18n/format";

/** Returns the sentence on why a voice may be used, and since when. */
export function useConsentLine(): (consent: Consent) => string {
  const { t } = useTranslation("samples");
  const format = useFormat();
  return ({ kind, by, at }) => {
    const date = format.date(at);
    if (kind === "own_voice") return t("consent.ownOn", { date });
    return by ? t("consent.permissionBy", { by, date }) : t("consent.permissionOn", { date });
  };
}
