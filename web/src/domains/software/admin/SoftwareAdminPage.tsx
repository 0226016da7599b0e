/** Software that staff may change, drafts included. */
import { SoftwareType, type ManagedSoftwareRow } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatCount, formatMoment } from '../../../kernel/format.ts';
import { describeError, useLanguage } from '../../../kernel/language.tsx';
import { useLogin } from '../../../kernel/login.ts';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { OrderDialog } from '../../../ui/Order.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { mayStaff } from '../../admin/role.ts';
import {
  MANAGED_SOFTWARE_KEY,
  deleteSoftware,
  orderSoftware,
  readManagedSoftware,
} from './software-admin.api.ts';

/** The kinds that have a page; the grid's kind comes with the grid. */
const TYPES = [SoftwareType.desktop, SoftwareType.notebook, SoftwareType.ide] as const;
const SHAPE: ListShape = {
  sorts: ['sequence', 'latest', 'title', 'uses'],
  filters: { type: TYPES.map(String), state: ['published', 'draft'] },
};

export function SoftwareAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.software;
  const shared = messages.admin.lab;
  const client = useQueryClient();
  const { session } = useLogin();
  const list = useList([...MANAGED_SOFTWARE_KEY, language], SHAPE, readManagedSoftware);
  const [deleting, setDeleting] = useState<ManagedSoftwareRow | null>(null);
  const [isOrdering, setOrdering] = useState(false);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: MANAGED_SOFTWARE_KEY });
    void client.invalidateQueries({ queryKey: ['software'] });
  };
  const removing = useMutation({
    mutationFn: (row: ManagedSoftwareRow) => deleteSoftware(row.ID),
    onSuccess: () => {
      toast('success', shared.deleted);
      refresh();
    },
    onError: (error) => void toast('error', describeError(messages, error)),
    onSettled: () => setDeleting(null),
    meta: { isHandled: true },
  });
  const typeText = (row: ManagedSoftwareRow): string =>
    row.Type === SoftwareType.cnGrid ? messages.common.unknown : messages.usage.types[row.Type];
  const stateText = (row: ManagedSoftwareRow): string =>
    row.IsPublished ? shared.published : shared.draft;
  const ownerText = (row: ManagedSoftwareRow): string =>
    row.IsBuiltIn ? shared.builtIn : (row.Owner ?? messages.common.unknown);
  const columns: [Column<ManagedSoftwareRow>, ...Column<ManagedSoftwareRow>[]] = [
    {
      key: 'name',
      title: shared.name,
      sort: 'title',
      cell: (row) => (
        <Link to={paths.admin.softwareInfo(row.ID)} className="text-link">
          {row.Title}
        </Link>
      ),
      text: (row) => row.Title,
    },
    { key: 'type', title: shared.type, cell: typeText, text: typeText },
    {
      key: 'state',
      title: shared.state,
      cell: (row) => (
        <span className="row">
          <span className={row.IsPublished ? 'dot dot-good' : 'dot'} aria-hidden="true" />
          {stateText(row)}
        </span>
      ),
      text: stateText,
    },
    {
      key: 'specification',
      title: shared.specification,
      cell: (row) => row.Specification,
      text: (row) => row.Specification,
    },
    {
      key: 'uses',
      title: shared.uses,
      isNumber: true,
      sort: 'uses',
      cell: (row) => formatCount(row.Uses),
      text: (row) => String(row.Uses),
    },
    { key: 'owner', title: shared.owner, cell: ownerText, text: ownerText },
    {
      key: 'updated',
      title: shared.updated,
      sort: 'latest',
      isOptional: true,
      cell: (row) => formatMoment(row.UpdatedAt, language),
      text: (row) => row.UpdatedAt,
    },
  ];
  const rows = list.page?.List ?? [];
  const mayOrder =
    mayStaff(session ?? null, ['sequence.software']) && list.search.sort === 'sequence';
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
          <ButtonLink look="primary" to={paths.admin.softwareCreation}>
            {words.create}
          </ButtonLink>
        </div>
      </div>
      <DataTable
        {...list}
        name="software"
        label={words.title}
        to={paths.admin.software}
        columns={columns}
        filters={[
          {
            name: 'type',
            label: shared.type,
            options: TYPES.map((type) => ({
              value: String(type),
              label: messages.usage.types[type],
            })),
          },
          {
            name: 'state',
            label: shared.state,
            options: [
              { value: 'published', label: shared.published },
              { value: 'draft', label: shared.draft },
            ],
          },
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(row) => (
          <Button isSmall look="danger" onClick={() => setDeleting(row)}>
            {messages.form.delete}
          </Button>
        )}
      />
      {deleting ? (
        <ConfirmDialog
          title={shared.deleteTitle(deleting.Title)}
          text={words.deleteText}
          confirm={messages.form.delete}
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
          keyOf={(row) => row.ID}
          nameOf={(row) => row.Title}
          save={orderSoftware}
          onSaved={() => {
            setOrdering(false);
            toast('success', shared.orderSaved);
            refresh();
          }}
          onClose={() => setOrdering(false)}
        />
      ) : null}
    </>
  );
}
