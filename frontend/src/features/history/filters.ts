import type { HistoryFilter } from "@/api/history";
import type { GenerationStatus } from "@/api/types";
import { href } from "@/lib/router";

export const periods = ["today", "yesterday", "week", "month"] as const;
export type Period = (typeof periods)[number];
export const sorts = ["newest", "oldest", "longest", "shortest"] as const;
export type Sort = (typeof sorts)[number];
export const statuses = [
  "complete",
  "failed",
  "cancelled",
  "generating",
  "queued",
] as const satisfies readonly GenerationStatus[];
export const sources = ["local", "hosted"] as const;
export type Source = (typeof sources)[number];
export type FilterStatus = (typeof statuses)[number];

/** The filter, which is stored in the address so that reloads and links preserve it. */
export interface Filter {
  search: string;
  voice: string;
  engine: string;
  status: FilterStatus | "";
  source: Source | "";
  favorite: boolean;
  period: Period | "";
  /** Days as YYYY-MM-DD in local time, both inclusive; only without a period. */
  from: string;
  to: string;
  sort: Sort;
}

export const noFilter: Filter = {
  search: "",
  voice: "",
  engine: "",
  status: "",
  source: "",
  favorite: false,
  period: "",
  from: "",
  to: "",
  sort: "newest",
};

function oneOf<V extends string>(values: readonly V[], given: string | null): V | "" {
  return values.find((value) => value === given) ?? "";
}

const day = (given: string | null): string =>
  given && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(localDay(given).getTime()) ? given : "";

export function readFilter(query: URLSearchParams): Filter {
  return {
    search: query.get("search") ?? "",
    voice: query.get("voice") ?? "",
    engine: query.get("engine") ?? "",
    status: oneOf(statuses, query.get("status")),
    source: oneOf(sources, query.get("source")),
    favorite: query.get("favorite") === "true",
    period: oneOf(periods, query.get("period")),
    from: day(query.get("from")),
    to: day(query.get("to")),
    sort: oneOf(sorts, query.get("sort")) || "newest",
  };
}

/** Returns the address of the history with this filter. */
export function filterHref(filter: Filter, id?: string): string {
  return href("history", id ? [id] : [], {
    search: filter.search,
    voice: filter.voice,
    engine: filter.engine,
    status: filter.status,
    source: filter.source,
    favorite: filter.favorite ? "true" : "",
    period: filter.period,
    from: filter.from,
    to: filter.to,
    sort: filter.sort === "newest" ? "" : filter.sort,
  });
}

/** Returns midnight of a day in local time. */
function localDay(text: string, plusDays = 0): Date {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  return new Date(year, month - 1, date + plusDays);
}

function periodRange(period: Period, now: Date): { from: Date; to?: Date } {
  const start = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  if (period === "yesterday") return { from: start(1), to: start(0) };
  return { from: start({ today: 0, week: 6, month: 29 }[period]) };
}

/** Returns the filter as parameters of the API. */
export function toQuery(filter: Filter, now = new Date()): HistoryFilter {
  const query: HistoryFilter = {};
  const search = filter.search.trim();
  if (search) query.search = search.slice(0, 200);
  if (filter.voice) query.profile_id = filter.voice;
  if (filter.engine) query.engine = filter.engine;
  if (filter.status) query.status = filter.status;
  if (filter.source) query.source = filter.source;
  if (filter.favorite) query.favorite = "true";
  if (filter.sort !== "newest") query.sort = filter.sort;
  const range = filter.period
    ? periodRange(filter.period, now)
    : { from: filter.from && localDay(filter.from), to: filter.to && localDay(filter.to, 1) };
  if (range.from) query.from = range.from.toISOString();
  if (range.to) query.to = range.to.toISOString();
  return query;
}

/** Reports whether the filter excludes anything. */
export function isFiltered(filter: Filter): boolean {
  return filterHref({ ...filter, sort: "newest" }) !== filterHref(noFilter);
}
