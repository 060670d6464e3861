import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { SearchField as Field } from "@/lib/SearchField";
import { focusBooks } from "./LibraryGrid";

interface Props {
  value: string;
  /** How many books are shown. */
  count: number;
  onChange(value: string): void;
}

/** The search in titles and authors, above many books. */
export function SearchField({ value, count, onChange }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  return (
    <Field
      label={t("searchBooks")}
      hint={t("searchBooks")}
      clearLabel={t("clearSearch")}
      found={t("found", { count, number: format.number(count) })}
      className="px-4 pt-3"
      value={value}
      onChange={onChange}
      onDown={focusBooks}
    />
  );
}
