/** What the staff's pages of one problem have in common: its title, its state, and the tabs. */
import type { ManagedProblem } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { ItemFrame } from '../../catalogue/admin/ItemFrame.tsx';
import { managedProblemQuery, publishProblem, useProblemsChanged } from './problem-admin.api.ts';
import '../problem.css';

const TABS = ['info', 'test', 'submission'] as const;
type Tab = (typeof TABS)[number];

export function ProblemFrame({
  tab,
  children,
}: {
  readonly tab: Tab;
  readonly children: (problem: ManagedProblem) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problemAdmin;
  const shared = messages.admin.lab;
  const changed = useProblemsChanged();
  const params: { readonly programmingProblemID?: string } = useParams({ strict: false });
  const problemID = readID(params.programmingProblemID);
  const query = useQuery({
    ...managedProblemQuery(problemID ?? 0, language),
    enabled: problemID !== null,
  });
  return (
    <ItemFrame
      itemID={problemID}
      query={query}
      facts={(problem) => [
        messages.problem.difficulties[problem.Difficulty],
        problem.IsPublished ? shared.published : shared.draft,
        problem.IsBuiltIn ? shared.builtIn : (problem.Owner ?? ''),
      ]}
      view={(problem) => paths.problem(problem.ID)}
      publishing={{
        publish: (problem, isPublished) => publishProblem(problem.ID, isPublished),
        published: words.publishedNow,
        unpublished: shared.unpublishedNow,
      }}
      tabs={(problem) =>
        TABS.map((key) => ({
          key,
          label: words.tabs[key],
          to: paths.admin.problem(problem.ID, key),
        }))
      }
      current={tab}
      onChanged={changed}
    >
      {children}
    </ItemFrame>
  );
}
