import { Plus } from "lucide-react";
import { useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useHistoryStats } from "@/api/history";
import { engineName } from "@/api/models";
import { useProfiles } from "@/api/profiles";
import { useFormat } from "@/i18n/format";
import { Checkbox, Chip, Popover, Select, TextField, useFocusOnRemoval } from "@/ui";
import { noFilter, periods, sorts, sources, statuses, type Filter } from "./filters";

interface Props {
  filter: Filter;
  onChange(changes: Partial<Filter>): void;
}

/** The filter as named chips: Favourites, Kokoro voices, Voice: Heart, Status: Failed, Date: Last 7 days. */
export function FilterChips({ filter, onChange }: Props) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const voices = useProfiles().items;
  const filterButton = useRef<HTMLButtonElement>(null);
  const ref = useFocusOnRemoval(filterButton);
  const day = (text: string) => format.date(`${text}T12:00`);
  const chips: { key: keyof Filter; word: string; text: string; clear: Partial<Filter> }[] = [];
  if (filter.favorite) chips.push({ key: "favorite", word: "", text: t("chips.favorite"), clear: { favorite: false } });
  if (filter.engine)
    chips.push({
      key: "engine",
      word: "",
      text: t("chips.engine", { engine: engineName(filter.engine) }),
      clear: { engine: "" },
    });
  if (filter.source) chips.push({ key: "source", word: "", text: t(`chips.${filter.source}`), clear: { source: "" } });
  if (filter.voice)
    chips.push({
      key: "voice",
      word: t("chips.voiceWord"),
      text: voices.find((v) => v.id === filter.voice)?.name ?? t("chips.unknownVoice"),
      clear: { voice: "" },
    });
  if (filter.status)
    chips.push({
      key: "status",
      word: t("chips.statusWord"),
      text: t(`common:status.${filter.status}`),
      clear: { status: "" },
    });
  if (filter.period)
    chips.push({
      key: "period",
      word: t("chips.periodWord"),
      text: t(`period.${filter.period}`),
      clear: { period: "" },
    });
  else {
    if (filter.from)
      chips.push({ key: "from", word: t("chips.fromWord"), text: day(filter.from), clear: { from: "" } });
    if (filter.to) chips.push({ key: "to", word: t("chips.toWord"), text: day(filter.to), clear: { to: "" } });
  }
  return (
    <div
      className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5 text-12 text-ink-2"
      role="group"
      aria-label={t("filters")}
    >
      {chips.map((chip) => (
        <span ref={ref} key={chip.key} className="flex items-center gap-2">
          {chip.word ? <span>{chip.word}</span> : null}
          <Chip onRemove={() => onChange(chip.clear)} removeLabel={t("removeFilter", { filter: chip.text })}>
            {chip.text}
          </Chip>
        </span>
      ))}
      <FilterPopover filter={filter} button={filterButton} onChange={onChange} />
      {chips.length > 1 ? (
        <button
          ref={ref}
          type="button"
          className="px-1 text-ink-3 hover:text-ink"
          onClick={() => onChange({ ...noFilter, search: filter.search, sort: filter.sort })}
        >
          {t("clearFilters")}
        </button>
      ) : null}
      <Select
        label={t("sortLabel")}
        hideLabel
        quiet
        className="ms-auto -me-2.5"
        value={filter.sort}
        onChange={(sort) => onChange({ sort })}
        choices={sorts.map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
      />
    </div>
  );
}

function FilterPopover({ filter, button, onChange }: Props & { button: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation("history");
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button ref={button} type="button" className="k-chip bg-transparent hover:bg-fill">
          <Plus size={12} aria-hidden />
          {t("addFilter")}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float grid w-80 gap-3 p-4"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("filters")}
        >
          <FilterFields filter={filter} onChange={onChange} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FilterFields({ filter, onChange }: Props) {
  const { t } = useTranslation("history");
  const voices = useProfiles().items;
  const stats = useHistoryStats().data;
  const engines = [
    ...new Set([...Object.keys(stats?.by_engine ?? {}), ...(filter.engine ? [filter.engine] : [])]),
  ].sort();
  const any = (label: string) => ({ value: "", label });
  return (
    <>
      <Select
        label={t("voice")}
        value={filter.voice}
        onChange={(voice) => onChange({ voice })}
        choices={[any(t("anyVoice")), ...voices.map((v) => ({ value: v.id, label: v.name }))]}
      />
      <Select
        label={t("engine")}
        value={filter.engine}
        onChange={(engine) => onChange({ engine })}
        choices={[any(t("anyEngine")), ...engines.map((e) => ({ value: e, label: engineName(e) }))]}
      />
      <Select
        label={t("source")}
        value={filter.source}
        onChange={(source) => onChange({ source })}
        choices={[
          { value: "" as const, label: t("anySource") },
          ...sources.map((s) => ({ value: s, label: t(`chips.${s}`) })),
        ]}
      />
      <Select
        label={t("status")}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        choices={[
          { value: "" as const, label: t("anyStatus") },
          ...statuses.map((s) => ({ value: s, label: t(`common:status.${s}`) })),
        ]}
      />
      <Select
        label={t("when")}
        value={filter.period}
        onChange={(period) => onChange({ period, from: "", to: "" })}
        choices={[
          { value: "" as const, label: t("anyTime") },
          ...periods.map((p) => ({ value: p, label: t(`period.${p}`) })),
        ]}
      />
      <div className="grid grid-cols-2 gap-2">
        <TextField
          type="date"
          label={t("from")}
          value={filter.from}
          max={filter.to || undefined}
          onChange={(from) => onChange({ from, period: "" })}
        />
        <TextField
          type="date"
          label={t("to")}
          value={filter.to}
          min={filter.from || undefined}
          onChange={(to) => onChange({ to, period: "" })}
        />
      </div>
      <Checkbox label={t("onlyFavorites")} checked={filter.favorite} onChange={(favorite) => onChange({ favorite })} />
    </>
  );
}
