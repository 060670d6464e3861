import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";

const kinds: readonly [RegExp, string][] = [
  [/^apache/i, "apache"], [/^mit\b/i, "mit"], [/openrail/i, "openrail"], [/^cc0|public domain/i, "cc0"],
  [/^cc-by.*prohibited/i, "ccbyLimits"], [/^cc-by-nc/i, "ccbync"], [/^cc-by/i, "ccby"], [/model.?card/i, "card"],
];

/** What a licence allows, in plain words; the text behind the link is what counts. */
export function useLicenceWords(): (model: Model) => string {
  const { t } = useTranslation("models");
  return ({ license }) => t(`licences.${kinds.find(([pattern]) => pattern.test(license.name))?.[1] ?? "other"}`);
}

/** The licence comes from files that anybody may write: only web addresses become links. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);
