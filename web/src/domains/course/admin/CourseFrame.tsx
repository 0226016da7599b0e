/** What the pages of one course have in common: its title, its state, and the tabs. */
import type { ManagedCourse } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isApiError } from '../../../kernel/api.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { NotFoundView } from '../../../ui/NotFoundView.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState, LoadingRegion, Skeleton } from '../../../ui/states.tsx';
import '../../../ui/tabs.css';
import { isCourseStaff } from '../course.ts';
import { managedCourseQuery, publishCourse, useCoursesChanged } from './course-admin.api.ts';
import './course-admin.css';

const TABS = ['info', 'notification', 'member', 'permission'] as const;
type Tab = (typeof TABS)[number];

export function CourseFrame({
  tab,
  children,
}: {
  readonly tab: Tab;
  readonly children: (course: ManagedCourse) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const states = messages.admin.lab;
  const changed = useCoursesChanged();
  const params: { readonly courseID?: string } = useParams({ strict: false });
  const courseID = readID(params.courseID);
  const { data, error, refetch } = useQuery({
    ...managedCourseQuery(courseID ?? 0, language),
    enabled: courseID !== null,
  });
  const publishing = useMutation({
    mutationFn: (course: ManagedCourse) => publishCourse(course.ID, !course.IsPublished),
    onSuccess: (course) => {
      toast('success', course.IsPublished ? words.publishedNow : words.unpublishedNow);
      return changed();
    },
  });
  if (courseID === null || isApiError(error, 'not_found')) return <NotFoundView />;
  if (data === undefined) {
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRegion>
        <Skeleton style={{ height: 400 }} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={data.Title}>{data.Title}</PageTitle>
          <p className="muted">
            {[
              data.IsPublished ? states.published : states.draft,
              data.IsPrivate ? messages.course.private : '',
              data.IsHidden ? words.hidden : '',
              data.MyRole === null ? (data.Owner ?? '') : messages.course.roles[data.MyRole],
            ]
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </p>
        </div>
        <div className="row">
          {/* Outside of this area a draft is for those alone who work on it. */}
          {data.IsPublished || isCourseStaff(data.MyRole) ? (
            <ButtonLink to={paths.course(data.ID)}>{states.view}</ButtonLink>
          ) : null}
          <Button
            look={data.IsPublished ? 'plain' : 'primary'}
            isBusy={publishing.isPending}
            onClick={() => publishing.mutate(data)}
          >
            {data.IsPublished ? states.unpublish : states.publish}
          </Button>
        </div>
      </div>
      <nav className="tabs course-admin-tabs" aria-label={data.Title}>
        {TABS.map((name) => (
          <Link
            key={name}
            to={paths.admin.course(data.ID, name)}
            activeProps={{}}
            aria-current={name === tab ? 'page' : undefined}
          >
            {words.tabs[name]}
            {name === 'member' && data.Waiting > 0 ? (
              <span className="tag course-waiting" title={words.waiting}>
                {data.Waiting}
                <span className="visually-hidden">{words.waiting}</span>
              </span>
            ) : null}
          </Link>
        ))}
      </nav>
      {children(data)}
    </>
  );
}
