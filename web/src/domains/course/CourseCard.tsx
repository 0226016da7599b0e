import type { CourseSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ItemCard } from '../catalogue/ItemCard.tsx';

/** A course as a card of a list. */
export function CourseCard({
  course,
  level,
}: {
  readonly course: CourseSummary;
  readonly level: 'h2' | 'h3';
}): ReactNode {
  const words = useMessages().course;
  return (
    <ItemCard
      item={course}
      to={paths.course(course.ID)}
      type={course.IsPrivate ? words.private : words.modes[course.JoinMode]}
      level={level}
      facts={[
        words.members(formatCount(course.Members)),
        course.Owner?.Nickname ?? null,
        course.MyRole === null ? null : words.roles[course.MyRole],
      ]}
    />
  );
}
