import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "./errors";

interface Page<T> {
  items: T[];
  total: number;
  next_cursor: string | null;
  total_capped?: boolean;
}

/** A paginated list of the API as one list. */
export function useCursorList<T, More extends object = object>(
  key: QueryKey,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T> & More>,
  enabled = true,
) {
  const query = useInfiniteQuery<Page<T> & More, ApiError, { pages: (Page<T> & More)[] }, QueryKey, string | undefined>(
    {
      queryKey: key,
      enabled,
      queryFn: ({ pageParam, signal }) => load(pageParam, signal),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next_cursor ?? undefined,
      placeholderData: (before) => before, // a changed filter keeps the old rows until the new ones have loaded
    },
  );
  const pages = query.data?.pages;
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages]);
  return {
    items,
    /** The first page, for its other fields. */
    first: pages?.[0],
    total: pages?.[0]?.total ?? 0,
    totalCapped: pages?.[0]?.total_capped ?? false,
    isLoading: query.isLoading,
    /** The rows shown belong to the previous filter. */
    isStale: query.isPlaceholderData,
    error: query.error,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: query.fetchNextPage,
  };
}
