/** The personal home. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readID } from '../../kernel/paths.ts';
import { MyCourses } from '../course/MyCourses.tsx';
import { DueHomework } from '../homework/DueHomework.tsx';
import { MyProblems } from '../problem/MyProblems.tsx';
import { HistoryView } from './HistoryView.tsx';
import { historyQuery } from './usage.api.ts';
import { useUsage } from './watch.ts';

export function HistoryPage(): ReactNode {
  const search: { readonly page?: string } = useSearch({ strict: false });
  const page = readID(search.page) ?? 1;
  const history = useQuery(historyQuery(page));
  const { state } = useUsage();
  return (
    <HistoryView
      state={state}
      history={history.data}
      error={history.error}
      page={page}
      onRetry={() => void history.refetch()}
    >
      <DueHomework />
      <MyCourses />
      <MyProblems />
    </HistoryView>
  );
}
