/** An item of a catalogue (a lab, a software) as a card. */
import type { Cover as CoverOf, Tag } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Cover } from '../../ui/Cover.tsx';
import { Skeleton } from '../../ui/states.tsx';
import './card.css';

interface ItemCardProps {
  readonly item: {
    readonly Title: string;
    readonly Description: string;
    readonly Cover: CoverOf;
    readonly Domain: Tag | null;
    readonly Tags: readonly Tag[];
  };
  readonly to: string;
  /** What kind of item it is, in words. */
  readonly type: string;
  readonly level: 'h2' | 'h3';
  /** Facts below the text, beside the tag; empty ones are left out. */
  readonly facts: readonly (string | null)[];
}

export function ItemCard({ item, to, type, level, facts }: ItemCardProps): ReactNode {
  const Heading = level;
  const tag = item.Tags[0] ?? item.Domain;
  return (
    <Link to={to} className="card item-card">
      <Cover kind={item.Cover.Kind} seed={item.Cover.Seed} colour={tag?.Color}>
        <span className="tag">{type}</span>
      </Cover>
      <div className="item-card-body">
        <Heading>{item.Title}</Heading>
        <p>{item.Description}</p>
        <div className="item-card-meta num">
          {tag ? <span>{tag.Title}</span> : null}
          {facts.map((fact) => (fact === null ? null : <span key={fact}>{fact}</span>))}
        </div>
      </div>
    </Link>
  );
}

/** The true shape of a card, while it loads. */
export function ItemCardSkeleton(): ReactNode {
  return (
    <div className="card item-card" aria-hidden="true">
      <Skeleton style={{ height: 120, borderRadius: 0 }} />
      <div className="item-card-body">
        <Skeleton style={{ height: 20, width: '60%' }} />
        <Skeleton style={{ height: 16 }} />
        <Skeleton style={{ height: 16, width: '40%' }} />
      </div>
    </div>
  );
}
