import { useTranslation } from "react-i18next";
import { toApiError } from "@/api/errors";
import { reasonOf } from "@/api/fileErrors";
import { useErrorText, type ErrorWords } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { fileTypes } from "@/lib/textFiles";

/** Returns why a file could not become a book, and what to do. */
export function useFileProblem(): (error: unknown, name: string) => ErrorWords {
  const { t } = useTranslation(["books", "studio"]);
  const format = useFormat();
  const general = useErrorText();
  return (thrown, name) => {
    const error = toApiError(thrown);
    const limit = error.params.limit_bytes;
    const reason = reasonOf(error, name);
    if (reason === null || (reason === "tooLarge" && typeof limit !== "number")) return general(error);
    const values = {
      limit: typeof limit === "number" ? format.bytes(limit) : "",
      types: fileTypes.replaceAll(",", " "),
    };
    const words = [t(`studio:problem.${reason}.why`, values), t(`studio:problem.${reason}.what`, values)];
    return { title: t("books:fileFailed", { name }), remedy: words.join(" ") };
  };
}
