import { Search } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useShortcut } from "@/lib/commands";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { useQueryParam } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Select, TextField } from "@/ui";
import { languagesOf, type Filter } from "./filter";

/** The filters are stored in the address, so that a reload and the other tab preserve them. */
export function useFilter(): Filter & { sort: string; clear(): void } {
  const [search, setSearch] = useQueryParam("search");
  const [language, setLanguage] = useQueryParam("language");
  const [engine, setEngine] = useQueryParam("engine");
  const [sort] = useQueryParam("sort");
  const clear = () => {
    if (search) setSearch("");
    if (language) setLanguage("");
    if (engine) setEngine("");
  };
  return { search, language, engine, sort, clear };
}

/** Search and filters for the models of a tab. */
export function Toolbar({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useQueryParam("search");
  const [language, setLanguage] = useQueryParam("language");
  const [engine, setEngine] = useQueryParam("engine");
  const [sort, setSort] = useQueryParam("sort");
  useShortcut("/", t("find"), () => field.current?.focus());
  const engines = [...new Set(models.map((model) => model.engine))];
  return (
    <div className="flex flex-wrap items-center gap-1 px-6 py-3 @max-[680px]/main:px-4">
      <TextField
        ref={field}
        type="search"
        label={t("find")}
        hideLabel
        value={search}
        onChange={setSearch}
        placeholder={t("find")}
        icon={<Search size={16} aria-hidden />}
        className="me-1 min-w-64 flex-1"
      />
      <Select
        label={t("languageFilter")}
        hideLabel
        value={language}
        onChange={setLanguage}
        quiet
        className="max-w-44"
        choices={[{ value: "", label: t("allLanguages") }, ...languagesOf(models, format.language)]}
      />
      <Select
        label={t("engineFilter")}
        hideLabel
        value={engine}
        onChange={setEngine}
        quiet
        className="max-w-44"
        choices={[
          { value: "", label: t("allEngines") },
          ...engines.map((value) => ({ value, label: engineName(value) })),
        ]}
      />
      <Select
        label={t("sort.label")}
        hideLabel
        value={sort}
        onChange={setSort}
        quiet
        className="max-w-44"
        choices={["", "small", "size"].map((value) => ({ value, label: t(`sort.${value || "best"}`) }))}
      />
    </div>
  );
}
