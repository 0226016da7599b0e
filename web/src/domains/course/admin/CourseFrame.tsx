/** What the pages of one course have in common: its title, its state, and the tabs. */
import type { ManagedCourse } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { ItemFrame } from '../../catalogue/admin/ItemFrame.tsx';
import { isCourseStaff } from '../course.ts';
import { managedCourseQuery, publishCourse, useCoursesChanged } from './course-admin.api.ts';
import './course-admin.css';

const TABS = ['info', 'notification', 'member', 'homework', 'permission'] as const;
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
  const query = useQuery({
    ...managedCourseQuery(courseID ?? 0, language),
    enabled: courseID !== null,
  });
  return (
    <ItemFrame
      itemID={courseID}
      query={query}
      facts={(course) => [
        course.IsPublished ? states.published : states.draft,
        course.IsPrivate ? messages.course.private : '',
        course.IsHidden ? words.hidden : '',
        course.MyRole === null ? (course.Owner ?? '') : messages.course.roles[course.MyRole],
      ]}
      // Outside of this area a draft is for those alone who work on it.
      view={(course) =>
        course.IsPublished || isCourseStaff(course.MyRole) ? paths.course(course.ID) : null
      }
      publishing={{
        publish: (course, isPublished) => publishCourse(course.ID, isPublished),
        published: words.publishedNow,
        unpublished: words.unpublishedNow,
      }}
      tabs={(course) =>
        TABS.map((key) => ({
          key,
          label: words.tabs[key],
          to: paths.admin.course(course.ID, key),
          mark:
            key === 'member' && course.Waiting > 0 ? (
              <span className="tag course-waiting" title={words.waiting}>
                {course.Waiting}
                <span className="visually-hidden">{words.waiting}</span>
              </span>
            ) : null,
        }))
      }
      current={tab}
      tabsClass="course-admin-tabs"
      onChanged={changed}
    >
      {children}
    </ItemFrame>
  );
}
