import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useShortcut } from "@/lib/commands";
import { useFormat } from "@/i18n/format";
import { IconButton, TextField } from "@/ui";
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
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", t("search"), () => {
    field.current?.focus();
    field.current?.select();
  });
  const count = found === null ? "" : t(isSearch ? "found" : "count", { count: found, number: format.number(found) });
  const clear = () => {
    onChange("");
    field.current?.focus();
  };
  return (
    <TextField
      ref={field}
      label={t("search")}
      hideLabel
      placeholder={t("searchHint")}
      className="px-4 py-3"
      value={value}
      maxLength={200}
      onChange={onChange}
      icon={<Search size={16} aria-hidden />}
      end={
        <>
          <span role="status" className="text-12 whitespace-nowrap text-ink-3">
            {count}
          </span>
          {value ? (
            <IconButton label={t("clearSearch")} icon={<X size={14} />} className="-me-2" onClick={clear} />
          ) : null}
        </>
      }
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          focusList();
        }
        if (event.key === "Escape" && value) {
          event.preventDefault();
          clear();
        }
      }}
    />
  );
}
