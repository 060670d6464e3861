import { useTranslation } from "react-i18next";
import { useFormat } from "./format";

/** A part of a file that was left out or changed in reading it, as the API names it; `detail` is English. */
export interface FileNote {
  code: string;
  detail: string;
  params?: Record<string, unknown> | undefined;
}

/** Returns the sentence of a note by its code; that of the server for a code without one. */
export function useFileNote() {
  const { t, i18n } = useTranslation("studio");
  const format = useFormat();
  return ({ code, detail, params = {} }: FileNote): string => {
    const key = `fileNote.${code}`;
    const count = typeof params.count === "number" ? params.count : 1;
    const isKnown = i18n.exists(`studio:${key}`) || i18n.exists(`studio:${key}_other`);
    return isKnown ? t(key as "fileNote.pictures", { ...params, count, number: format.number(count) }) : detail;
  };
}
