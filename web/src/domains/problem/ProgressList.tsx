/** How far one is with the problems, by difficulty. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { DifficultyMark } from './DifficultyMark.tsx';
import { progressQuery } from './problem.api.ts';
import './problem.css';

export function ProgressList(): ReactNode {
  const words = useLanguage().messages.problem;
  const { data, error, refetch } = useQuery(progressQuery);
  if (data === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 84 }} />
      </LoadingRegion>
    );
  return (
    <ul className="problem-progress" aria-label={words.progress}>
      {data.map(({ Difficulty, Total, Solved, Tried }) => (
        <li key={Difficulty}>
          <div className="row row-apart">
            <DifficultyMark difficulty={Difficulty} />
            <span className="num">{words.solvedOf(Solved, Total)}</span>
          </div>
          <progress
            max={Math.max(1, Total)}
            value={Solved}
            aria-label={words.progressOf(words.difficulties[Difficulty], Solved, Total)}
          />
          <span className="muted">{Tried > 0 ? words.triedCount(Tried) : null}</span>
        </li>
      ))}
    </ul>
  );
}
