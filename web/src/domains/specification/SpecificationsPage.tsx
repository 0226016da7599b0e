/** Specifications: the list, and making a new one. */
import { SessionType, type Specification } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import {
  SPECIFICATIONS_KEY,
  createSpecification,
  deleteSpecification,
  readSpecifications,
} from './specification.api.ts';
import { SpecificationForm, type SpecificationValues } from './SpecificationForm.tsx';

const TYPES = Object.values(SessionType);
const SHAPE: ListShape = {
  sorts: ['latest', 'name'],
  filters: { imageType: TYPES.map(String), mine: ['true'] },
};

const EMPTY: SpecificationValues = {
  NameZh: '',
  NameEn: '',
  ImageType: String(SessionType.notebook),
  IsShared: true,
  Minutes: '60',
};

export function SpecificationsPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.specification;
  const client = useQueryClient();
  const navigate = useNavigate();
  const list = useList([...SPECIFICATIONS_KEY, language], SHAPE, readSpecifications);
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Specification | null>(null);
  const creating = useMutation({
    mutationFn: createSpecification,
    onSuccess: (made) => {
      setCreating(false);
      void client.invalidateQueries({ queryKey: SPECIFICATIONS_KEY });
      void navigate({ to: paths.admin.specification(made.ID) });
    },
    meta: { isHandled: true },
  });
  const removing = useMutation({
    mutationFn: (row: Specification) => deleteSpecification(row.ID),
    onSuccess: () => {
      toast('success', words.deleted);
      setDeleting(null);
      void client.invalidateQueries({ queryKey: SPECIFICATIONS_KEY });
    },
    onError: (error) => {
      setDeleting(null);
      toast('error', describeError(messages, error));
    },
    meta: { isHandled: true },
  });
  const nodesText = (row: Specification): string =>
    row.Nodes.length === 0
      ? words.noNodes
      : words.nodesText(
          row.Nodes.length,
          String(row.Nodes.reduce((sum, node) => sum + node.Cpus, 0)),
          formatBytes(row.Nodes.reduce((sum, node) => sum + node.MemoryBytes, 0)),
        );
  const ownerText = (row: Specification): string =>
    row.IsBuiltIn ? words.builtIn : (row.Owner ?? messages.common.unknown);
  const columns: [Column<Specification>, ...Column<Specification>[]] = [
    {
      key: 'name',
      title: words.name,
      sort: 'name',
      cell: (row) => (
        <Link to={paths.admin.specification(row.ID)} className="text-link">
          {row.Name}
        </Link>
      ),
      text: (row) => row.Name,
    },
    {
      key: 'type',
      title: words.imageType,
      cell: (row) => messages.usage.types[row.ImageType],
      text: (row) => messages.usage.types[row.ImageType],
    },
    { key: 'nodes', title: words.nodes, cell: nodesText, text: nodesText },
    {
      key: 'lifetime',
      title: words.lifetime,
      isNumber: true,
      cell: (row) => messages.common.minutes(Math.round(row.LifetimeSeconds / 60)),
      text: (row) => String(Math.round(row.LifetimeSeconds / 60)),
    },
    {
      key: 'shared',
      title: words.shared,
      cell: (row) => (row.IsShared ? words.isShared : words.isPrivate),
      text: (row) => (row.IsShared ? words.isShared : words.isPrivate),
    },
    { key: 'owner', title: words.owner, cell: ownerText, text: ownerText },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.title}>{words.title}</PageTitle>
          <p className="muted">{words.lead}</p>
        </div>
        <Button look="primary" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      </div>
      <DataTable
        {...list}
        name="specifications"
        label={words.title}
        to={paths.admin.specifications}
        columns={columns}
        filters={[
          {
            name: 'imageType',
            label: words.imageType,
            options: TYPES.map((type) => ({
              value: String(type),
              label: messages.usage.types[type],
            })),
          },
          {
            name: 'mine',
            label: words.owner,
            options: [{ value: 'true', label: words.isPrivate }],
          },
        ]}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Name}
        searchLabel={words.search}
        emptyText={words.empty}
        actions={(row) => (
          <>
            {row.Nodes.length > 0 ? (
              <ButtonLink isSmall to={paths.admin.specificationPreview(row.ID)}>
                {words.preview}
              </ButtonLink>
            ) : null}
            {row.MayEdit ? (
              <Button isSmall look="danger" onClick={() => setDeleting(row)}>
                {messages.form.delete}
              </Button>
            ) : null}
          </>
        )}
      />
      {isCreating ? (
        <Dialog title={words.create} isWide onClose={() => setCreating(false)}>
          <SpecificationForm
            draftKey="specification-new"
            saved={EMPTY}
            isNew
            isBusy={creating.isPending}
            failure={creating.error}
            onSave={(body, forget) => creating.mutate(body, { onSuccess: forget })}
          />
        </Dialog>
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={words.deleteTitle(deleting.Name)}
          text={words.deleteText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </>
  );
}
