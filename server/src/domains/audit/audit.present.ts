import { ROLES, type AuditDetail, type AuditRecord } from '@hypercube/contract';
import type { AuditRow, ListedAudit } from './audit.queries.ts';

export const presentAudit = (row: ListedAudit): AuditRecord => ({
  ID: row.id,
  At: row.at.toISOString(),
  Person: { ID: row.userID, Username: row.username, Nickname: row.nickname },
  Role: ROLES.find((role) => role === row.role) ?? 'anonymous',
  Address: row.address,
  Action: row.action,
  Method: row.method as AuditRecord['Method'],
  Kind: row.kind,
  Things: [...row.things],
  Code: row.code,
});

export const presentAuditDetail = (row: AuditRow): AuditDetail => ({
  ...presentAudit(row),
  Path: row.path,
  RequestID: row.requestID,
  Changes: [...row.changes],
  Sent: [...row.sent],
});
