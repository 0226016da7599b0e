/** Accounts: the list, and the ways to roles, applications, class lists and exports. */
import {
  ROLES,
  TeacherApplyStatus,
  USER_COLUMNS,
  USER_SORTS,
  UserType,
  type ManagedUser,
  type UserColumn,
} from '@hypercube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatDay, formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column, type Filter } from '../../ui/table/DataTable.tsx';
import { queryOfList, type ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { CentresDialog } from './CentresDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { UserDialog } from './UserDialog.tsx';
import { USERS_KEY, exportAddress, readUsers } from './user.api.ts';
import './user.css';

/** The roles by which the list is filtered: everybody is an anonymous visitor at first. */
const HELD = ROLES.filter((role) => role !== 'anonymous');

const SHAPE: ListShape = {
  sorts: USER_SORTS,
  filters: {
    type: Object.values(UserType).map(String),
    holds: HELD,
    unapproved: ['true'],
    organisation: [],
    active: ['active', 'disabled'],
  },
};

const USUAL_COLUMNS: readonly UserColumn[] = [
  'Username',
  'Nickname',
  'RealName',
  'Email',
  'Organisation',
  'StudentID',
  'Type',
  'Roles',
];

type Open =
  | { readonly kind: 'user'; readonly user: ManagedUser; readonly isReview: boolean }
  | { readonly kind: 'export' | 'import' | 'centres' };

export function UsersPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.userAdmin;
  const client = useQueryClient();
  const list = useList([...USERS_KEY, language], SHAPE, readUsers);
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const refresh = (): void => void client.invalidateQueries({ queryKey: USERS_KEY });
  const rolesText = (row: ManagedUser): string =>
    row.Roles.map((role) => words.roles[role]).join(messages.common.dotSeparator);
  const centresText = (row: ManagedUser): string =>
    row.Centres.map(({ Name }) => Name).join(messages.common.dotSeparator);
  const seenText = (row: ManagedUser): string =>
    row.LastSeenAt === null ? messages.common.unknown : formatMoment(row.LastSeenAt, language);
  const columns: [Column<ManagedUser>, ...Column<ManagedUser>[]] = [
    {
      key: 'user',
      title: words.columns.Username,
      sort: 'username',
      cell: (row) => (
        <>
          {row.Nickname} <span className="muted">{row.Username}</span>
        </>
      ),
    },
    {
      key: 'name',
      title: words.columns.RealName,
      cell: (row) => <span className="user-long">{row.RealName}</span>,
    },
    { key: 'email', title: words.columns.Email, isOptional: true, cell: (row) => row.Email },
    {
      key: 'organisation',
      title: words.columns.Organisation,
      sort: 'organisation',
      cell: (row) => <span className="user-long">{row.Organisation}</span>,
    },
    {
      key: 'student',
      title: words.columns.StudentID,
      isOptional: true,
      cell: (row) => row.StudentID,
    },
    { key: 'type', title: words.columns.Type, cell: (row) => words.types[row.Type] },
    {
      key: 'roles',
      title: words.columns.Roles,
      cell: (row) => (
        <>
          {rolesText(row)}
          {row.Centres.length === 0 ? null : (
            <span className="muted user-centres">{centresText(row)}</span>
          )}
        </>
      ),
    },
    {
      key: 'status',
      title: words.columns.Status,
      cell: (row) => (
        <span className="row">
          {row.Status === TeacherApplyStatus.waiting ? (
            <span className="dot dot-warn" aria-hidden="true" />
          ) : null}
          {words.statuses[row.Status]}
        </span>
      ),
    },
    {
      key: 'state',
      title: words.columns.State,
      cell: (row) => (
        <span className="row">
          <span className={row.IsDisabled ? 'dot dot-bad' : 'dot dot-good'} aria-hidden="true" />
          {row.IsDisabled ? words.disabled : words.active}
        </span>
      ),
    },
    {
      key: 'created',
      title: words.columns.CreatedAt,
      sort: 'latest',
      cell: (row) => formatDay(row.CreatedAt, language),
    },
    {
      key: 'seen',
      title: words.columns.LastSeenAt,
      sort: 'seen',
      isOptional: true,
      cell: seenText,
    },
  ];
  const filters: Filter[] = [
    {
      name: 'type',
      label: words.columns.Type,
      options: Object.values(UserType).map((type) => ({
        value: String(type),
        label: words.types[type],
      })),
    },
    {
      name: 'holds',
      label: words.columns.Roles,
      options: HELD.map((role) => ({ value: role, label: words.roles[role] })),
    },
    {
      name: 'unapproved',
      label: words.unapproved,
      options: [{ value: 'true', label: words.onlyUnapproved }],
    },
    { name: 'organisation', label: words.columns.Organisation, options: [] },
    {
      name: 'active',
      label: words.columns.State,
      options: [
        { value: 'active', label: words.active },
        { value: 'disabled', label: words.disabled },
      ],
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <div className="row">
          <Button onClick={() => setOpen({ kind: 'centres' })}>{words.manageCentres}</Button>
          <Button look="primary" onClick={() => setOpen({ kind: 'import' })}>
            {words.import}
          </Button>
        </div>
      </div>
      <DataTable
        {...list}
        name="users"
        label={words.title}
        to={paths.admin.users}
        columns={columns}
        filters={filters}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Nickname}
        searchLabel={words.search}
        emptyText={words.empty}
        onExport={() => setOpen({ kind: 'export' })}
        actions={(row) => (
          <>
            {row.Status === TeacherApplyStatus.waiting ? (
              <Button
                isSmall
                look="quiet"
                aria-label={words.reviewNamed(row.Nickname)}
                onClick={() => setOpen({ kind: 'user', user: row, isReview: true })}
              >
                {words.review}
              </Button>
            ) : null}
            <Button
              isSmall
              look="quiet"
              aria-label={words.actionsOf(row.Nickname)}
              onClick={() => setOpen({ kind: 'user', user: row, isReview: false })}
            >
              {words.actions}
            </Button>
          </>
        )}
      />
      {open?.kind === 'user' ? (
        <UserDialog user={open.user} isReview={open.isReview} onChanged={refresh} onClose={close} />
      ) : null}
      {open?.kind === 'export' ? (
        <ExportDialog
          title={words.exportTitle}
          text={words.exportText(list.page?.Total ?? 0)}
          columns={USER_COLUMNS}
          usual={USUAL_COLUMNS}
          labels={words.columns}
          file="users.xlsx"
          addressOf={(chosen) => exportAddress(queryOfList(list.search), chosen)}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'import' ? <ImportDialog onDone={refresh} onClose={close} /> : null}
      {open?.kind === 'centres' ? <CentresDialog onClose={close} /> : null}
    </>
  );
}
