import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";

const kinds: readonly [RegExp, string][] = [
  [/^apache/i, "apache"],
  [/^mit\b/i, "mit"],
  [/openrail/i, "openrail"],
  [/^cc0|public domain/i, "cc0"],
  [/^cc-by.*prohibited/i, "ccbyLimits"],
  [/^cc-by-nc/i, "ccbync"],
  [/^cc-by/i, "ccby"],
  [/model.?card/i, "card"],
];

const kindOf = ({ license }: Model): string => kinds.find(([pattern]) => pattern.test(license.name))?.[1] ?? "other";

/** The licence has a separate text, and its name field is an English sentence. */
export const isCard = (model: Model): boolean => kindOf(model) === "card";

/** What a licence allows, in plain words; only the linked text is binding. */
export function useLicenceWords(): (model: Model) => string {
  const { t } = useTranslation("models");
  return (model) => t(`licences.${kindOf(model)}`);
}

/** The same in three words, for a row. */
export function useLicenceShort(): (model: Model) => string {
  const { t } = useTranslation("models");
  return (model) => t(`licenceShort.${kindOf(model)}`);
}

/** The licence comes from files that anybody may write, so only web addresses become links. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);
