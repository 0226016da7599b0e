/** The state of an admin list: what its address asks for, and the page of rows that answers. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { queryOfList, readListSearch, type ListSearch, type ListShape } from './list-search.ts';

interface Page<Row> {
  readonly List: readonly Row[];
  readonly Total: number;
}

/** Reads a page; the query is that of the list's address. */
export type ReadList<Row> = (
  query: Record<string, string>,
  signal?: AbortSignal,
) => Promise<Page<Row>>;

/**
 * @param key of the list's answers in the cache; changes of its things invalidate it
 * @param isLive reads again every few seconds while the page is visible
 */
export function useList<Row>(
  key: readonly unknown[],
  shape: ListShape,
  read: ReadList<Row>,
  { isLive = false }: { readonly isLive?: boolean } = {},
) {
  const given: Record<string, unknown> = useSearch({ strict: false });
  const search: ListSearch = readListSearch(given, shape);
  const query = queryOfList(search);
  const answer = useQuery(
    queryOptions({
      queryKey: [...key, query],
      queryFn: ({ signal }) => read(query, signal),
      placeholderData: keepPreviousData,
      refetchInterval: isLive ? 5000 : false,
      meta: { isHandled: true },
    }),
  );
  return {
    search,
    shape,
    page: answer.data,
    error: answer.error,
    isRefreshing: answer.isPlaceholderData,
    onRetry: () => void answer.refetch(),
    readPage: (page: number, pageSize: number) =>
      read({ ...query, page: String(page), pageSize: String(pageSize) }),
  };
}
