/** Everybody's submissions to a problem, and judging them again. */
import {
  JudgeState,
  SUBMISSION_COLUMNS,
  type ManagedProblem,
  type ManagedProblemSubmission,
  type SubmissionColumn,
} from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import { queryOfList } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { ExportDialog } from '../../user/ExportDialog.tsx';
import { SUBMISSION_KEY } from '../keys.ts';
import { submissionColumns, submissionFilters, SUBMISSION_SHAPE } from '../submission-columns.tsx';
import { SubmissionDialog } from '../SubmissionDialog.tsx';
import {
  MANAGED_SUBMISSIONS_KEY,
  readManagedSubmissions,
  rejudgeAll,
  rejudgeSubmission,
  submissionsAddress,
  useProblemsChanged,
} from './problem-admin.api.ts';
import { ProblemFrame } from './ProblemFrame.tsx';

const USUAL: readonly SubmissionColumn[] = [
  'StudentID',
  'RealName',
  'Username',
  'Language',
  'Verdict',
  'Passed',
  'Total',
  'CreatedAt',
];

export const ProblemSubmissionsPage = (): ReactNode => (
  <ProblemFrame tab="submission">
    {(problem) => <Submissions key={problem.ID} problem={problem} />}
  </ProblemFrame>
);

function Submissions({ problem }: { readonly problem: ManagedProblem }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problemAdmin;
  const shared = messages.problem;
  const client = useQueryClient();
  const changed = useProblemsChanged();
  const [openID, setOpenID] = useState<number | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const list = useList<ManagedProblemSubmission>(
    [...MANAGED_SUBMISSIONS_KEY, problem.ID],
    SUBMISSION_SHAPE,
    readManagedSubmissions(problem.ID),
    // Those of others are pushed to them, not to us.
    { isLive: true },
  );
  const refresh = async (): Promise<void> => {
    void changed();
    await client.invalidateQueries({ queryKey: SUBMISSION_KEY });
  };
  const all = useMutation({
    mutationFn: () => rejudgeAll(problem.ID),
    onSuccess: ({ Count }) => {
      toast('success', words.rejudged(Count));
      return refresh();
    },
    onSettled: () => setAsking(false),
  });
  const one = useMutation({
    mutationFn: (submissionID: number) => rejudgeSubmission(problem.ID, submissionID),
    onSuccess: () => {
      toast('success', words.rejudgedOne);
      return refresh();
    },
  });
  const [number, ...others] = submissionColumns<ManagedProblemSubmission>(messages, language);
  const person: Column<ManagedProblemSubmission> = {
    key: 'person',
    title: shared.person,
    cell: (row) => row.Nickname,
    text: (row) => `${row.Nickname} (${row.Username})`,
  };
  return (
    <>
      <div className="row row-end">
        <Button onClick={() => setAsking(true)}>{words.rejudgeAll}</Button>
      </div>
      <DataTable
        {...list}
        name="all-submissions"
        label={shared.submissions}
        to={paths.admin.problem(problem.ID, 'submission')}
        columns={[number, person, ...others]}
        filters={submissionFilters(messages)}
        keyOf={(row) => row.ID}
        nameOf={(row) => shared.submissionNumber(row.ID)}
        searchLabel={words.searchPerson}
        emptyText={words.submissionsEmpty}
        onExport={() => setExporting(true)}
        actions={(row) => (
          <Button isSmall onClick={() => setOpenID(row.ID)}>
            {shared.open}
          </Button>
        )}
      />
      {openID === null ? null : (
        <SubmissionDialog
          problemID={problem.ID}
          submissionID={openID}
          onClose={() => setOpenID(null)}
          actions={(submission) =>
            submission.State === JudgeState.done ? (
              <Button isBusy={one.isPending} onClick={() => one.mutate(submission.ID)}>
                {words.rejudge}
              </Button>
            ) : null
          }
        />
      )}
      {isExporting ? (
        <ExportDialog
          title={words.exportTitle}
          text={words.exportText(list.page?.Total ?? 0)}
          columns={SUBMISSION_COLUMNS}
          usual={USUAL}
          labels={words.columns}
          file="submissions.xlsx"
          addressOf={(chosen) => submissionsAddress(problem.ID, queryOfList(list.search), chosen)}
          onClose={() => setExporting(false)}
        />
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={words.rejudgeAllTitle}
          text={words.rejudgeAllText}
          confirm={words.rejudge}
          isBusy={all.isPending}
          onConfirm={() => all.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
