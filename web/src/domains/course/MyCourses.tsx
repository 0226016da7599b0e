/** The courses that one has something to do with, on the personal home. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import { ItemCardSkeleton } from '../catalogue/ItemCard.tsx';
import { MY_COURSES, myCoursesQuery } from './course.api.ts';
import { CourseCard } from './CourseCard.tsx';
import '../catalogue/catalogue.css';

export function MyCourses(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course;
  const { data, error, refetch } = useQuery(myCoursesQuery(language));
  return (
    <section aria-labelledby="my-courses">
      <div className="section-head">
        <h2 id="my-courses">{words.joinedOnly}</h2>
        {data !== undefined && data.Total > MY_COURSES ? (
          <Link to={paths.courses} search={{ joined: 'true' }} className="text-link">
            {words.allJoined}
          </Link>
        ) : null}
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion>
            <div className="item-grid">
              <ItemCardSkeleton />
            </div>
          </LoadingRegion>
        )
      ) : data.List.length === 0 ? (
        <p className="muted">
          {words.noneJoined}{' '}
          <Link to={paths.courses} className="text-link">
            {messages.shell.nav.courseIndex}
          </Link>
        </p>
      ) : (
        <ul className="item-grid">
          {data.List.map((course) => (
            <li key={course.ID}>
              <CourseCard course={course} level="h3" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
