/** Courses that staff work on, drafts included. */
import type { ManagedCourseRow } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../../kernel/format.ts';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { mayStaff, staffRole } from '../../admin/role.ts';
import { ItemsAdmin } from '../../catalogue/admin/ItemsAdmin.tsx';
import {
  nameColumn,
  ownerColumn,
  stateColumn,
  updatedColumn,
} from '../../catalogue/admin/columns.tsx';
import { mayOwn, wayIn } from '../course.ts';
import {
  MANAGED_COURSES_KEY,
  courseDependentsQuery,
  deleteCourse,
  orderCourses,
  publishCourse,
  readManagedCourses,
  updatePermission,
  useCoursesChanged,
} from './course-admin.api.ts';

const RELATIONS = ['mine', 'cooperation'] as const;
const SHAPE: ListShape = {
  sorts: ['sequence', 'latest', 'title', 'members'],
  filters: { relation: RELATIONS, state: ['published', 'draft'], waiting: ['true'] },
};
/** What goes with a course, in the order in which it is told. */
const GOES = [
  'Members',
  'Waiting',
  'Assistants',
  'Collaborators',
  'Notices',
  'Homework',
  'Submissions',
] as const;

function GoesWithIt({ courseID }: { readonly courseID: number }): ReactNode {
  const words = useMessages().course.admin;
  const { data, error, refetch } = useQuery(courseDependentsQuery(courseID));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const going = data === undefined ? [] : GOES.filter((kind) => data[kind] > 0);
  if (data === undefined || going.length === 0) return null;
  return (
    <>
      <p>{words.goesWithIt}</p>
      <ul className="dependents">
        {going.map((kind) => (
          <li key={kind}>{words.goesWith[kind](data[kind])}</li>
        ))}
      </ul>
    </>
  );
}

export function CoursesAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const session = useLogin().session ?? null;
  const role = staffRole(session);
  const changed = useCoursesChanged();
  const list = useList([...MANAGED_COURSES_KEY, language], SHAPE, readManagedCourses);
  const hiding = useMutation({
    mutationFn: (course: ManagedCourseRow) =>
      updatePermission(course.ID, {
        IsHidden: !course.IsHidden,
        IsPrivate: course.IsPrivate,
        JoinMode: course.JoinMode,
        InviteCode: course.InviteCode,
        InviteFrom: course.InviteFrom,
        InviteUntil: course.InviteUntil,
        Version: course.Version,
      }),
    onSuccess: (course) =>
      void toast('success', course.IsHidden ? words.hiddenNow : words.shownNow),
    onSettled: changed,
  });
  const visibilityText = (course: ManagedCourseRow): string =>
    [
      course.IsHidden ? words.hidden : words.visible,
      course.IsPrivate ? messages.course.private : '',
    ]
      .filter((text) => text !== '')
      .join(messages.common.dotSeparator);
  const modeText = (course: ManagedCourseRow): string => messages.course.modes[wayIn(course)];
  const roleText = (course: ManagedCourseRow): string =>
    course.MyRole === null ? messages.common.unknown : messages.course.roles[course.MyRole];
  const columns: [Column<ManagedCourseRow>, ...Column<ManagedCourseRow>[]] = [
    nameColumn(messages, (course) => paths.admin.course(course.ID)),
    stateColumn(messages),
    {
      key: 'visibility',
      title: words.visibility,
      cell: visibilityText,
      text: visibilityText,
    },
    { key: 'mode', title: words.joinMode, cell: modeText, text: modeText },
    {
      key: 'members',
      title: words.members,
      isNumber: true,
      sort: 'members',
      cell: (course) => formatCount(course.Members),
      text: (course) => String(course.Members),
    },
    {
      key: 'waiting',
      title: words.waiting,
      isNumber: true,
      cell: (course) =>
        course.Waiting === 0 ? (
          0
        ) : (
          <Link
            to={paths.admin.course(course.ID, 'member')}
            search={{ state: 'waiting' }}
            className="text-link"
          >
            {formatCount(course.Waiting)}
          </Link>
        ),
      text: (course) => String(course.Waiting),
    },
    ownerColumn(messages),
    { key: 'role', title: words.myRole, isOptional: true, cell: roleText, text: roleText },
    updatedColumn(messages, language),
  ];
  const mayCreate = mayStaff(session, ['course.create']);
  return (
    <ItemsAdmin
      name="courses"
      to={paths.admin.courses}
      words={{
        title: words.title,
        lead: words.lead,
        create: words.create,
        search: words.search,
      }}
      emptyText={mayCreate ? words.empty : words.emptyAssistant}
      list={list}
      columns={columns}
      before={[
        {
          name: 'relation',
          label: words.relation,
          options: RELATIONS.map((value) => ({ value, label: words.relations[value] })),
        },
      ]}
      after={[
        {
          name: 'waiting',
          label: words.applications,
          options: [{ value: 'true', label: words.waitingOnly }],
        },
      ]}
      creation={mayCreate ? paths.admin.courseCreation : null}
      publishing={{
        publish: (course, isPublished) => publishCourse(course.ID, isPublished),
        published: words.publishedNow,
        unpublished: words.unpublishedNow,
      }}
      removing={{
        remove: (course) => deleteCourse(course.ID),
        text: words.deleteText,
        details: (course) => <GoesWithIt courseID={course.ID} />,
        may: (course) => mayOwn(role, course.MyRole),
      }}
      ordering={{ need: ['sequence.course'], save: orderCourses }}
      actions={(course) =>
        mayOwn(role, course.MyRole) ? (
          <Button
            isSmall
            isBusy={hiding.isPending && hiding.variables.ID === course.ID}
            onClick={() => hiding.mutate(course)}
          >
            {course.IsHidden ? words.show : words.hide}
          </Button>
        ) : null
      }
      onChanged={changed}
    />
  );
}
