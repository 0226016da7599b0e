/** Columns that the staff's lists of catalogue items have in common. */
import type { Language } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../../../kernel/format.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';

/** What every staff's list tells of an item. */
export interface ManagedItem {
  readonly ID: number;
  readonly Title: string;
  readonly IsPublished: boolean;
  readonly UpdatedAt: string;
}

/** The title as a link to the page on which the item is worked on. */
export const nameColumn = <Row extends ManagedItem>(
  { admin: { lab: words } }: Catalogue,
  to: (row: Row) => string,
): Column<Row> => ({
  key: 'name',
  title: words.name,
  sort: 'title',
  cell: (row) => (
    <Link to={to(row)} className="text-link">
      {row.Title}
    </Link>
  ),
  text: (row) => row.Title,
});

/** Published or draft. */
export function stateColumn<Row extends ManagedItem>({
  admin: { lab: words },
}: Catalogue): Column<Row> {
  const text = (row: Row): string => (row.IsPublished ? words.published : words.draft);
  return {
    key: 'state',
    title: words.state,
    cell: (row) => (
      <span className="row">
        <span className={row.IsPublished ? 'dot dot-good' : 'dot'} aria-hidden="true" />
        {text(row)}
      </span>
    ),
    text,
  };
}

/** Who made it; what came with the platform says so. */
export function ownerColumn<
  Row extends { readonly Owner: string | null; readonly IsBuiltIn?: boolean },
>({ admin: { lab: words }, common }: Catalogue): Column<Row> {
  const text = (row: Row): string =>
    row.IsBuiltIn === true ? words.builtIn : (row.Owner ?? common.unknown);
  return { key: 'owner', title: words.owner, cell: text, text };
}

/** When it was last changed. */
export const updatedColumn = <Row extends ManagedItem>(
  { admin: { lab: words } }: Catalogue,
  language: Language,
): Column<Row> => ({
  key: 'updated',
  title: words.updated,
  sort: 'latest',
  isOptional: true,
  cell: (row) => formatMoment(row.UpdatedAt, language),
  text: (row) => row.UpdatedAt,
});
