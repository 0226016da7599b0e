/** Previous and next of a list, with the range and the total. */
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../kernel/language.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx';

interface PaginationProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** Nothing is on this page: what was there went, and the last page that there is stands in its place. */
  readonly isEmpty?: boolean;
  /** Path of the page that lists, and its search for a page number. */
  readonly to: string;
  readonly searchFor: (page: number) => Record<string, string>;
}

export function Pagination({
  page,
  pageSize,
  total,
  isEmpty = false,
  to,
  searchFor,
}: PaginationProps): ReactNode {
  const messages = useMessages();
  if (total === 0) return null;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (isEmpty && page > pages) return <Navigate to={to} search={searchFor(pages)} replace />;
  const from = Math.min(total, (page - 1) * pageSize + 1);
  const until = Math.min(total, page * pageSize);
  return (
    <nav className="pages" aria-label={messages.common.pagination}>
      <span className="num">{messages.common.range(from, until, total)}</span>
      {pages > 1 ? (
        <ul>
          <li>
            {page > 1 ? (
              <Link to={to} search={searchFor(page - 1)} className="btn btn-small" rel="prev">
                <ChevronLeftIcon />
                {messages.common.previousPage}
              </Link>
            ) : null}
          </li>
          <li className="num" aria-label={messages.common.pageOf(page, pages)}>
            <span aria-hidden="true">{`${page} / ${pages}`}</span>
          </li>
          <li>
            {page < pages ? (
              <Link to={to} search={searchFor(page + 1)} className="btn btn-small" rel="next">
                {messages.common.nextPage}
                <ChevronRightIcon />
              </Link>
            ) : null}
          </li>
        </ul>
      ) : null}
    </nav>
  );
}
