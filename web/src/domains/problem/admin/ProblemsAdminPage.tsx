/** Problems that staff may change, drafts included. */
import { Difficulty, type ManagedProblemRow } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount } from '../../../kernel/format.ts';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { ItemsAdmin } from '../../catalogue/admin/ItemsAdmin.tsx';
import {
  nameColumn,
  ownerColumn,
  stateColumn,
  updatedColumn,
} from '../../catalogue/admin/columns.tsx';
import { DifficultyMark } from '../DifficultyMark.tsx';
import {
  MANAGED_PROBLEMS_KEY,
  deleteProblem,
  dependentsQuery,
  publishProblem,
  readManagedProblems,
  useProblemsChanged,
} from './problem-admin.api.ts';
import '../problem.css';

const DIFFICULTIES = Object.values(Difficulty);
const SHAPE: ListShape = {
  sorts: ['sequence', 'latest', 'title', 'uses'],
  filters: { difficulty: DIFFICULTIES.map(String), state: ['published', 'draft'] },
};

/** What would go with a problem. */
function Dependents({ problemID }: { readonly problemID: number }): ReactNode {
  const words = useMessages().problemAdmin;
  const { data } = useQuery(dependentsQuery(problemID));
  return data === undefined || data.Submissions === 0 ? null : (
    <p>{words.deletes(data.Submissions, data.Learners, data.Solved)}</p>
  );
}

export function ProblemsAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problemAdmin;
  const shared = messages.problem;
  const changed = useProblemsChanged();
  const list = useList([...MANAGED_PROBLEMS_KEY, language], SHAPE, readManagedProblems);
  const languagesText = (row: ManagedProblemRow): string =>
    row.Languages.map((one) => shared.languages[one]).join(messages.common.listSeparator);
  const count = (
    key: string,
    title: string,
    of: (row: ManagedProblemRow) => number,
  ): Column<ManagedProblemRow> => ({
    key,
    title,
    isNumber: true,
    cell: (row) => formatCount(of(row)),
    text: (row) => String(of(row)),
  });
  const columns: [Column<ManagedProblemRow>, ...Column<ManagedProblemRow>[]] = [
    nameColumn(messages, (row) => paths.admin.problem(row.ID)),
    {
      key: 'difficulty',
      title: shared.difficulty,
      cell: (row) => <DifficultyMark difficulty={row.Difficulty} />,
      text: (row) => shared.difficulties[row.Difficulty],
    },
    stateColumn(messages),
    { key: 'languages', title: shared.language, cell: languagesText, text: languagesText },
    count('tests', words.testCount, (row) => row.TestCount),
    count('tried', words.tried, (row) => row.Tried),
    count('solved', words.solved, (row) => row.Solved),
    ownerColumn(messages),
    updatedColumn(messages, language),
  ];
  return (
    <ItemsAdmin
      name="problems"
      to={paths.admin.problems}
      words={{
        title: words.title,
        lead: words.lead,
        create: words.create,
        search: words.search,
      }}
      emptyText={words.empty}
      list={list}
      columns={columns}
      before={[
        {
          name: 'difficulty',
          label: shared.difficulty,
          options: DIFFICULTIES.map((value) => ({
            value: String(value),
            label: shared.difficulties[value],
          })),
        },
      ]}
      creation={paths.admin.problemCreation}
      publishing={{
        publish: (row, isPublished) => publishProblem(row.ID, isPublished),
        published: words.publishedNow,
        unpublished: messages.admin.lab.unpublishedNow,
      }}
      removing={{
        remove: (row) => deleteProblem(row.ID),
        text: words.deleteText,
        details: (row) => <Dependents problemID={row.ID} />,
      }}
      onChanged={changed}
    />
  );
}
