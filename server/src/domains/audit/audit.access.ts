/** The record is read by those who may read all of it. */
import type { Resolver } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/database.ts';
import { findAudit, type AuditRow } from './audit.queries.ts';

declare module '../../platform/access/access.ts' {
  interface ScopeTypes {
    auditRecord: AuditRow;
  }
}

export const resolveAuditRecords =
  (database: Database): Resolver<'auditRecord'> =>
  async (ids) =>
    new Map((await findAudit(database, ids)).map((row) => [row.id, row]));
