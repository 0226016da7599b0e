/** A catalogue whose filters live in the address of its page. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useSelectedDomains } from '../domain/use-selected-domains.ts';
import { domainsQuery } from './catalogue.api.ts';
import type { CatalogueState } from './Catalogue.tsx';
import { changeSearch, readSearch, writeSearch, type CatalogueSearch } from './search.ts';

/**
 * The filters, and how typing changes them.
 * @param to path of the page
 * @param types the kinds that it lists
 * @param canJoin whether it lists what can be joined
 */
export function useCatalogueSearch<T extends number>(
  to: string,
  types: readonly T[],
  canJoin = false,
) {
  const given: Record<string, unknown> = useSearch({ strict: false });
  const selected = useSelectedDomains();
  const search: CatalogueSearch<T> = {
    ...readSearch(given, types, canJoin),
    ...(selected.length === 0 ? {} : { selected }),
  };
  const written = JSON.stringify(writeSearch(search));
  const navigate = useNavigate();
  const onKeyword = useCallback(
    (keyword: string) => {
      const now = readSearch(JSON.parse(written) as Record<string, unknown>, types, canJoin);
      // One step of typing is not a step of the history.
      void navigate({ to, search: writeSearch(changeSearch(now, { keyword })), replace: true });
    },
    [navigate, written, to, types, canJoin],
  );
  return { search, onKeyword };
}

/** What the catalogue shows: its items once its filters are known as well. */
export function useCatalogueState<Item, T extends number>(
  filters: Pick<CatalogueState<Item, T>, 'search' | 'onKeyword'>,
  items: UseQueryResult<{ readonly List: readonly Item[]; readonly Total: number }>,
): CatalogueState<Item, T> {
  const { language } = useLanguage();
  const domains = useQuery(domainsQuery(language));
  // Without its filters the list would be pushed down when they come.
  const isComplete = domains.data !== undefined || domains.isError;
  return {
    ...filters,
    items: isComplete ? items.data : undefined,
    domains: domains.data,
    error: isComplete ? items.error : null,
    isRefreshing: items.isPlaceholderData,
    onRetry: () => void items.refetch(),
  };
}
