/** Software that staff may change, drafts included. */
import { SoftwareType, type ManagedSoftwareRow } from '@hypercube/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount } from '../../../kernel/format.ts';
import { useLanguage } from '../../../kernel/language.tsx';
import { paths } from '../../../kernel/paths.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';
import type { ListShape } from '../../../ui/table/list-search.ts';
import { useList } from '../../../ui/table/use-list.ts';
import { ItemsAdmin } from '../../catalogue/admin/ItemsAdmin.tsx';
import {
  nameColumn,
  ownerColumn,
  stateColumn,
  updatedColumn,
} from '../../catalogue/admin/columns.tsx';
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
  const list = useList([...MANAGED_SOFTWARE_KEY, language], SHAPE, readManagedSoftware);
  const typeText = (row: ManagedSoftwareRow): string =>
    row.Type === SoftwareType.cnGrid ? messages.common.unknown : messages.usage.types[row.Type];
  const columns: [Column<ManagedSoftwareRow>, ...Column<ManagedSoftwareRow>[]] = [
    nameColumn(messages, (row) => paths.admin.softwareInfo(row.ID)),
    { key: 'type', title: shared.type, cell: typeText, text: typeText },
    stateColumn(messages),
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
    ownerColumn(messages),
    updatedColumn(messages, language),
  ];
  return (
    <ItemsAdmin
      name="software"
      to={paths.admin.software}
      words={words}
      emptyText={words.empty}
      list={list}
      columns={columns}
      before={[
        {
          name: 'type',
          label: shared.type,
          options: TYPES.map((type) => ({
            value: String(type),
            label: messages.usage.types[type],
          })),
        },
      ]}
      creation={paths.admin.softwareCreation}
      removing={{ remove: (row) => deleteSoftware(row.ID), text: words.deleteText }}
      ordering={{ need: ['sequence.software'], save: orderSoftware }}
      onChanged={async () => {
        void client.invalidateQueries({ queryKey: ['software'] });
        await client.invalidateQueries({ queryKey: MANAGED_SOFTWARE_KEY });
      }}
    />
  );
}
