import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";

export interface ErrorWords {
  title: string;
  remedy: string;
}

/** Words for an error by its code, with the server's English where there are none. */
export function useErrorText(): (error: ApiError) => ErrorWords {
  const { t, i18n } = useTranslation("errors");
  return (error) => {
    const has = (part: string) => i18n.exists(`errors:${error.code}.${part}`);
    return {
      title: has("title") ? t(`${error.code}.title`, error.params) : error.detail,
      remedy: has("remedy") ? t(`${error.code}.remedy`, error.params) : error.remedy,
    };
  };
}
