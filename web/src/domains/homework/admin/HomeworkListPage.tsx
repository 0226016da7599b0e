/** The homework of a course, for those who set and grade it. */
import type { ManagedCourse, ManagedHomeworkRow } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { CourseFrame } from '../../course/admin/CourseFrame.tsx';
import { isOverdue, pointsText } from '../homework.ts';
import {
  MANAGED_HOMEWORK_KEY,
  deleteHomework,
  homeworkDependentsQuery,
  publishHomework,
  readManagedHomeworkList,
  useManagedHomeworkChanged,
} from './homework-admin.api.ts';
import '../homework.css';

const SHAPE: ListShape = {
  sorts: ['due', 'latest', 'title', 'uncorrected'],
  filters: { state: ['published', 'draft'] },
};
/** What goes with a homework, in the order in which it is told. */
const GOES = ['Submissions', 'Scores', 'Files'] as const;

export const HomeworkListPage = (): ReactNode => (
  <CourseFrame tab="homework">
    {(course) => <HomeworkList key={course.ID} course={course} />}
  </CourseFrame>
);

function GoesWithIt({
  courseID,
  homeworkID,
}: {
  readonly courseID: number;
  readonly homeworkID: number;
}): ReactNode {
  const words = useMessages().homeworkAdmin;
  const { data, error, refetch } = useQuery(homeworkDependentsQuery(courseID, homeworkID));
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

function HomeworkList({ course }: { readonly course: ManagedCourse }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.homeworkAdmin;
  const changed = useManagedHomeworkChanged();
  const list = useList(
    [...MANAGED_HOMEWORK_KEY, 'list', course.ID, language],
    SHAPE,
    readManagedHomeworkList(course.ID),
  );
  const [deleting, setDeleting] = useState<ManagedHomeworkRow | null>(null);
  const publishing = useMutation({
    mutationFn: (row: ManagedHomeworkRow) => publishHomework(course.ID, row, !row.IsPublished),
    onSuccess: (row) =>
      void toast('success', row.IsPublished ? words.publishedNow : words.unpublishedNow),
    onSettled: changed,
  });
  const removing = useMutation({
    mutationFn: (row: ManagedHomeworkRow) => deleteHomework(course.ID, row.ID),
    onSuccess: () => void toast('success', words.deleted),
    onSettled: () => {
      setDeleting(null);
      return changed();
    },
  });
  const stateText = (row: ManagedHomeworkRow): string =>
    [
      row.IsPublished ? words.published : words.draft,
      row.OpenAt !== null && !isOverdue(row.OpenAt, Date.now())
        ? words.notOpen(formatMoment(row.OpenAt, language))
        : '',
    ]
      .filter((text) => text !== '')
      .join(messages.common.dotSeparator);
  const columns: [Column<ManagedHomeworkRow>, ...Column<ManagedHomeworkRow>[]] = [
    {
      key: 'title',
      title: words.name,
      sort: 'title',
      cell: (row) => (
        <Link to={paths.admin.homework(course.ID, row.ID)} className="text-link">
          {row.Title}
        </Link>
      ),
      text: (row) => row.Title,
    },
    {
      key: 'state',
      title: messages.homework.state,
      cell: (row) => (
        <span className="row">
          <span className={row.IsPublished ? 'dot dot-good' : 'dot'} aria-hidden="true" />
          {stateText(row)}
        </span>
      ),
      text: stateText,
    },
    {
      key: 'due',
      title: words.dueAt,
      sort: 'due',
      cell: (row) => formatMoment(row.DueAt, language),
      text: (row) => formatMoment(row.DueAt, language),
    },
    {
      key: 'submitted',
      title: words.submitted,
      isNumber: true,
      cell: (row) => messages.homework.scoreOf(String(row.Submitted), String(row.Members)),
      text: (row) => String(row.Submitted),
    },
    {
      key: 'uncorrected',
      title: words.uncorrected,
      isNumber: true,
      sort: 'uncorrected',
      cell: (row) =>
        row.Uncorrected === 0 ? (
          0
        ) : (
          <Link
            to={paths.admin.scores(course.ID, row.ID)}
            search={{ correction: '2' }}
            className="text-link"
          >
            {row.Uncorrected}
          </Link>
        ),
      text: (row) => String(row.Uncorrected),
    },
    {
      key: 'max',
      title: words.maxScore,
      isNumber: true,
      isOptional: true,
      cell: (row) => pointsText(row.MaxScore),
      text: (row) => pointsText(row.MaxScore),
    },
    {
      key: 'updated',
      title: messages.admin.lab.updated,
      sort: 'latest',
      isOptional: true,
      cell: (row) => formatMoment(row.UpdatedAt, language),
      text: (row) => formatMoment(row.UpdatedAt, language),
    },
  ];
  return (
    <>
      <div className="notice-bar">
        <p className="muted">{words.lead}</p>
        <ButtonLink look="primary" to={paths.admin.homeworkCreation(course.ID)}>
          {words.create}
        </ButtonLink>
      </div>
      <DataTable
        {...list}
        name="homework"
        label={messages.homework.list}
        to={paths.admin.course(course.ID, 'homework')}
        columns={columns}
        filters={[
          {
            name: 'state',
            label: messages.homework.state,
            options: [
              { value: 'published', label: words.published },
              { value: 'draft', label: words.draft },
            ],
          },
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.search}
        emptyText={words.listEmpty}
        actions={(row) => (
          <>
            <ButtonLink
              isSmall
              to={paths.admin.scores(course.ID, row.ID)}
              aria-label={words.scoresNamed(row.Title)}
            >
              {words.scores}
            </ButtonLink>
            <Button
              isSmall
              aria-label={
                row.IsPublished ? words.unpublishNamed(row.Title) : words.publishNamed(row.Title)
              }
              isBusy={publishing.isPending && publishing.variables.ID === row.ID}
              onClick={() => publishing.mutate(row)}
            >
              {row.IsPublished ? words.unpublish : words.publish}
            </Button>
            <Button
              isSmall
              look="danger"
              aria-label={words.deleteTitle(row.Title)}
              onClick={() => setDeleting(row)}
            >
              {messages.form.delete}
            </Button>
          </>
        )}
      />
      {deleting ? (
        <ConfirmDialog
          title={words.deleteTitle(deleting.Title)}
          text={words.deleteText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        >
          <GoesWithIt courseID={course.ID} homeworkID={deleting.ID} />
        </ConfirmDialog>
      ) : null}
    </>
  );
}
