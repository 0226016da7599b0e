/** A lab in a catalogue or on the home page. */
import type { LabSummary } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Cover } from '../../ui/Cover.tsx';
import { Skeleton } from '../../ui/states.tsx';
import './card.css';

export function LabCard({
  lab,
  level,
}: {
  readonly lab: LabSummary;
  readonly level: 'h2' | 'h3';
}): ReactNode {
  const messages = useMessages();
  const Heading = level;
  const tag = lab.Tags[0] ?? lab.Domain;
  return (
    <Link to={paths.lab(lab.ID)} className="card lab-card">
      <Cover kind={lab.Cover.Kind} seed={lab.Cover.Seed} colour={tag?.Color}>
        <span className="tag">{messages.lab.types[lab.Type]}</span>
      </Cover>
      <div className="lab-card-body">
        <Heading>{lab.Title}</Heading>
        <p>{lab.Description}</p>
        <div className="lab-card-meta">
          {tag ? <span>{tag.Title}</span> : null}
          {lab.Minutes > 0 ? <span>{messages.common.minutes(lab.Minutes)}</span> : null}
          <span>{messages.lab.tasks(lab.TaskCount)}</span>
          {lab.Uses > 0 ? (
            <span className="num">{messages.lab.uses(formatCount(lab.Uses))}</span>
          ) : null}
        </div>
      </div>
    </Link>
  );
}

/** The true shape of a card, while it loads. */
export function LabCardSkeleton(): ReactNode {
  return (
    <div className="card lab-card" aria-hidden="true">
      <Skeleton style={{ height: 120, borderRadius: 0 }} />
      <div className="lab-card-body">
        <Skeleton style={{ height: 20, width: '60%' }} />
        <Skeleton style={{ height: 16 }} />
        <Skeleton style={{ height: 16, width: '40%' }} />
      </div>
    </div>
  );
}
