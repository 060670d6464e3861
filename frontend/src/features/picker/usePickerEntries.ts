import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import {
  bestFirst,
  byUse,
  type Entry,
  filterModels,
  type Filters,
  filterVoices,
  mergeProviders,
  useBuiltInOffers,
  useChosenProviders,
  type Offer,
  offerEntries,
  rankOf,
  useOffers,
  useVoices,
  voiceEntries,
} from "@/features/voices/library";

/** Returns the models with the voices that the filters leave, those with the best matches of the search first. */
function fittingOffers(offers: readonly Offer[], filters: Filters, name: (tag: string) => string): Offer[] {
  const fitting = offers.flatMap(({ model, voices: list }) => {
    const voices = bestFirst(filterVoices(list, filters, name), filters.search, name);
    return voices.length > 0 || (list.length === 0 && filterModels([model], filters, name).length > 0)
      ? [{ model, voices }]
      : [];
  });
  if (filters.search.trim() === "") return fitting;
  const best = ({ voices: [first] }: Offer): number => (first ? rankOf(first, filters.search, name) : Infinity);
  return fitting.sort((a, b) => best(a) - best(b) || 0);
}

const noOffers: Offer[] = [];

/** The rows of the list: the installed voices, then the downloadable ones. */
export function usePickerEntries(filters: Filters, value: string | undefined, open: ReadonlySet<string>) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const data = useVoices({ unusable: "cloned" });
  const off = useDownloadsOff();
  const offered = useOffers(data.models);
  const offers = off === null ? offered : noOffers;
  const { voices } = data;
  const builtIn = useBuiltInOffers(data.own);
  const here = useMemo(() => [...voices, ...builtIn, ...data.offered], [voices, builtIn, data.offered]);
  const all = useMemo(() => [...here, ...offers.flatMap((offer) => offer.voices)], [here, offers]);
  const providers = useChosenProviders();
  const found = useMemo(() => {
    const rows = mergeProviders(filterVoices(here, filters, format.language), providers).sort(byUse);
    return bestFirst(rows, filters.search, format.language);
  }, [here, filters, format, providers]);
  const toGet = useMemo(() => fittingOffers(offers, filters, format.language), [offers, filters, format]);
  const flat = filters.search.trim() !== "" || filters.where.includes("hosted");
  const count = toGet.reduce((sum, offer) => sum + (offer.voices.length || offer.model.voices), 0);
  const entries = useMemo((): Entry[] => {
    const rows = voiceEntries(found, { open, keep: value, flat });
    if (toGet.length === 0) return rows;
    return [
      ...rows,
      { kind: "heading", key: "heading:get", text: t("moreToDownload"), count },
      ...offerEntries(toGet, { open, flat }),
    ];
  }, [found, toGet, count, open, value, flat, t]);
  return {
    ...data,
    /** Why further voices cannot be downloaded now, where there are any. */
    off: offered.length > 0 ? off : null,
    all,
    entries,
    count: found.length + count,
  };
}
