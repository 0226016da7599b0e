/** Labs that staff may change, drafts included. */
import { LabType, type ManagedLabRow } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
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
import { DataTable, type Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { DependentList } from '../../admin/DependentList.tsx';
import { mayStaff } from '../../admin/role.ts';
import {
  MANAGED_LABS_KEY,
  deleteLab,
  duplicateLab,
  orderLabs,
  publishLab,
  readDependents,
  readManagedLabs,
} from './lab-admin.api.ts';

const TYPES = Object.values(LabType);
const SHAPE: ListShape = {
  sorts: ['sequence', 'latest', 'title', 'uses'],
  filters: { type: TYPES.map(String), state: ['published', 'draft'] },
};

function DeleteDialog({
  lab,
  isBusy,
  onConfirm,
  onClose,
}: {
  readonly lab: ManagedLabRow;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.admin.lab;
  const { data } = useQuery({
    queryKey: [...MANAGED_LABS_KEY, 'dependents', lab.ID],
    queryFn: ({ signal }) => readDependents(lab.ID, signal),
    meta: { isHandled: true },
  });
  return (
    <Dialog title={words.deleteTitle(lab.Title)} onClose={onClose}>
      <p>{words.deleteText}</p>
      {data && data.Total > 0 ? (
        <>
          <p>{words.dependents(data.Total)}</p>
          <DependentList dependents={data.List} />
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

export function LabsAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session } = useLogin();
  const list = useList([...MANAGED_LABS_KEY, language], SHAPE, readManagedLabs);
  const [deleting, setDeleting] = useState<ManagedLabRow | null>(null);
  const [isOrdering, setOrdering] = useState(false);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: MANAGED_LABS_KEY });
    void client.invalidateQueries({ queryKey: ['lab'] });
  };
  const publishing = useMutation({
    mutationFn: (lab: ManagedLabRow) => publishLab(lab.ID, !lab.IsPublished),
    onSuccess: (lab) => {
      toast('success', lab.IsPublished ? words.publishedNow : words.unpublishedNow);
      refresh();
    },
  });
  const duplicating = useMutation({
    mutationFn: (lab: ManagedLabRow) => duplicateLab(lab.ID),
    onSuccess: (lab) => {
      toast('success', words.duplicated);
      refresh();
      void navigate({ to: paths.admin.lab(lab.ID) });
    },
  });
  const removing = useMutation({
    mutationFn: (lab: ManagedLabRow) => deleteLab(lab.ID),
    onSuccess: () => {
      setDeleting(null);
      toast('success', words.deleted);
      refresh();
    },
    onError: (error) => {
      setDeleting(null);
      toast('error', describeError(messages, error));
    },
    meta: { isHandled: true },
  });
  const stateText = (lab: ManagedLabRow): string =>
    lab.IsPublished ? words.published : words.draft;
  const ownerText = (lab: ManagedLabRow): string =>
    lab.IsBuiltIn ? words.builtIn : (lab.Owner ?? messages.common.unknown);
  const columns: [Column<ManagedLabRow>, ...Column<ManagedLabRow>[]] = [
    {
      key: 'name',
      title: words.name,
      sort: 'title',
      cell: (lab) => (
        <Link to={paths.admin.lab(lab.ID)} className="text-link">
          {lab.Title}
        </Link>
      ),
      text: (lab) => lab.Title,
    },
    {
      key: 'type',
      title: words.type,
      cell: (lab) => messages.usage.types[lab.Type],
      text: (lab) => messages.usage.types[lab.Type],
    },
    {
      key: 'state',
      title: words.state,
      cell: (lab) => (
        <span className="row">
          <span className={lab.IsPublished ? 'dot dot-good' : 'dot'} aria-hidden="true" />
          {stateText(lab)}
        </span>
      ),
      text: stateText,
    },
    {
      key: 'tasks',
      title: words.tasks,
      isNumber: true,
      cell: (lab) => lab.TaskCount,
      text: (lab) => String(lab.TaskCount),
    },
    {
      key: 'resources',
      title: words.resources,
      isNumber: true,
      cell: (lab) => lab.ResourceCount,
      text: (lab) => String(lab.ResourceCount),
    },
    {
      key: 'uses',
      title: words.uses,
      isNumber: true,
      sort: 'uses',
      cell: (lab) => formatCount(lab.Uses),
      text: (lab) => String(lab.Uses),
    },
    { key: 'owner', title: words.owner, cell: ownerText, text: ownerText },
    {
      key: 'updated',
      title: words.updated,
      sort: 'latest',
      isOptional: true,
      cell: (lab) => formatMoment(lab.UpdatedAt, language),
      text: (lab) => lab.UpdatedAt,
    },
  ];
  const rows = list.page?.List ?? [];
  const mayOrder = mayStaff(session ?? null, ['sequence.lab']) && list.search.sort === 'sequence';
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <div className="row">
          {mayOrder && rows.length > 1 ? (
            <Button onClick={() => setOrdering(true)}>{words.order}</Button>
          ) : null}
          <ButtonLink look="primary" to={paths.admin.labCreation}>
            {words.create}
          </ButtonLink>
        </div>
      </div>
      <DataTable
        {...list}
        name="labs"
        label={words.title}
        to={paths.admin.labs}
        columns={columns}
        filters={[
          {
            name: 'type',
            label: words.type,
            options: TYPES.map((type) => ({
              value: String(type),
              label: messages.usage.types[type],
            })),
          },
          {
            name: 'state',
            label: words.state,
            options: [
              { value: 'published', label: words.published },
              { value: 'draft', label: words.draft },
            ],
          },
        ]}
        keyOf={(lab) => lab.ID}
        nameOf={(lab) => lab.Title}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(lab) => (
          <>
            <Button
              isSmall
              isBusy={publishing.isPending && publishing.variables.ID === lab.ID}
              onClick={() => publishing.mutate(lab)}
            >
              {lab.IsPublished ? words.unpublish : words.publish}
            </Button>
            <Button
              isSmall
              isBusy={duplicating.isPending && duplicating.variables.ID === lab.ID}
              onClick={() => duplicating.mutate(lab)}
            >
              {words.duplicate}
            </Button>
            <Button isSmall look="danger" onClick={() => setDeleting(lab)}>
              {messages.form.delete}
            </Button>
          </>
        )}
      />
      {deleting ? (
        <DeleteDialog
          lab={deleting}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
      {isOrdering ? (
        <OrderDialog
          title={words.order}
          text={words.orderText}
          items={rows}
          keyOf={(lab) => lab.ID}
          nameOf={(lab) => lab.Title}
          save={orderLabs}
          onSaved={() => {
            setOrdering(false);
            toast('success', words.orderSaved);
            refresh();
          }}
          onClose={() => setOrdering(false)}
        />
      ) : null}
    </>
  );
}
