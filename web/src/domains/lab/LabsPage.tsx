/** The catalogue: its filters live in the address. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { domainsQuery, labsQuery } from './lab.api.ts';
import { LabsView } from './LabsView.tsx';
import { changeSearch, readSearch, writeSearch } from './search.ts';

export function LabsPage(): ReactNode {
  const { language } = useLanguage();
  const given: Record<string, unknown> = useSearch({ strict: false });
  const search = readSearch(given);
  const written = JSON.stringify(writeSearch(search));
  const labs = useQuery(labsQuery(search, language));
  const domains = useQuery(domainsQuery(language));
  const navigate = useNavigate();
  const onKeyword = useCallback(
    (keyword: string) => {
      const now = readSearch(JSON.parse(written) as Record<string, unknown>);
      // One step of typing is not a step of the history.
      void navigate({
        to: paths.labs,
        search: writeSearch(changeSearch(now, { keyword })),
        replace: true,
      });
    },
    [navigate, written],
  );
  return (
    <LabsView
      search={search}
      labs={labs.data}
      domains={domains.data}
      error={labs.error}
      isRefreshing={labs.isPlaceholderData}
      onKeyword={onKeyword}
      onRetry={() => void labs.refetch()}
    />
  );
}
