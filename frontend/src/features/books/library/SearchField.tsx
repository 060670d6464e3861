import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { useShortcut } from "@/lib/commands";
import { IconButton, TextField } from "@/ui";
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
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", t("searchBooks"), () => {
    field.current?.focus();
    field.current?.select();
  });
  function clear() {
    onChange("");
    field.current?.focus();
  }
  return (
    <TextField
      ref={field}
      label={t("searchBooks")}
      hideLabel
      placeholder={t("searchBooks")}
      className="px-4 pt-3"
      value={value}
      maxLength={200}
      onChange={onChange}
      icon={<Search size={16} aria-hidden />}
      end={
        <>
          <span role="status" className="text-12 whitespace-nowrap text-ink-3">
            {t("found", { count, number: format.number(count) })}
          </span>
          {value ? (
            <IconButton label={t("clearSearch")} icon={<X size={14} />} className="-me-2" onClick={clear} />
          ) : null}
        </>
      }
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          focusBooks();
        }
        if (event.key === "Escape" && value) {
          event.preventDefault();
          clear();
        }
      }}
    />
  );
}
