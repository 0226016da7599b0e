/** The full page on which a problem is solved: the statement, the editor, the result. */
import type { ProblemDetail, ProgrammingLanguage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useId, useState, type CSSProperties, type ReactNode } from 'react';
import { isApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths, readID } from '../../kernel/paths.ts';
import { readStored, writeStored } from '../../kernel/stored.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { Divider } from '../workspace/Divider.tsx';
import { loadPercent, savePercent, useIsNarrow } from '../workspace/layout.ts';
import '../workspace/workspace.css';
import { CodePane } from './CodePane.tsx';
import { DifficultyMark } from './DifficultyMark.tsx';
import { problemQuery } from './problem.api.ts';
import { Statement } from './Statement.tsx';
import './problem.css';

export function SolvePage(): ReactNode {
  const { language } = useLanguage();
  const params: { readonly programmingProblemID?: string } = useParams({ strict: false });
  const problemID = readID(params.programmingProblemID);
  const { data, error, refetch } = useQuery({
    ...problemQuery(problemID ?? 0, language),
    enabled: problemID !== null,
  });
  const isGone = isApiError(error, 'not_found');
  if (problemID === null || (isGone && data === undefined)) return <NotFoundView />;
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400, margin: 24 }} />
      </LoadingRegion>
    );
  return <Solve key={data.ID} problem={data} isGone={isGone} />;
}

const LANGUAGE = 'problem-language';

/** The language that was used last, where the problem takes it; else its first one. */
function usualLanguage({ Languages }: ProblemDetail): ProgrammingLanguage {
  const stored = readStored(LANGUAGE);
  return Languages.find((one) => String(one) === stored) ?? Languages[0] ?? 1;
}

function Solve({
  problem,
  isGone,
}: {
  readonly problem: ProblemDetail;
  /** Taken back or deleted since it was opened; what was written stays to be copied. */
  readonly isGone: boolean;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const statement = useId();
  const isNarrow = useIsNarrow();
  const [percent, setPercent] = useState(loadPercent);
  const [isDragging, setDragging] = useState(false);
  const [chosen, setChosen] = useState(() => usualLanguage(problem));
  return (
    <div className="workspace solve">
      <header className="slim">
        <ButtonLink look="quiet" isSmall className="slim-back" to={paths.problems}>
          <LeftIcon />
          <span>{words.back}</span>
        </ButtonLink>
        <span className="slim-mark">
          <Mark size={22} weight={0.8} />
        </span>
        <span className="slim-title">{problem.Title}</span>
        <DifficultyMark difficulty={problem.Difficulty} />
        <span className="spring" />
        <ButtonLink isSmall look="quiet" to={paths.problemSubmissions(problem.ID)}>
          {words.mySubmissions}
        </ButtonLink>
        {problem.IsManaged ? (
          <ButtonLink isSmall look="quiet" to={paths.admin.problem(problem.ID)}>
            {words.manage}
          </ButtonLink>
        ) : null}
      </header>
      <div
        className={`panes ${isNarrow ? 'panes-stacked' : 'panes-both'} ${isDragging ? 'panes-dragged' : ''}`}
        style={{ '--document': `${percent}%` } as CSSProperties}
      >
        <section
          id={statement}
          className="pane-document"
          aria-label={words.statement}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          tabIndex={0}
        >
          <Statement problem={problem} />
        </section>
        {isNarrow ? null : (
          <Divider
            percent={percent}
            controls={statement}
            onMove={setPercent}
            onDragging={setDragging}
            onDone={savePercent}
          />
        )}
        <section className="pane-code" aria-label={words.editor}>
          <CodePane
            problem={problem}
            isGone={isGone}
            language={chosen}
            onLanguage={(next) => {
              setChosen(next);
              writeStored(LANGUAGE, String(next));
            }}
          />
        </section>
      </div>
    </div>
  );
}
