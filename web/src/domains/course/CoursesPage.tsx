/** The catalogue of courses: its filters live in the address. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { paths } from '../../kernel/paths.ts';
import { useCatalogueSearch, useCatalogueState } from '../catalogue/use-catalogue.ts';
import { coursesQuery } from './course.api.ts';
import { COURSE_TYPES, CoursesView } from './CoursesView.tsx';

export function CoursesPage(): ReactNode {
  const { language } = useLanguage();
  const { session } = useLogin();
  // A visitor has joined nothing; an address that asks for it shows everything instead.
  const filters = useCatalogueSearch(paths.courses, COURSE_TYPES, session !== null);
  const courses = useQuery(coursesQuery(filters.search, language));
  return <CoursesView {...useCatalogueState(filters, courses)} isSignedIn={session != null} />;
}
