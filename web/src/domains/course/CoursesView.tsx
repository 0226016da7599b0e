/** The catalogue of courses, from what is given. */
import type { CourseSummary } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Catalogue, type CatalogueState } from '../catalogue/Catalogue.tsx';
import { CourseCard } from './CourseCard.tsx';

/** Courses have no kinds. */
export const COURSE_TYPES: readonly never[] = [];

export interface CoursesViewProps extends CatalogueState<CourseSummary, never> {
  readonly isSignedIn: boolean;
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
      card={(course) => <CourseCard course={course} level="h2" />}
    />
  );
}
