/** Applications at the centres that whoever acts looks after. */
import { RESOURCE_SORTS, ResourceApplyStatus, type ManagedResourceRow } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { paths } from '../../../kernel/paths.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DataTable, type Column, type Filter } from '../../../ui/table/DataTable.tsx';
import { queryOfList, type ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { staffRole } from '../../admin/role.ts';
import {
  RESOURCE_KEY,
  exportAddress,
  readManagedResources,
  resourceCentresQuery,
} from '../resource.api.ts';
import { stateOf } from '../resource.ts';
import { formatHours } from '../ResourceFacts.tsx';
import { StateBadge } from '../StateBadge.tsx';
import '../resource.css';

const STATUSES = Object.values(ResourceApplyStatus);
const SHAPE: ListShape = {
  sorts: RESOURCE_SORTS,
  filters: { status: STATUSES.map(String), centre: [] },
};

export function ResourcesAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const role = staffRole(useLogin().session ?? null);
  const list = useList([...RESOURCE_KEY, 'managed', role, language], SHAPE, readManagedResources);
  const known = useQuery(resourceCentresQuery(language, role));
  const centres = known.data?.filter(({ IsManaged }) => IsManaged);
  const columns: [Column<ManagedResourceRow>, ...Column<ManagedResourceRow>[]] = [
    {
      key: 'project',
      title: words.project,
      cell: (row) => (
        <Link to={paths.admin.resource(row.ID, stateOf(row.Status))} className="text-link">
          {row.Project}
        </Link>
      ),
    },
    {
      key: 'applicant',
      title: words.applicant,
      cell: (row) => (
        <>
          {row.ApplicantName} <span className="muted">{row.Username}</span>
        </>
      ),
    },
    { key: 'organisation', title: words.organisation, cell: (row) => row.Organisation },
    { key: 'email', title: words.email, isOptional: true, cell: (row) => row.Email },
    { key: 'phone', title: words.phone, isOptional: true, cell: (row) => row.Phone },
    { key: 'centre', title: words.centre, cell: (row) => row.Centre.Name },
    {
      key: 'hours',
      title: words.cpuHours,
      sort: 'hours',
      isNumber: true,
      cell: (row) => formatHours(row.CpuHours),
    },
    {
      key: 'software',
      title: words.software,
      isOptional: true,
      cell: (row) => row.Software?.Title ?? words.noSoftware,
    },
    {
      key: 'status',
      title: words.status,
      cell: (row) => <StateBadge status={row.Status} words={words.adminStatuses} />,
    },
    {
      key: 'created',
      title: words.createdAt,
      sort: 'latest',
      cell: (row) => formatMoment(row.CreatedAt, language),
    },
  ];
  const filters: Filter[] = [
    {
      name: 'status',
      label: words.status,
      options: STATUSES.map((status) => ({
        value: String(status),
        label: words.adminStatuses[stateOf(status)],
      })),
    },
    ...(centres === undefined || centres.length < 2
      ? []
      : [
          {
            name: 'centre',
            label: words.centre,
            options: centres.map(({ ID, Name }) => ({ value: String(ID), label: Name })),
          },
        ]),
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.adminTitle}>{words.adminTitle}</PageTitle>
          <p className="muted">{words.adminLead}</p>
        </div>
      </div>
      {centres?.length === 0 && role !== 'admin' ? (
        <div className="card">
          <EmptyState title={words.noScopeTitle} text={words.noScopeText} />
        </div>
      ) : (
        <DataTable
          {...list}
          name="resources"
          label={words.adminTitle}
          to={paths.admin.resources}
          columns={columns}
          filters={filters}
          keyOf={(row) => row.ID}
          nameOf={(row) => row.Project}
          searchLabel={words.adminSearch}
          emptyText={words.adminEmpty}
          onExport={() => {
            const link = document.createElement('a');
            link.href = exportAddress(queryOfList(list.search));
            link.download = 'applications.xlsx';
            link.click();
          }}
          actions={(row) => {
            const isPending = row.Status === ResourceApplyStatus.pending;
            return (
              <ButtonLink
                isSmall
                look="quiet"
                to={paths.admin.resource(row.ID, stateOf(row.Status))}
                aria-label={
                  isPending ? words.reviewNamed(row.Project) : words.openNamed(row.Project)
                }
              >
                {isPending ? words.review : words.open}
              </ButtonLink>
            );
          }}
        />
      )}
    </>
  );
}
