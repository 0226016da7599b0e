/** A lab in a catalogue or on the home page. */
import type { LabSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ItemCard } from '../catalogue/ItemCard.tsx';

export function LabCard({
  lab,
  level,
}: {
  readonly lab: LabSummary;
  readonly level: 'h2' | 'h3';
}): ReactNode {
  const messages = useMessages();
  return (
    <ItemCard
      item={lab}
      to={paths.lab(lab.ID)}
      type={messages.lab.types[lab.Type]}
      level={level}
      facts={[
        lab.Minutes > 0 ? messages.common.minutes(lab.Minutes) : null,
        messages.lab.tasks(lab.TaskCount),
        lab.Uses > 0 ? messages.lab.uses(formatCount(lab.Uses)) : null,
      ]}
    />
  );
}
