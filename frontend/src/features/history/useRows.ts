import { useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { api, dataOf } from "@/api/client";
import type { ApiError } from "@/api/errors";
import type { HistoryFilter } from "@/api/history";
import { keys } from "@/api/keys";
import { changeRows, mergePage, toRow, type HistoryRow, type RowPage, type RowPages } from "./rows";

const rowsKey = "history-rows";
const firstLimit = 100;
const nextLimit = 500;

async function readPage(
  filter: HistoryFilter,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<RowPage> {
  const page = await dataOf(
    api.GET("/history", { params: { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } }, signal }),
  );
  return {
    rows: page.items.map(toRow),
    next: page.next_cursor,
    total: page.total,
    capped: page.total_capped ?? false,
    limit,
  };
}

const limitOf = (cursor: string | undefined): number => (cursor === undefined ? firstLimit : nextLimit);

/**
 * The history as one list. After a change on the server only the first page and the visible page are refetched, not all
 * that are loaded: with 10,000 rows that would be twenty requests for each event.
 */
export function useRows(filter: HistoryFilter) {
  const client = useQueryClient();
  const key = useMemo(() => [rowsKey, filter] as const, [filter]);
  const inView = useRef(0);
  const query = useInfiniteQuery<RowPage, ApiError, RowPages, readonly unknown[], string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, limitOf(pageParam), signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: (before) => before,
    staleTime: "static", // useRefetchOnChange keeps it up to date
  });
  const { data, isPlaceholderData } = query;
  useRefetchOnChange(filter, key, inView, data !== undefined && !isPlaceholderData);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);

  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage]);
  /** Loads all pages; false if that was stopped or failed. */
  const loadAll = useCallback(
    async (isStopped: () => boolean): Promise<boolean> => {
      for (;;) {
        const now = client.getQueryData<RowPages>(key);
        if (now?.pages.at(-1)?.next === null) return true;
        if (isStopped() || (await fetchNextPage()).isError) return false;
      }
    },
    [client, key, fetchNextPage],
  );
  const noteView = useCallback(
    (row: number) => {
      let start = 0;
      inView.current =
        data?.pages.findIndex((page) => {
          start += page.rows.length;
          return row < start;
        }) ?? 0;
    },
    [data],
  );

  return {
    rows,
    loadMore,
    loadAll,
    noteView,
    total: data?.pages[0]?.total ?? 0,
    capped: data?.pages[0]?.capped ?? false,
    isLoading: query.isLoading,
    isStale: isPlaceholderData,
    error: query.error,
    retry: query.refetch,
    hasMore: hasNextPage && !isPlaceholderData,
  };
}

/** Refetches the visible rows whenever an event reports a change of the history. */
function useRefetchOnChange(
  filter: HistoryFilter,
  key: readonly unknown[],
  inView: { current: number },
  enabled: boolean,
): void {
  const client = useQueryClient();
  useQuery({
    queryKey: [...keys.historyList(filter), "in view"],
    queryFn: async ({ signal }) => {
      // A page in flight would overwrite this.
      while (client.isFetching({ queryKey: key, exact: true }) > 0) await new Promise((done) => setTimeout(done, 50));
      const data = client.getQueryData<RowPages>(key);
      const wanted = [...new Set([0, Math.max(0, inView.current)])].filter((i) => i < (data?.pages.length ?? 0));
      const fresh = await Promise.all(
        wanted.map((i) => readPage(filter, data?.pageParams[i], data?.pages[i]?.limit ?? firstLimit, signal)),
      );
      client.setQueryData<RowPages>(key, (now) => {
        if (!now) return now;
        // From the end, so that no outdated later page remains after the first page has replaced everything.
        return wanted
          .map((i, n) => [i, fresh[n]] as const)
          .reverse()
          .reduce(
            (all, [i, page]) => (page && all.pageParams[i] === data?.pageParams[i] ? mergePage(all, i, page) : all),
            now,
          );
      });
      return Date.now();
    },
    enabled,
    staleTime: Infinity,
    initialData: 0,
  });
  useEffect(
    () => () => {
      inView.current = 0;
    },
    [key, inView],
  );
}

/** Updates rows in every cached list, before the server's event arrives. */
export function editRows(
  client: QueryClient,
  ids: Iterable<string>,
  change: (row: HistoryRow) => HistoryRow | null,
): void {
  const set = new Set(ids);
  client.setQueriesData<RowPages>({ queryKey: [rowsKey] }, (data) => (data ? changeRows(data, set, change) : data));
}
