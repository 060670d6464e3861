import { Search, Star } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { type Filters, optionsOf, type Voice } from "./library";
import { useFormat } from "@/i18n/format";
import { IconButton, Select, TextField } from "@/ui";
import { sorts, type Sort } from "./sections";

interface Props {
  voices: readonly Voice[];
  filters: Filters;
  onFilters(filters: Filters): void;
  sort: Sort;
  onSort(sort: Sort): void;
  searchRef: Ref<HTMLInputElement>;
}

/** Search, filters and order of the page, on one line if there is space. */
export function Toolbar({ voices, filters, onFilters, sort, onSort, searchRef }: Props) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const one = (facet: "language" | "engine", all: string, label: (value: string) => string) => (
    <Select
      label={t(`filter.${facet}`)}
      hideLabel
      quiet
      className="max-w-44"
      value={filters[facet][0] ?? ""}
      onChange={(value) => onFilters({ ...filters, [facet]: value ? [value] : [] })}
      choices={[
        { value: "", label: all },
        ...optionsOf(facet, voices, filters, format.language).map(({ value, count }) => ({
          value,
          label: `${label(value)} (${format.number(count)})`,
        })),
      ]}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-1 px-4 pt-3 pb-1">
      <TextField
        ref={searchRef}
        className="me-1 min-w-64 flex-1"
        label={t("search")}
        hideLabel
        placeholder={t("search")}
        icon={<Search size={16} aria-hidden />}
        value={filters.search}
        onChange={(search) => onFilters({ ...filters, search })}
      />
      {one("language", t("filter.allLanguages"), format.language)}
      {one("engine", t("filter.allEngines"), engineName)}
      <Select
        label={t("sort.title")}
        hideLabel
        quiet
        className="max-w-44"
        value={sort}
        onChange={onSort}
        choices={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
      />
      <IconButton
        label={t("filter.favorites")}
        size="normal"
        aria-pressed={filters.favorite}
        icon={<Star size={16} fill={filters.favorite ? "currentColor" : "none"} />}
        onClick={() => onFilters({ ...filters, favorite: !filters.favorite })}
      />
    </div>
  );
}
