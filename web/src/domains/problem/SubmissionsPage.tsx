/** One's own submissions to a problem; each opens with its source and its tests. */
import type { ProblemSubmissionSummary } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useList } from '../../ui/table/use-list.ts';
import { SUBMISSION_KEY } from './keys.ts';
import { problemQuery, readSubmissions } from './problem.api.ts';
import { SubmissionDialog } from './SubmissionDialog.tsx';
import { SUBMISSION_SHAPE, submissionColumns, submissionFilters } from './submission-columns.tsx';
import './problem.css';

export function SubmissionsPage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly programmingProblemID?: string } = useParams({ strict: false });
  const problemID = readID(params.programmingProblemID);
  const { data, error, refetch } = useQuery({
    ...problemQuery(problemID ?? 0, language),
    enabled: problemID !== null,
  });
  if (problemID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 320 }} />
      </LoadingRegion>
    );
  return <Submissions key={problemID} problemID={problemID} title={data.Title} />;
}

function Submissions({
  problemID,
  title,
}: {
  readonly problemID: number;
  readonly title: string;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problem;
  const [openID, setOpenID] = useState<number | null>(null);
  const list = useList<ProblemSubmissionSummary>(
    [...SUBMISSION_KEY, 'list', problemID],
    SUBMISSION_SHAPE,
    readSubmissions(problemID),
  );
  return (
    <div className="wrap">
      <div className="page-head">
        <div>
          <PageTitle name={words.submissionsTitle(title)}>
            {words.submissionsTitle(title)}
          </PageTitle>
          <p className="muted">{words.submissionsLead}</p>
        </div>
        <ButtonLink look="primary" to={paths.problem(problemID)}>
          {words.toProblem}
        </ButtonLink>
      </div>
      <DataTable
        {...list}
        name="problem-submissions"
        label={words.submissions}
        to={paths.problemSubmissions(problemID)}
        columns={submissionColumns(messages, language)}
        filters={submissionFilters(messages)}
        keyOf={(row) => row.ID}
        nameOf={(row) => words.submissionNumber(row.ID)}
        searchLabel={null}
        emptyText={words.submissionsEmpty}
        actions={(row) => (
          <Button isSmall onClick={() => setOpenID(row.ID)}>
            {words.open}
          </Button>
        )}
      />
      {openID === null ? null : (
        <SubmissionDialog
          problemID={problemID}
          submissionID={openID}
          onClose={() => setOpenID(null)}
        />
      )}
    </div>
  );
}
