/** What staff did: who, when, from where, and what changed. */
import type { AuditRecord } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column, type Filter } from '../../ui/table/DataTable.tsx';
import { queryOfList, type ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { AuditDialog } from './AuditDialog.tsx';
import { AUDIT_KEY, PERIODS, auditPersonsQuery, exportAddress, readAudit } from './audit.api.ts';
import { useAuditWords } from './words.ts';

export function AuditPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.audit;
  const { actionText, kindText, outcomeText, thingsText } = useAuditWords();
  const persons = useQuery(auditPersonsQuery);
  const known = persons.data?.List ?? [];
  const kinds = persons.data?.Kinds ?? [];
  const shape: ListShape = {
    sorts: ['latest', 'oldest'],
    filters: {
      person: known.map(({ ID }) => String(ID)),
      kind: kinds.length === 0 ? [''] : kinds,
      outcome: ['done', 'refused'],
      period: PERIODS,
    },
  };
  const list = useList(
    AUDIT_KEY,
    known.length === 0 ? { ...shape, filters: { ...shape.filters, person: [''] } } : shape,
    readAudit,
  );
  const [open, setOpen] = useState<AuditRecord | null>(null);
  const columns: [Column<AuditRecord>, ...Column<AuditRecord>[]] = [
    {
      key: 'at',
      title: words.at,
      sort: 'latest',
      cell: (row) => formatMoment(row.At, language),
    },
    {
      key: 'person',
      title: words.person,
      cell: (row) => (
        <>
          {row.Person.Nickname} <span className="muted">{row.Person.Username}</span>
        </>
      ),
    },
    {
      key: 'action',
      title: words.action,
      cell: (row) => (
        <>
          {actionText(row)} <span className="muted mono">{row.Action}</span>
        </>
      ),
    },
    { key: 'things', title: words.things, cell: thingsText },
    {
      key: 'outcome',
      title: words.outcome,
      cell: (row) => (
        <span className="row">
          <span className={row.Code === null ? 'dot dot-good' : 'dot dot-bad'} aria-hidden="true" />
          {outcomeText(row)}
        </span>
      ),
    },
    {
      key: 'role',
      title: words.role,
      isOptional: true,
      cell: (row) => messages.userAdmin.roles[row.Role],
    },
    {
      key: 'address',
      title: words.address,
      cell: (row) => <span className="mono">{row.Address}</span>,
    },
  ];
  const filters: Filter[] = [
    ...(known.length === 0
      ? []
      : [
          {
            name: 'person',
            label: words.person,
            options: known.map(({ ID, Nickname, Username }) => ({
              value: String(ID),
              label: `${Nickname} (${Username})`,
            })),
          },
        ]),
    ...(kinds.length === 0
      ? []
      : [
          {
            name: 'kind',
            label: words.kind,
            options: kinds.map((kind) => ({ value: kind, label: kindText(kind) })),
          },
        ]),
    {
      name: 'outcome',
      label: words.outcome,
      options: [
        { value: 'done', label: words.done },
        { value: 'refused', label: words.refused },
      ],
    },
    {
      name: 'period',
      label: words.period,
      options: PERIODS.map((period) => ({ value: period, label: words.periods[period] })),
    },
  ];
  const begin = (): void => {
    const link = document.createElement('a');
    link.href = exportAddress(queryOfList(list.search));
    link.download = 'audit.xlsx';
    link.click();
  };
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
      </div>
      <DataTable
        {...list}
        name="audit"
        label={words.title}
        to={paths.admin.audit}
        columns={columns}
        filters={filters}
        keyOf={(row) => row.ID}
        nameOf={(row) => actionText(row)}
        searchLabel={words.search}
        emptyText={words.empty}
        onExport={begin}
        actions={(row) => (
          <Button
            isSmall
            look="quiet"
            aria-label={words.openNamed(`${actionText(row)} ${thingsText(row)}`.trim())}
            onClick={() => setOpen(row)}
          >
            {words.open}
          </Button>
        )}
      />
      {open ? <AuditDialog auditID={open.ID} onClose={() => setOpen(null)} /> : null}
    </>
  );
}
