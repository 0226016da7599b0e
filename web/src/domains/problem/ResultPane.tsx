/** What came of the last submission or run; it follows the judge test by test. */
import { JudgeState } from '@hypercube/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { Announcement } from '../../ui/Announcement.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useStreamState } from '../usage/watch.ts';
import { progressChanged, submissionQuery } from './problem.api.ts';
import { SubmissionResult } from './SubmissionResult.tsx';

export function ResultPane({
  problemID,
  submissionID,
}: {
  readonly problemID: number;
  /** Null: nothing was sent yet. */
  readonly submissionID: number | null;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const client = useQueryClient();
  const isPushed = useStreamState() === 'open';
  const { data, error, refetch } = useQuery({
    ...submissionQuery(problemID, submissionID ?? 0, isPushed),
    enabled: submissionID !== null,
  });
  const isJudged = data?.State === JudgeState.done && data.Kind === 'submission';
  useEffect(() => {
    if (isJudged) progressChanged(client);
  }, [client, isJudged, submissionID]);
  const verdict = data?.Verdict ?? null;
  return (
    <section className="result-pane" aria-label={words.result}>
      <Announcement>
        {data === undefined || verdict === null
          ? ''
          : data.Kind === 'run'
            ? words.verdicts[verdict]
            : words.announced(words.verdicts[verdict], words.passed(data.Passed, data.Total))}
      </Announcement>
      {submissionID === null ? (
        <p className="muted">{words.noResult}</p>
      ) : data ? (
        <SubmissionResult submission={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : null}
    </section>
  );
}
