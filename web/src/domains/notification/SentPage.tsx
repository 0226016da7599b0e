/** What staff sent and will send, and the dialog in which they write it. */
import {
  ROLES,
  TEXT_LIMITS,
  COUNT_LIMITS,
  type Role,
  type SentNotification,
} from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { formatCount, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { AreaField, CheckField, LineField, SelectField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { DataTable, type Column, type Filter } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { choosableCoursesQuery } from '../course/admin/course-admin.api.ts';
import { SENT_KEY, cancelNotification, readSent, sendNotification } from './notification.api.ts';

const STATES = ['sent', 'scheduled'] as const;
const AUDIENCES = ['all', 'role', 'users', 'course'] as const;
/** Roles to which one can send: everybody has the others or nobody holds them as such. */
const SENDABLE = ROLES.filter((role) => role !== 'anonymous');

const SHAPE: ListShape = { sorts: ['latest', 'oldest'], filters: { state: STATES } };

/** Names in a text, by spaces, commas and new lines. */
export const namesIn = (text: string): string[] =>
  text.split(/[\s,;\uFF0C\uFF1B\u3001]+/).filter(Boolean);

interface Draft {
  readonly titleZh: string;
  readonly titleEn: string;
  readonly contentZh: string;
  readonly contentEn: string;
  readonly audience: (typeof AUDIENCES)[number];
  readonly role: Role;
  readonly names: string;
  readonly path: string;
  readonly isLater: boolean;
  /** As the browser's field has it: local time without a zone. */
  readonly sendAt: string;
}

const EMPTY: Draft = {
  titleZh: '',
  titleEn: '',
  contentZh: '',
  contentEn: '',
  audience: 'all',
  role: 'student',
  names: '',
  path: '',
  isLater: false,
  sendAt: '',
};

/** One of the courses, found by a part of its title. */
function CourseField({
  value,
  error,
  onChange,
}: {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.notification.admin;
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<{ ID: number; Title: string } | null>(null);
  const courses = useQuery(choosableCoursesQuery(useDeferredValue(keyword.trim()), language));
  const found = courses.data?.List ?? [];
  // What was chosen stays, whatever is looked for afterwards.
  const options =
    chosen === null || found.some(({ ID }) => ID === chosen.ID) ? found : [chosen, ...found];
  return (
    <div className="form-grid">
      <TextField
        label={words.findCourse}
        type="search"
        value={keyword}
        maxLength={TEXT_LIMITS.keyword}
        onChange={(event) => setKeyword(event.target.value)}
      />
      <SelectField
        label={words.course}
        hint={words.courseHint}
        value={value}
        empty={messages.form.choose}
        options={options.map(({ ID, Title }) => ({ value: String(ID), label: Title }))}
        error={error}
        onChange={(next) => {
          setChosen(options.find(({ ID }) => String(ID) === next) ?? null);
          onChange(next);
        }}
      />
    </div>
  );
}

function SendDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.notification.admin;
  const { values: draft = EMPTY, change, forget } = useDraft<Draft>('notification.send', EMPTY);
  /** Id of the course; empty until one is chosen. */
  const [course, setCourse] = useState('');
  const [openedAt] = useState(() => Date.now());
  const sending = useMutation({
    mutationFn: () =>
      sendNotification({
        TitleZh: draft.titleZh,
        TitleEn: draft.titleEn,
        ContentZh: draft.contentZh,
        ContentEn: draft.contentEn,
        Audience: draft.audience,
        ...(draft.audience === 'role' ? { Role: draft.role } : {}),
        ...(draft.audience === 'users' ? { Names: namesIn(draft.names) } : {}),
        ...(draft.audience === 'course' ? { CourseID: Number(course) } : {}),
        ...(draft.path.trim() === '' ? {} : { Path: draft.path.trim() }),
        ...(draft.isLater ? { SendAt: new Date(draft.sendAt).toISOString() } : {}),
      }),
    onSuccess: (sent) => {
      forget();
      toast('success', sent.IsSent ? words.sent(sent.Recipients) : words.scheduled);
      onDone();
    },
    meta: { isHandled: true },
  });
  const path = draft.path.trim();
  const names = namesIn(draft.names);
  const moment = Date.parse(draft.sendAt);
  const errors: Record<string, string> = {
    ...(draft.titleZh.trim() === '' ? { titleZh: messages.form.required(words.titleZh) } : {}),
    ...(draft.contentZh.trim() === ''
      ? { contentZh: messages.form.required(words.contentZh) }
      : {}),
    ...(draft.audience === 'users' &&
    (names.length === 0 || names.length > COUNT_LIMITS.namedRecipients)
      ? { names: messages.form.required(words.names) }
      : {}),
    ...(draft.audience === 'course' && course === ''
      ? { course: messages.form.required(words.course) }
      : {}),
    ...(path !== '' && !/^\/(?![/\\])[^\s\\]{0,299}$/.test(path) ? { path: words.pathWrong } : {}),
    ...(draft.isLater && !(moment > openedAt) ? { sendAt: words.sendAtPast } : {}),
  };
  return (
    <Dialog title={words.sendTitle} isWide onClose={onClose}>
      <Form
        label={words.sendTitle}
        errors={errors}
        failure={sending.error}
        isBusy={sending.isPending}
        isDirty={false}
        submit={words.confirm}
        onSubmit={() => sending.mutate()}
      >
        <Segments
          label={words.audience}
          value={draft.audience}
          options={AUDIENCES.map((value) => ({ value, label: words.audiences[value] }))}
          onChange={(audience) => change({ audience })}
        />
        {draft.audience === 'role' ? (
          <SelectField
            label={words.role}
            value={draft.role}
            options={SENDABLE.map((role) => ({ value: role, label: words.roles[role] }))}
            onChange={(value) =>
              change({ role: ROLES.find((role) => role === value) ?? 'student' })
            }
          />
        ) : null}
        {draft.audience === 'users' ? (
          <AreaField
            label={words.names}
            hint={words.namesHint}
            value={draft.names}
            max={50_000}
            error={errors['names']}
            onChange={(value) => change({ names: value })}
          />
        ) : null}
        {draft.audience === 'course' ? (
          <CourseField value={course} error={errors['course']} onChange={setCourse} />
        ) : null}
        <LineField
          label={words.titleZh}
          value={draft.titleZh}
          max={TEXT_LIMITS.notificationTitle}
          isRequired
          error={errors['titleZh']}
          onChange={(titleZh) => change({ titleZh })}
        />
        <AreaField
          label={words.contentZh}
          value={draft.contentZh}
          max={TEXT_LIMITS.notificationContent}
          isRequired
          error={errors['contentZh']}
          onChange={(contentZh) => change({ contentZh })}
        />
        <LineField
          label={words.titleEn}
          hint={words.englishHint}
          value={draft.titleEn}
          max={TEXT_LIMITS.notificationTitle}
          onChange={(titleEn) => change({ titleEn })}
        />
        <AreaField
          label={words.contentEn}
          value={draft.contentEn}
          max={TEXT_LIMITS.notificationContent}
          onChange={(contentEn) => change({ contentEn })}
        />
        <TextField
          label={words.path}
          hint={words.pathHint}
          value={draft.path}
          error={errors['path'] ?? null}
          onChange={(event) => change({ path: event.target.value })}
        />
        <CheckField
          label={words.later}
          isOn={draft.isLater}
          onChange={(isLater) => change({ isLater })}
        />
        {draft.isLater ? (
          <TextField
            label={words.sendAt}
            type="datetime-local"
            value={draft.sendAt}
            error={errors['sendAt'] ?? null}
            onChange={(event) => change({ sendAt: event.target.value })}
          />
        ) : null}
      </Form>
    </Dialog>
  );
}

export function SentPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.notification.admin;
  const client = useQueryClient();
  const list = useList([...SENT_KEY, language], SHAPE, readSent);
  const [isSending, setSending] = useState(false);
  const [cancelled, setCancelled] = useState<SentNotification | null>(null);
  const refresh = (): void => void client.invalidateQueries({ queryKey: SENT_KEY });
  const cancelling = useMutation({
    mutationFn: (row: SentNotification) => cancelNotification(row.ID),
    onSuccess: (_answer, row) => {
      toast('success', row.IsSent ? words.takenBack : words.cancelled);
      setCancelled(null);
      refresh();
    },
  });
  const titleOf = (row: SentNotification): string =>
    (language === 'en-US' && row.TitleEn) || row.TitleZh;
  const audienceOf = (row: SentNotification): string => {
    if (row.Audience === 'role' && row.Role) return words.roles[row.Role];
    if (row.Audience === 'course' && row.Course !== null) return words.toCourse(row.Course);
    return words.audiences[row.Audience];
  };
  const stateOf = (row: SentNotification): string =>
    words.states[row.IsSent ? 'sent' : 'scheduled'];
  const columns: [Column<SentNotification>, ...Column<SentNotification>[]] = [
    { key: 'title', title: words.columns.title, cell: titleOf, text: titleOf },
    { key: 'audience', title: words.columns.audience, cell: audienceOf, text: audienceOf },
    { key: 'state', title: words.columns.state, cell: stateOf, text: stateOf },
    {
      key: 'sendAt',
      title: words.columns.sendAt,
      sort: 'latest',
      cell: (row) => formatMoment(row.SendAt, language),
      text: (row) => row.SendAt,
    },
    {
      key: 'read',
      title: words.columns.read,
      isNumber: true,
      // For how many it will be is known when it goes out.
      cell: (row) =>
        row.IsSent
          ? words.readOf(formatCount(row.Read), formatCount(row.Recipients))
          : messages.common.unknown,
      text: (row) => (row.IsSent ? `${row.Read}/${row.Recipients}` : ''),
    },
    {
      key: 'sender',
      title: words.columns.sender,
      isOptional: true,
      cell: (row) => row.Sender ?? messages.common.unknown,
      text: (row) => row.Sender ?? '',
    },
  ];
  const filters: Filter[] = [
    {
      name: 'state',
      label: words.columns.state,
      options: STATES.map((value) => ({ value, label: words.states[value] })),
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <Button look="primary" onClick={() => setSending(true)}>
          {words.send}
        </Button>
      </div>
      <DataTable
        {...list}
        name="notifications"
        label={words.list}
        to={paths.admin.notifications}
        columns={columns}
        filters={filters}
        keyOf={(row) => row.ID}
        nameOf={titleOf}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(row) => (
          <Button isSmall look="danger" onClick={() => setCancelled(row)}>
            {row.IsSent ? words.takeBack : words.cancel}
          </Button>
        )}
      />
      {isSending ? (
        <SendDialog
          onDone={() => {
            setSending(false);
            refresh();
          }}
          onClose={() => setSending(false)}
        />
      ) : null}
      {cancelled ? (
        <ConfirmDialog
          title={
            cancelled.IsSent
              ? words.takeBackTitle(titleOf(cancelled))
              : words.cancelTitle(titleOf(cancelled))
          }
          text={cancelled.IsSent ? words.takeBackText : words.cancelText}
          confirm={cancelled.IsSent ? words.takeBack : words.cancel}
          isBusy={cancelling.isPending}
          onConfirm={() => cancelling.mutate(cancelled)}
          onClose={() => setCancelled(null)}
        />
      ) : null}
    </>
  );
}
