/** Every suggestion, for those who answer them. */
import { SuggestionStatus, type Suggestion } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { DataTable, type Column, type Filter } from '../../ui/table/DataTable.tsx';
import type { ListShape } from '../../ui/table/list-search.ts';
import { useList } from '../../ui/table/use-list.ts';
import { StatusBadge } from './StatusBadge.tsx';
import { SUGGESTION_KEY, readManagedSuggestions } from './suggestion.api.ts';

const STATUSES = Object.values(SuggestionStatus);
const SHAPE: ListShape = {
  sorts: ['latest', 'oldest', 'replies'],
  filters: { status: STATUSES.map(String) },
};

export function SuggestionsAdminPage(): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.suggestion;
  const list = useList([...SUGGESTION_KEY, 'managed'], SHAPE, readManagedSuggestions);
  const authorOf = (row: Suggestion): string => row.Author?.Nickname ?? words.formerUser;
  const columns: [Column<Suggestion>, ...Column<Suggestion>[]] = [
    {
      key: 'title',
      title: words.admin.columns.title,
      cell: (row) => (
        <Link to={paths.admin.suggestion(row.ID)} className="text-link">
          {row.Title}
        </Link>
      ),
      text: (row) => row.Title,
    },
    { key: 'author', title: words.admin.columns.author, cell: authorOf, text: authorOf },
    {
      key: 'status',
      title: words.admin.columns.status,
      cell: (row) => <StatusBadge status={row.Status} />,
      text: (row) => words.statuses[row.Status],
    },
    {
      key: 'replies',
      title: words.admin.columns.replies,
      isNumber: true,
      sort: 'replies',
      cell: (row) => row.Replies,
      text: (row) => String(row.Replies),
    },
    {
      key: 'updated',
      title: words.admin.columns.updated,
      sort: 'latest',
      cell: (row) => formatMoment(row.UpdatedAt, language),
      text: (row) => row.UpdatedAt,
    },
    {
      key: 'public',
      title: words.admin.visible,
      isOptional: true,
      cell: (row) => (row.IsPublic ? words.admin.visible : words.isPrivate),
      text: (row) => String(row.IsPublic),
    },
  ];
  const filters: Filter[] = [
    {
      name: 'status',
      label: words.status,
      options: STATUSES.map((status) => ({
        value: String(status),
        label: words.statuses[status],
      })),
    },
  ];
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle name={words.admin.title}>{words.admin.title}</PageTitle>
          <p className="muted">{words.admin.lead}</p>
        </div>
      </div>
      <DataTable
        {...list}
        name="suggestions"
        label={words.list}
        to={paths.admin.suggestions}
        columns={columns}
        filters={filters}
        keyOf={(row) => row.ID}
        nameOf={(row) => row.Title}
        searchLabel={words.admin.search}
        emptyText={words.admin.empty}
      />
    </>
  );
}
