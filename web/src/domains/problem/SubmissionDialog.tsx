/** A submission with its source, over the list in which it stands. */
import type { ProblemSubmission } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { useStreamState } from '../usage/watch.ts';
import { submissionQuery } from './problem.api.ts';
import { SubmissionResult } from './SubmissionResult.tsx';
import './problem.css';

const SourceEditor = lazy(() =>
  loadChunk(() => import('../../ui/editor/SourceEditor.tsx')).then((module) => ({
    default: module.SourceEditor,
  })),
);

export function SubmissionDialog({
  problemID,
  submissionID,
  onClose,
  actions,
}: {
  readonly problemID: number;
  readonly submissionID: number;
  readonly onClose: () => void;
  /** Buttons below. */
  readonly actions?: (submission: ProblemSubmission) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.problem;
  const isPushed = useStreamState() === 'open';
  const { data, error, refetch } = useQuery(submissionQuery(problemID, submissionID, isPushed));
  return (
    <Dialog title={words.submissionNumber(submissionID)} isWide onClose={onClose}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 240 }} />
          </LoadingRegion>
        )
      ) : (
        <div className="stack submission-detail">
          <p className="muted">
            {[
              data.Nickname,
              words.languages[data.Language],
              formatMoment(data.CreatedAt, language),
            ].join(messages.common.dotSeparator)}
          </p>
          <SubmissionResult submission={data} />
          <h3>{words.source}</h3>
          <div className="source-read">
            <Suspense fallback={<Skeleton style={{ height: 160 }} />}>
              <SourceEditor
                label={words.editorOf(words.languages[data.Language])}
                language={data.Language}
                value={data.Source}
                onChange={() => undefined}
                isReadOnly
              />
            </Suspense>
          </div>
          {actions ? <div className="dialog-actions">{actions(data)}</div> : null}
        </div>
      )}
    </Dialog>
  );
}
