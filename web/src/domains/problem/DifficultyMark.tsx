/** How hard a problem is: a word, and as many bars. */
import type { Difficulty } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';

const BARS = [1, 2, 3] as const;

export function DifficultyMark({ difficulty }: { readonly difficulty: Difficulty }): ReactNode {
  const words = useMessages().problem;
  return (
    <span className="difficulty">
      <span className="difficulty-bars" aria-hidden="true">
        {BARS.map((bar) => (
          <i key={bar} className={bar <= difficulty ? 'on' : ''} />
        ))}
      </span>
      {words.difficulties[difficulty]}
    </span>
  );
}
