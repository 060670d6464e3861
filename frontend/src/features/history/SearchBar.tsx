import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortcut } from "@/lib/commands";
import { useFormat } from "@/i18n/format";
import { IconButton, TextField } from "@/ui";
import { isFiltered, type Filter } from "./filters";

interface Props {
  filter: Filter;
  /** The number of generations or results; null until it is known. */
  found: number | null;
  capped: boolean;
  onChange(changes: Partial<Filter>): void;
  /** Arrow down in the search moves to the list. */
  onDown(): void;
}

const pause = 150; // ms after the last key press before the search

/** Holds the typed text and passes it on after a pause in typing. */
function useTyped(value: string, onChange: (value: string) => void): [string, (value: string) => void] {
  const [typed, setTyped] = useState(value);
  const [passed, setPassed] = useState(value);
  if (passed !== value) {
    // changed from outside: a chip was removed, a link was followed
    setPassed(value);
    setTyped(value);
  }
  const search = useEffectEvent(onChange);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      setPassed(typed);
      search(typed);
    }, pause);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return [typed, setTyped];
}

export function SearchBar({ filter, found, capped, onChange, onDown }: Props) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useTyped(filter.search, (search) => onChange({ search }));
  useShortcut("/", t("searchLabel"), () => {
    field.current?.focus();
    field.current?.select();
  });
  const count =
    found === null
      ? ""
      : t(isFiltered(filter) ? (capped ? "foundMore" : "found") : capped ? "countMore" : "count", {
          count: found,
          number: format.number(found),
        });
  const end = (
    <>
      <span role="status" className="text-12 whitespace-nowrap text-ink-3">
        {count}
      </span>
      {typed ? (
        <IconButton
          label={t("clearSearch")}
          icon={<X size={14} />}
          className="-me-2"
          onClick={() => {
            setTyped("");
            onChange({ search: "" });
            field.current?.focus();
          }}
        />
      ) : null}
    </>
  );
  return (
    <div className="flex items-center gap-2 px-4 pt-3">
      <TextField
        ref={field}
        label={t("searchLabel")}
        hideLabel
        placeholder={t("searchHint")}
        className="min-w-0 flex-1"
        value={typed}
        onChange={setTyped}
        icon={<Search size={16} aria-hidden />}
        end={end}
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            onDown();
          }
          if (event.key === "Escape" && typed) {
            event.preventDefault();
            setTyped("");
            onChange({ search: "" });
          }
        }}
      />
    </div>
  );
}
