import { Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import { useModelCatalogue, useRegisterModel } from "@/api/models";
import type { CatalogueItem, Model } from "@/api/types";
import { useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, Skeleton } from "@/ui";
import { useModelActions } from "./modelActions";
import { primary, type Filter } from "./filter";
import { finds } from "@/lib/fold";
import { useDebounced } from "@/lib/useDebounced";
import { ModelError } from "./ModelError";

const firstRows = 30;
const searchDelay = 300; // ms after the last key press

interface Props {
  models: readonly Model[];
  filter: Filter;
  /** Voices that were added to the list since the tab was opened: they stay in place. */
  taken: Readonly<Record<string, string>>;
  onTaken(key: string, model: string): void;
  row(model: Model): ReactNode;
}

/** Returns the public Piper voices that match a filter, without those of the list. */
export function useCatalogueItems(filter: Filter, taken: Props["taken"], enabled = true) {
  const format = useFormat();
  const search = useDebounced(filter.search.trim(), searchDelay);
  const language = filter.language ? { language: filter.language } : {};
  const query = useModelCatalogue({ engine: "piper", ...language }, enabled);
  const wordsOf = (item: CatalogueItem) => ["piper", item.name, item.key, format.language(item.language), item.quality];
  const items = (query.data?.items ?? []).filter(
    (item) =>
      (!item.registered || item.key in taken) &&
      (!filter.language || primary(item.language) === filter.language) &&
      finds(search, wordsOf(item)),
  );
  return { query, items };
}

/** The public collection of Piper voices. */
export function Catalogue({ models, filter, taken, onTaken, row }: Props) {
  const { t } = useTranslation("models");
  const [all, setAll] = useState(false);
  const { query, items } = useCatalogueItems(filter, taken);
  const shown = all ? items : items.slice(0, firstRows);
  return (
    <section aria-label={t("catalogue.title")}>
      <h2 className="px-6 pb-2 pt-6 text-12 font-medium text-ink-3 @max-[680px]/main:px-4">{t("catalogue.title")}</h2>
      {query.error ? (
        <div className="px-6 pb-6 @max-[680px]/main:px-4">
          <ModelError
            error={toApiError(query.error)}
            action={
              <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      {query.isLoading ? (
        <div className="grid gap-2 px-6 pb-6 text-ink-3" role="status">
          {t("catalogue.loading")}
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      ) : null}
      <ul aria-label={t("catalogue.title")}>
        {shown.map((item) => {
          const model = models.find((one) => one.model_name === taken[item.key]);
          return model ? row(model) : <Item key={item.key} item={item} onTaken={onTaken} />;
        })}
      </ul>
      {query.data && items.length === 0 ? (
        <p className="px-6 pb-6 text-ink-3 @max-[680px]/main:px-4">{t("catalogue.noMatches")}</p>
      ) : null}
      {items.length > shown.length ? (
        <div className="px-6 py-4">
          <Button onClick={() => setAll(true)}>{t("catalogue.all", { count: items.length })}</Button>
        </div>
      ) : null}
    </section>
  );
}

/** Returns a catalogue name as text; the catalogue writes names like file names: "hfc_female". */
const titled = (name: string): string => name.replaceAll("_", " ").replace(/^./u, (first) => first.toUpperCase());

function Item({ item, onTaken }: { item: CatalogueItem; onTaken(key: string, model: string): void }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const register = useRegisterModel();
  const { start } = useModelActions();
  const [error, setError] = useState<ApiError | null>(null);
  const name = t("catalogue.name", { name: titled(item.name), quality: item.quality.replace("_", " ") });
  const words = [
    format.language(item.language),
    ...(item.speakers > 1 ? [t("catalogue.speakers", { count: item.speakers })] : []),
    format.megabytes(item.size_mb),
  ];
  const download = async () => {
    setError(null);
    try {
      const model = await register.mutateAsync({ catalogue: "piper", key: item.key });
      onTaken(item.key, model.model_name);
      start(model, { action: "download" });
    } catch (thrown) {
      setError(toApiError(thrown));
    }
  };
  const off = useDownloadsOff();
  const label = t("action.downloadSize", { size: format.megabytes(item.size_mb) });
  return (
    <li className="border-b border-line">
      <div className="grid min-h-13 grid-cols-[minmax(0,1fr)_minmax(164px,max-content)_28px] items-center gap-4 px-6 py-2 @max-[680px]/main:grid-cols-[minmax(0,1fr)_auto] @max-[680px]/main:px-4">
        <div className="min-w-0 ps-[22px]">
          <div className="truncate font-semibold">{name}</div>
          <div className="truncate text-12 text-ink-3">{words.join(" · ")}</div>
        </div>
        <Button
          size="small"
          className="w-full"
          icon={<Download size={14} aria-hidden />}
          busy={register.isPending}
          aria-label={t("actionOn", { action: label, name })}
          unavailable={off}
          onClick={() => void download()}
        >
          {error ? t("action.retry") : label}
        </Button>
      </div>
      {error ? (
        <div className="px-6 pb-3">
          <ModelError error={error} />
        </div>
      ) : null}
    </li>
  );
}
