/** The home page: what the site is, and where the user left off. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { newestLabsQuery } from '../lab/lab.api.ts';
import { siteQuery } from '../site/site.api.ts';
import { useUsage } from '../usage/watch.ts';
import { HomeView } from './HomeView.tsx';

export function HomePage(): ReactNode {
  const { language } = useLanguage();
  const { session } = useLogin();
  const site = useQuery(siteQuery);
  const newest = useQuery(newestLabsQuery(language));
  const { state } = useUsage();
  return (
    <HomeView
      isSignedIn={session === undefined ? undefined : session !== null}
      site={site.data}
      usageState={state}
      newest={newest.data?.List}
      newestError={newest.error}
      onRetry={() => {
        void newest.refetch();
        void site.refetch();
      }}
    />
  );
}
