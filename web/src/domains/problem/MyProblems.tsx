/** One's progress with the problems, on the personal home. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ProgressList } from './ProgressList.tsx';

export function MyProblems(): ReactNode {
  const words = useMessages().problem;
  return (
    <section aria-labelledby="my-problems">
      <div className="section-head">
        <h2 id="my-problems">{words.solvedProblems}</h2>
        <Link to={paths.problems} className="text-link">
          {words.openList}
        </Link>
      </div>
      <div className="card my-problems">
        <ProgressList />
      </div>
    </section>
  );
}
