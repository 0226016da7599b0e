/** What a page will ask for, begun while its program is still on the way. */
import type { QueryClient } from '@tanstack/react-query';
import type { Language } from '@hypercube/contract';
import {
  domainsQuery,
  labQuery,
  labResourcesQuery,
  labTaskQuery,
  labTasksQuery,
  labsQuery,
} from '../domains/lab/lab.api.ts';
import { readSearch } from '../domains/lab/search.ts';
import { readID } from '../kernel/paths.ts';
import { preloadMarkdown } from '../ui/markdown/Markdown.tsx';
import type { PageName } from './pages.ts';

interface Visit {
  readonly client: QueryClient;
  readonly language: Language;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Begins the calls of a page; failures are the page's affair. */
export function prefetch(page: PageName, { client, language, params, search }: Visit): void {
  const labID = readID(params['labID']);
  const taskID = readID(params['taskID']);
  if (page === 'labIndex') {
    void client.prefetchQuery(labsQuery(readSearch(search), language));
    void client.prefetchQuery(domainsQuery(language));
  }
  if ((page === 'labDetail' || page === 'notebookLabTaskDetail') && labID !== null) {
    preloadMarkdown();
    void client.prefetchQuery(labQuery(labID, language));
    void client.prefetchQuery(labTasksQuery(labID, language));
    void client.prefetchQuery(labResourcesQuery(labID));
    if (taskID !== null) void client.prefetchQuery(labTaskQuery(labID, taskID, language));
  }
}
