/** The catalogue of courses, from what is given. */
import type { CourseSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatCount } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Catalogue, type CatalogueState } from '../catalogue/Catalogue.tsx';
import { ItemCard } from '../catalogue/ItemCard.tsx';

/** Courses have no kinds. */
export const COURSE_TYPES: readonly never[] = [];

export interface CoursesViewProps extends CatalogueState<CourseSummary, never> {
  readonly isSignedIn: boolean;
}

function CourseCard({ course }: { readonly course: CourseSummary }): ReactNode {
  const words = useMessages().course;
  return (
    <ItemCard
      item={course}
      to={paths.course(course.ID)}
      type={course.IsPrivate ? words.private : words.modes[course.JoinMode]}
      level="h2"
      facts={[
        words.members(formatCount(course.Members)),
        course.Owner?.Nickname ?? null,
        course.MyRole === null ? null : words.roles[course.MyRole],
      ]}
    />
  );
}

export function CoursesView({ isSignedIn, ...props }: CoursesViewProps): ReactNode {
  const words = useMessages().course;
  return (
    <Catalogue
      {...props}
      to={paths.courses}
      words={{
        title: words.title,
        lead: words.lead,
        searchIn: words.searchIn,
        searchLabel: words.searchLabel,
        list: words.list,
        found: words.found,
        emptyTitle: words.emptyTitle,
        emptySite: words.emptySite,
        emptySiteText: words.emptySiteText,
      }}
      types={COURSE_TYPES}
      joined={isSignedIn ? { label: words.joinedFilter, only: words.joinedOnly } : undefined}
      card={(course) => <CourseCard course={course} />}
    />
  );
}
