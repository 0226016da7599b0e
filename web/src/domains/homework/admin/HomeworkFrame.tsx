/** What the pages of one homework have in common: its title, its state, and the tabs. */
import type { ManagedHomework } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { LeftIcon } from '../../../ui/icons.tsx';
import { ItemFrame } from '../../catalogue/admin/ItemFrame.tsx';
import { managedCourseQuery } from '../../course/admin/course-admin.api.ts';
import {
  managedHomeworkQuery,
  publishHomework,
  useManagedHomeworkChanged,
} from './homework-admin.api.ts';
import '../../lab/detail.css';
import '../homework.css';

export function HomeworkFrame({
  tab,
  children,
}: {
  readonly tab: 'info' | 'score';
  readonly children: (homework: ManagedHomework, courseID: number) => ReactNode;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const changed = useManagedHomeworkChanged();
  const params: { readonly courseID?: string; readonly homeworkID?: string } = useParams({
    strict: false,
  });
  const [courseID, homeworkID] = [readID(params.courseID) ?? 0, readID(params.homeworkID)];
  const query = useQuery({
    ...managedHomeworkQuery(courseID, homeworkID ?? 0, language),
    enabled: homeworkID !== null,
  });
  const course = useQuery({
    ...managedCourseQuery(courseID, language),
    enabled: courseID !== 0,
  });
  return (
    <>
      <Link to={paths.admin.course(courseID, 'homework')} className="back-link">
        <LeftIcon />
        {words.back}
      </Link>
      <ItemFrame
        itemID={homeworkID}
        query={query}
        facts={(homework) => [
          course.data?.Title ?? '',
          homework.IsPublished ? words.published : words.draft,
          homework.OpenAt !== null && Date.parse(homework.OpenAt) > Date.now()
            ? words.notOpen(formatMoment(homework.OpenAt, language))
            : '',
          `${messages.homework.due} ${formatMoment(homework.DueAt, language)}`,
          words.progressOf(homework.Corrected, homework.Corrected + homework.Uncorrected),
        ]}
        // An admin who has no part in the course does not see it as a learner does.
        view={(homework) =>
          course.data && course.data.MyRole !== null ? paths.homework(courseID, homework.ID) : null
        }
        publishing={{
          publish: (homework, isPublished) => publishHomework(courseID, homework, isPublished),
          published: words.publishedNow,
          unpublished: words.unpublishedNow,
        }}
        tabs={(homework) => [
          {
            key: 'info',
            label: words.tabs.info,
            to: paths.admin.homework(courseID, homework.ID),
          },
          {
            key: 'score',
            label: words.tabs.score,
            to: paths.admin.scores(courseID, homework.ID),
          },
        ]}
        current={tab}
        onChanged={changed}
      >
        {(homework) => children(homework, courseID)}
      </ItemFrame>
    </>
  );
}
