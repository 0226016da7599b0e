/** Calls about the record of what staff did. */
import { routes, type AuditRecord } from '@hypercube/contract';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../kernel/api.ts';
import type { ReadList } from '../../ui/table/use-list.ts';

export const AUDIT_KEY = ['audit'] as const;

/** Days of each period that the list offers. */
const DAYS = { day: 1, week: 7, month: 30 } as const;
export const PERIODS = ['day', 'week', 'month'] as const;

/** The query of a call: a period becomes the moment at which it began. */
function queryOf({ period, ...query }: Record<string, string>): Record<string, string> {
  const known = PERIODS.find((name) => name === period);
  if (known === undefined) return query;
  return { ...query, from: new Date(Date.now() - DAYS[known] * 86_400_000).toISOString() };
}

export const readAudit: ReadList<AuditRecord> = (query, signal) =>
  call(routes.listAudit, { query: queryOf(query), signal });

export const auditPersonsQuery = queryOptions({
  queryKey: [...AUDIT_KEY, 'person'],
  queryFn: ({ signal }) => call(routes.listAuditPersons, { signal }),
  meta: { isHandled: true },
});

export const auditQuery = (auditID: number) =>
  queryOptions({
    queryKey: [...AUDIT_KEY, 'one', auditID],
    queryFn: ({ signal }) => call(routes.getAudit, { params: { auditID }, signal }),
    // A record never changes.
    staleTime: Infinity,
    meta: { isHandled: true },
  });

/** Where the browser fetches an export of what the list shows. */
export function exportAddress(query: Readonly<Record<string, string>>): string {
  const { page: _page, pageSize: _pageSize, ...filters } = queryOf({ ...query });
  return addressOf(routes.exportAudit, {}, filters);
}
