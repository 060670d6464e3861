import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { SearchField as Field } from "@/lib/SearchField";
import { focusList } from "./TranscriptList";

interface Props {
  value: string;
  /** The number of transcripts or results; null while it is not known. */
  found: number | null;
  isSearch: boolean;
  onChange(value: string): void;
}

export function SearchField({ value, found, isSearch, onChange }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const count = found === null ? "" : t(isSearch ? "found" : "count", { count: found, number: format.number(found) });
  return (
    <Field
      label={t("search")}
      hint={t("searchHint")}
      clearLabel={t("clearSearch")}
      found={count}
      className="px-4 py-3"
      value={value}
      onChange={onChange}
      onDown={focusList}
    />
  );
}
