/** Who is in a course and who applied, for those who work on it. */
import {
  MEMBER_COLUMNS,
  MEMBER_SORTS,
  type ManagedCourse,
  type ManagedMember,
  type MemberColumn,
} from '@hypercube/contract';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import { queryOfList, type ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { ExportDialog } from '../../user/ExportDialog.tsx';
import {
  MANAGED_COURSES_KEY,
  membersAddress,
  readMembers,
  removeMembers,
  reviewMembers,
  useCoursesChanged,
} from './course-admin.api.ts';
import { CourseFrame } from './CourseFrame.tsx';

const STATES = ['waiting', 'joined'] as const;
const SHAPE: ListShape = { sorts: MEMBER_SORTS, filters: { state: STATES } };
const USUAL: readonly MemberColumn[] = [
  'StudentID',
  'RealName',
  'Username',
  'Organisation',
  'Email',
  'State',
];

type Action = 'approve' | 'reject' | 'remove';
/** What is asked before it is done to some of them. */
interface Asked {
  readonly action: Action;
  readonly ids: readonly number[];
  readonly clear: () => void;
}

const idsIn = (rows: readonly ManagedMember[], state: ManagedMember['State']): number[] =>
  rows.filter((row) => row.State === state).map(({ ID }) => ID);

export const CourseMembersPage = (): ReactNode => (
  <CourseFrame tab="member">{(course) => <Members key={course.ID} course={course} />}</CourseFrame>
);

function Members({ course }: { readonly course: ManagedCourse }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin.member;
  const changed = useCoursesChanged();
  const list = useList(
    [...MANAGED_COURSES_KEY, 'members', course.ID],
    SHAPE,
    readMembers(course.ID),
  );
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isExporting, setExporting] = useState(false);
  const doing = useMutation({
    mutationFn: ({ action, ids }: Pick<Asked, 'action' | 'ids'>) =>
      action === 'remove'
        ? removeMembers(course.ID, ids)
        : reviewMembers(course.ID, [...ids], action === 'approve'),
    onSuccess: (count, { action }) => {
      const done = { approve: words.approved, reject: words.rejected, remove: words.removed };
      toast('success', done[action](count));
      asked?.clear();
    },
    onSettled: () => {
      setAsked(null);
      return changed();
    },
  });
  const ask = (action: Action, ids: readonly number[], clear = (): void => undefined): void =>
    setAsked({ action, ids, clear });
  const columns: [Column<ManagedMember>, ...Column<ManagedMember>[]] = [
    {
      key: 'name',
      title: words.columns.RealName,
      sort: 'name',
      cell: (row) => (
        <>
          {row.RealName ?? row.Nickname} <span className="muted">{row.Username}</span>
        </>
      ),
    },
    {
      key: 'student',
      title: words.columns.StudentID,
      sort: 'studentID',
      cell: (row) => row.StudentID,
    },
    { key: 'organisation', title: words.columns.Organisation, cell: (row) => row.Organisation },
    { key: 'email', title: words.columns.Email, isOptional: true, cell: (row) => row.Email },
    {
      key: 'state',
      title: words.columns.State,
      cell: (row) => (
        <span className="row">
          <span
            className={row.State === 'waiting' ? 'dot dot-warn' : 'dot dot-good'}
            aria-hidden="true"
          />
          {words.states[row.State]}
        </span>
      ),
    },
    {
      key: 'applied',
      title: words.columns.AppliedAt,
      sort: 'latest',
      cell: (row) => formatMoment(row.AppliedAt, language),
    },
    {
      key: 'joined',
      title: words.columns.JoinedAt,
      isOptional: true,
      cell: (row) =>
        row.JoinedAt === null ? messages.common.unknown : formatMoment(row.JoinedAt, language),
    },
  ];
  const confirmWords = {
    approve: { title: words.approveTitle, text: words.approveText, confirm: words.approve },
    reject: { title: words.rejectTitle, text: words.rejectText, confirm: words.reject },
    remove: { title: words.removeTitle, text: words.removeText, confirm: words.remove },
  };
  return (
    <>
      <DataTable
        {...list}
        name="course-members"
        label={messages.course.admin.members}
        to={paths.admin.course(course.ID, 'member')}
        columns={columns}
        filters={[
          {
            name: 'state',
            label: words.columns.State,
            options: STATES.map((value) => ({ value, label: words.states[value] })),
          },
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Nickname}
        searchLabel={words.search}
        emptyText={words.empty}
        onExport={() => setExporting(true)}
        bulk={(rows, clear) => {
          const waiting = idsIn(rows, 'waiting');
          const joined = idsIn(rows, 'joined');
          return (
            <>
              {waiting.length > 0 ? (
                <>
                  <Button isSmall onClick={() => ask('approve', waiting, clear)}>
                    {words.approveSome(waiting.length)}
                  </Button>
                  <Button isSmall look="danger" onClick={() => ask('reject', waiting, clear)}>
                    {words.rejectSome(waiting.length)}
                  </Button>
                </>
              ) : null}
              {joined.length > 0 ? (
                <Button isSmall look="danger" onClick={() => ask('remove', joined, clear)}>
                  {words.removeSome(joined.length)}
                </Button>
              ) : null}
            </>
          );
        }}
        actions={(row) =>
          row.State === 'waiting' ? (
            <>
              <Button
                isSmall
                aria-label={words.approveNamed(row.Nickname)}
                isBusy={doing.isPending && doing.variables.ids.includes(row.ID)}
                onClick={() => doing.mutate({ action: 'approve', ids: [row.ID] })}
              >
                {words.approve}
              </Button>
              <Button
                isSmall
                look="danger"
                aria-label={words.rejectNamed(row.Nickname)}
                onClick={() => ask('reject', [row.ID])}
              >
                {words.reject}
              </Button>
            </>
          ) : (
            <Button
              isSmall
              look="danger"
              aria-label={words.removeNamed(row.Nickname)}
              onClick={() => ask('remove', [row.ID])}
            >
              {words.remove}
            </Button>
          )
        }
      />
      {asked ? (
        <ConfirmDialog
          title={confirmWords[asked.action].title(asked.ids.length)}
          text={confirmWords[asked.action].text}
          confirm={confirmWords[asked.action].confirm}
          isBusy={doing.isPending}
          onConfirm={() => doing.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {isExporting ? (
        <ExportDialog
          title={words.exportTitle}
          text={words.exportText(list.page?.Total ?? 0)}
          columns={MEMBER_COLUMNS}
          usual={USUAL}
          labels={words.columns}
          file="members.xlsx"
          addressOf={(chosen) => membersAddress(course.ID, queryOfList(list.search), chosen)}
          onClose={() => setExporting(false)}
        />
      ) : null}
    </>
  );
}
