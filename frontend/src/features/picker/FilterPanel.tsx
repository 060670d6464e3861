import { useState } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { useFormat } from "@/i18n/format";
import { Button, Checkbox } from "@/ui";
import {
  baseLanguage,
  countOf,
  type Facet,
  type Filters,
  isFiltered,
  noFilters,
  type Option,
  optionsOf,
  useVoiceWords,
  type Voice,
} from "@/features/voices/library";

interface Props {
  voices: readonly Voice[];
  filters: Filters;
  onChange(filters: Filters): void;
}

function Line({
  label,
  count,
  on,
  onChange,
}: {
  label: string;
  count: number;
  on: boolean;
  onChange(on: boolean): void;
}) {
  const format = useFormat();
  return (
    <div className="flex min-h-7 items-center justify-between gap-2">
      <span className="min-w-0 wrap-anywhere [&_button]:text-start">
        <Checkbox label={label} checked={on} onChange={onChange} />
      </span>
      <span className="flex-none text-12 text-ink-3" aria-hidden>
        {format.number(count)}
      </span>
    </div>
  );
}

const shown = 4;

function FacetGroup({
  facet,
  options,
  label,
  filters,
  onChange,
}: {
  facet: Facet;
  options: Option[];
  label(value: string): string;
  filters: Filters;
  onChange(filters: Filters): void;
}) {
  const { t } = useTranslation("picker");
  const [all, setAll] = useState(false);
  const chosen = filters[facet];
  const toggle = (value: string, on: boolean) =>
    onChange({ ...filters, [facet]: on ? [...chosen, value] : chosen.filter((one) => one !== value) });
  if (options.length < 2 && chosen.length === 0) return null;
  const visible = all ? options : options.filter((option, i) => i < shown || chosen.includes(option.value));
  const hidden = options.length - visible.length;
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-12 font-medium text-ink-2">{t(`filter.${facet}`)}</legend>
      {visible.map(({ value, count }) => (
        <Line
          key={value}
          label={label(value)}
          count={count}
          on={chosen.includes(value)}
          onChange={(on) => toggle(value, on)}
        />
      ))}
      {hidden > 0 ? (
        <Button kind="quiet" size="small" className="-ms-2.5" onClick={() => setAll(true)}>
          {t("filter.more", { count: hidden })}
        </Button>
      ) : null}
    </fieldset>
  );
}

/** The filters as a column. Each value shows how many voices it leaves, including downloadable ones. */
export function FilterPanel({ voices, filters, onChange }: Props) {
  const { t, i18n } = useTranslation("picker");
  const format = useFormat();
  const words = useVoiceWords();
  const labels: Record<Facet, (value: string) => string> = {
    where: (value) => t(`where.${value}`),
    language: format.language,
    engine: engineName,
    provider: (value) => value,
    category: words.category,
    gender: (value) => t(`gender.${value}`),
    kind: (value) => t(`kind.${value}`),
  };
  /** Returns all values with the number they leave, in an order that no filter changes; the page's language first. */
  function optionsIn(facet: Facet): Option[] {
    const left = new Map(optionsOf(facet, voices, filters, format.language).map(({ value, count: n }) => [value, n]));
    const first = (value: string) => Number(facet === "language" && value === baseLanguage(i18n.language));
    return optionsOf(facet, voices, noFilters, format.language)
      .map(({ value }) => ({ value, count: left.get(value) ?? 0 }))
      .sort((x, y) => first(y.value) - first(x.value));
  }
  const count = (part: Partial<Filters>) => countOf(voices, { ...filters, ...part }, format.language);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4" role="group" aria-label={t("filter.title")}>
      <div>
        <Line
          label={t("filter.ready")}
          count={count({ ready: true })}
          on={filters.ready}
          onChange={(ready) => onChange({ ...filters, ready })}
        />
        <Line
          label={t("filter.favorite")}
          count={count({ favorite: true })}
          on={filters.favorite}
          onChange={(favorite) => onChange({ ...filters, favorite })}
        />
      </div>
      {(Object.keys(labels) as Facet[]).map((facet) => (
        <FacetGroup
          key={facet}
          facet={facet}
          options={optionsIn(facet)}
          label={labels[facet]}
          filters={filters}
          onChange={onChange}
        />
      ))}
      {isFiltered(filters) ? (
        <Button size="small" onClick={() => onChange({ ...noFilters, search: filters.search })}>
          {t("filter.clear")}
        </Button>
      ) : null}
    </div>
  );
}
