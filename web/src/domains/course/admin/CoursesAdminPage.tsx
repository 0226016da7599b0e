/** Courses that staff work on, drafts included. */
import type { ManagedCourseRow } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatCount, formatMoment } from '../../../kernel/format.ts';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { OrderDialog } from '../../../ui/Order.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { mayStaff, staffRole } from '../../admin/role.ts';
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
const GOES = ['Members', 'Waiting', 'Assistants', 'Collaborators', 'Notices'] as const;

function DeleteDialog({
  course,
  isBusy,
  onConfirm,
  onClose,
}: {
  readonly course: ManagedCourseRow;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.course.admin;
  const { data, error, refetch } = useQuery(courseDependentsQuery(course.ID));
  const going = data === undefined ? [] : GOES.filter((kind) => data[kind] > 0);
  return (
    <Dialog title={messages.admin.lab.deleteTitle(course.Title)} onClose={onClose}>
      <p>{words.deleteText}</p>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data && going.length > 0 ? (
        <>
          <p>{words.goesWithIt}</p>
          <ul className="dependents">
            {going.map((kind) => (
              <li key={kind}>{words.goesWith[kind](data[kind])}</li>
            ))}
          </ul>
        </>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button look="danger-solid" isBusy={isBusy} onClick={onConfirm}>
          {messages.form.delete}
        </Button>
      </div>
    </Dialog>
  );
}

export function CoursesAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const shared = messages.admin.lab;
  const session = useLogin().session ?? null;
  const role = staffRole(session);
  const changed = useCoursesChanged();
  const list = useList([...MANAGED_COURSES_KEY, language], SHAPE, readManagedCourses);
  const [deleting, setDeleting] = useState<ManagedCourseRow | null>(null);
  const [isOrdering, setOrdering] = useState(false);
  const publishing = useMutation({
    mutationFn: (course: ManagedCourseRow) => publishCourse(course.ID, !course.IsPublished),
    onSuccess: (course) => {
      toast('success', course.IsPublished ? words.publishedNow : words.unpublishedNow);
      return changed();
    },
  });
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
  const removing = useMutation({
    mutationFn: (course: ManagedCourseRow) => deleteCourse(course.ID),
    onSuccess: () => void toast('success', shared.deleted),
    onError: (error) => void toast('error', describeError(messages, error)),
    onSettled: () => {
      setDeleting(null);
      return changed();
    },
    meta: { isHandled: true },
  });
  const stateText = (course: ManagedCourseRow): string =>
    course.IsPublished ? shared.published : shared.draft;
  const visibilityText = (course: ManagedCourseRow): string =>
    [
      course.IsHidden ? words.hidden : words.visible,
      course.IsPrivate ? messages.course.private : '',
    ]
      .filter((text) => text !== '')
      .join(messages.common.dotSeparator);
  const modeText = (course: ManagedCourseRow): string => messages.course.modes[wayIn(course)];
  const ownerText = (course: ManagedCourseRow): string => course.Owner ?? messages.common.unknown;
  const roleText = (course: ManagedCourseRow): string =>
    course.MyRole === null ? messages.common.unknown : messages.course.roles[course.MyRole];
  const columns: [Column<ManagedCourseRow>, ...Column<ManagedCourseRow>[]] = [
    {
      key: 'name',
      title: shared.name,
      sort: 'title',
      cell: (course) => (
        <Link to={paths.admin.course(course.ID)} className="text-link">
          {course.Title}
        </Link>
      ),
      text: (course) => course.Title,
    },
    {
      key: 'state',
      title: shared.state,
      cell: (course) => (
        <span className="row">
          <span className={course.IsPublished ? 'dot dot-good' : 'dot'} aria-hidden="true" />
          {stateText(course)}
        </span>
      ),
      text: stateText,
    },
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
    { key: 'owner', title: shared.owner, cell: ownerText, text: ownerText },
    { key: 'role', title: words.myRole, isOptional: true, cell: roleText, text: roleText },
    {
      key: 'updated',
      title: shared.updated,
      sort: 'latest',
      isOptional: true,
      cell: (course) => formatMoment(course.UpdatedAt, language),
      text: (course) => course.UpdatedAt,
    },
  ];
  const rows = list.page?.List ?? [];
  const mayCreate = mayStaff(session, ['course.create']);
  const mayOrder = mayStaff(session, ['sequence.course']) && list.search.sort === 'sequence';
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <div className="row">
          {mayOrder && rows.length > 1 ? (
            <Button onClick={() => setOrdering(true)}>{shared.order}</Button>
          ) : null}
          {mayCreate ? (
            <ButtonLink look="primary" to={paths.admin.courseCreation}>
              {words.create}
            </ButtonLink>
          ) : null}
        </div>
      </div>
      <DataTable
        {...list}
        name="courses"
        label={words.title}
        to={paths.admin.courses}
        columns={columns}
        filters={[
          {
            name: 'relation',
            label: words.relation,
            options: RELATIONS.map((value) => ({ value, label: words.relations[value] })),
          },
          {
            name: 'state',
            label: shared.state,
            options: [
              { value: 'published', label: shared.published },
              { value: 'draft', label: shared.draft },
            ],
          },
          {
            name: 'waiting',
            label: words.applications,
            options: [{ value: 'true', label: words.waitingOnly }],
          },
        ]}
        keyOf={(course) => course.ID}
        nameOf={(course) => course.Title}
        searchLabel={words.search}
        emptyText={mayCreate ? words.empty : words.emptyAssistant}
        actions={(course) => (
          <>
            <Button
              isSmall
              isBusy={publishing.isPending && publishing.variables.ID === course.ID}
              onClick={() => publishing.mutate(course)}
            >
              {course.IsPublished ? shared.unpublish : shared.publish}
            </Button>
            {mayOwn(role, course.MyRole) ? (
              <>
                <Button
                  isSmall
                  isBusy={hiding.isPending && hiding.variables.ID === course.ID}
                  onClick={() => hiding.mutate(course)}
                >
                  {course.IsHidden ? words.show : words.hide}
                </Button>
                <Button isSmall look="danger" onClick={() => setDeleting(course)}>
                  {messages.form.delete}
                </Button>
              </>
            ) : null}
          </>
        )}
      />
      {deleting ? (
        <DeleteDialog
          course={deleting}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
      {isOrdering ? (
        <OrderDialog
          title={shared.order}
          text={shared.orderText}
          items={rows}
          keyOf={(course) => course.ID}
          nameOf={(course) => course.Title}
          save={orderCourses}
          onSaved={() => {
            setOrdering(false);
            toast('success', shared.orderSaved);
            void changed();
          }}
          onClose={() => setOrdering(false)}
        />
      ) : null}
    </>
  );
}
