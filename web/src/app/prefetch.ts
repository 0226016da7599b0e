/** What a page will ask for, begun while its program is still on the way. */
import type { QueryClient } from '@tanstack/react-query';
import { LabType, SoftwareType, type Language } from '@hypercube/contract';
import { domainsQuery } from '../domains/catalogue/catalogue.api.ts';
import { readSearch } from '../domains/catalogue/search.ts';
import { computerQuery } from '../domains/computer/computer.api.ts';
import { courseQuery } from '../domains/course/course.api.ts';
import {
  labQuery,
  labResourcesQuery,
  labTaskQuery,
  labTasksQuery,
  labsQuery,
} from '../domains/lab/lab.api.ts';
import { problemQuery } from '../domains/problem/problem.api.ts';
import { softwareListQuery, softwareQuery } from '../domains/software/software.api.ts';
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
    void client.prefetchQuery(labsQuery(readSearch(search, Object.values(LabType)), language));
    void client.prefetchQuery(domainsQuery(language));
  }
  if (page === 'softwareIndex') {
    const read = readSearch(search, Object.values(SoftwareType));
    void client.prefetchQuery(softwareListQuery(read, language));
    void client.prefetchQuery(domainsQuery(language));
  }
  if (page === 'courseIndex') void client.prefetchQuery(domainsQuery(language));
  const courseID = readID(params['courseID']);
  if ((page === 'courseDetail' || page === 'homeworkDetail') && courseID !== null) {
    preloadMarkdown();
    void client.prefetchQuery(courseQuery(courseID, language));
  }
  const problemID = readID(params['programmingProblemID']);
  if (page === 'programmingProblemDetail' && problemID !== null) {
    preloadMarkdown();
    void client.prefetchQuery(problemQuery(problemID, language));
  }
  const softwareID = readID(params['softwareID']);
  if (softwareID !== null) {
    preloadMarkdown();
    void client.prefetchQuery(softwareQuery(softwareID, language));
  }
  if (page === 'personalComputer') void client.prefetchQuery(computerQuery(language));
  // The lab itself, and its tasks on either kind of machine.
  if (labID !== null) {
    preloadMarkdown();
    void client.prefetchQuery(labQuery(labID, language));
    void client.prefetchQuery(labTasksQuery(labID, language));
    void client.prefetchQuery(labResourcesQuery(labID));
    if (taskID !== null) void client.prefetchQuery(labTaskQuery(labID, taskID, language));
  }
}
