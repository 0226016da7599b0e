/** Labs that staff may change, drafts included. */
import { LabType, type ManagedLabRow } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../../kernel/format.ts';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { DependentList } from '../../admin/DependentList.tsx';
import { ItemsAdmin } from '../../catalogue/admin/ItemsAdmin.tsx';
import {
  nameColumn,
  ownerColumn,
  stateColumn,
  updatedColumn,
} from '../../catalogue/admin/columns.tsx';
import {
  MANAGED_LABS_KEY,
  deleteLab,
  duplicateLab,
  orderLabs,
  publishLab,
  readDependents,
  readManagedLabs,
  useLabsChanged,
} from './lab-admin.api.ts';

const TYPES = Object.values(LabType);
const SHAPE: ListShape = {
  sorts: ['sequence', 'latest', 'title', 'uses'],
  filters: { type: TYPES.map(String), state: ['published', 'draft'] },
};

function Dependents({ labID }: { readonly labID: number }): ReactNode {
  const words = useMessages().admin.lab;
  const { data } = useQuery({
    queryKey: [...MANAGED_LABS_KEY, 'dependents', labID],
    queryFn: ({ signal }) => readDependents(labID, signal),
    meta: { isHandled: true },
  });
  if (data === undefined || data.Total === 0) return null;
  return (
    <>
      <p>{words.dependents(data.Total)}</p>
      <DependentList dependents={data.List} />
    </>
  );
}

export function LabsAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.admin.lab;
  const navigate = useNavigate();
  const changed = useLabsChanged();
  const list = useList([...MANAGED_LABS_KEY, language], SHAPE, readManagedLabs);
  const duplicating = useMutation({
    mutationFn: (lab: ManagedLabRow) => duplicateLab(lab.ID),
    onSuccess: (lab) => {
      toast('success', words.duplicated);
      void changed();
      void navigate({ to: paths.admin.lab(lab.ID) });
    },
  });
  const typeText = (lab: ManagedLabRow): string => messages.usage.types[lab.Type];
  const columns: [Column<ManagedLabRow>, ...Column<ManagedLabRow>[]] = [
    nameColumn(messages, (lab) => paths.admin.lab(lab.ID)),
    { key: 'type', title: words.type, cell: typeText, text: typeText },
    stateColumn(messages),
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
    ownerColumn(messages),
    updatedColumn(messages, language),
  ];
  return (
    <ItemsAdmin
      name="labs"
      to={paths.admin.labs}
      words={words}
      emptyText={words.empty}
      list={list}
      columns={columns}
      before={[
        {
          name: 'type',
          label: words.type,
          options: TYPES.map((type) => ({
            value: String(type),
            label: messages.usage.types[type],
          })),
        },
      ]}
      creation={paths.admin.labCreation}
      publishing={{
        publish: (lab, isPublished) => publishLab(lab.ID, isPublished),
        published: words.publishedNow,
        unpublished: words.unpublishedNow,
      }}
      removing={{
        remove: (lab) => deleteLab(lab.ID),
        text: words.deleteText,
        details: (lab) => <Dependents labID={lab.ID} />,
      }}
      ordering={{ need: ['sequence.lab'], save: orderLabs }}
      actions={(lab) => (
        <Button
          isSmall
          isBusy={duplicating.isPending && duplicating.variables.ID === lab.ID}
          onClick={() => duplicating.mutate(lab)}
        >
          {words.duplicate}
        </Button>
      )}
      onChanged={changed}
    />
  );
}
