/** A course's page. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../kernel/api.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { useLogin } from '../../kernel/login.ts';
import { readID } from '../../kernel/paths.ts';
import { NotFoundView } from '../../ui/NotFoundView.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../ui/states.tsx';
import { roleThatMay } from '../admin/role.ts';
import { CourseHomework } from '../homework/CourseHomework.tsx';
import { isInside, mayManage, tabOf } from './course.ts';
import { courseQuery } from './course.api.ts';
import { CourseDetailView } from './CourseDetailView.tsx';
import { CourseMembers } from './CourseMembers.tsx';
import { CourseNotices } from './CourseNotices.tsx';
import { JoinPanel } from './JoinPanel.tsx';

export function CourseDetailPage(): ReactNode {
  const { language } = useLanguage();
  const { session } = useLogin();
  const params: { readonly courseID?: string } = useParams({ strict: false });
  const search: { readonly tab?: unknown; readonly page?: unknown } = useSearch({ strict: false });
  const courseID = readID(params.courseID);
  const course = useQuery({
    ...courseQuery(courseID ?? 0, language),
    enabled: courseID !== null,
  });
  if (courseID === null || (course.error instanceof ApiError && course.error.status === 404))
    return <NotFoundView />;
  if (course.data === undefined) {
    return (
      <div className="wrap">
        {course.error ? (
          <ErrorState error={course.error} onRetry={() => void course.refetch()} />
        ) : (
          <LoadingRegion>
            <Skeleton style={{ height: 168 }} />
            <Skeleton style={{ height: 32, width: '40%', marginTop: 20 }} />
            <Skeleton style={{ height: 18, width: '70%', marginTop: 12 }} />
          </LoadingRegion>
        )}
      </div>
    );
  }
  const page = readID(typeof search.page === 'string' ? search.page : undefined) ?? 1;
  const tab = isInside(course.data.MyRole) ? tabOf(search.tab) : 'content';
  return (
    <CourseDetailView
      course={course.data}
      tab={tab}
      join={
        <JoinPanel
          course={course.data}
          isSignedIn={session === undefined ? undefined : session !== null}
          manages={mayManage(roleThatMay(session ?? null, ['course.update']), course.data.MyRole)}
        />
      }
    >
      {tab === 'homework' ? (
        <CourseHomework courseID={courseID} page={page} />
      ) : tab === 'notice' ? (
        <CourseNotices courseID={courseID} page={page} />
      ) : tab === 'member' ? (
        <CourseMembers courseID={courseID} page={page} />
      ) : null}
    </CourseDetailView>
  );
}
