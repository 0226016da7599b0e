import { ROLES, type Centre, type Language, type ManagedUser } from '@hypercube/contract';
import { inLanguage } from '../../platform/language.ts';
import type { CentreListRow, ManagedUserRow } from './user.admin.queries.ts';

export const presentCentre = (row: CentreListRow, language: Language): Centre => ({
  ID: row.id,
  Name: inLanguage(language, row.nameZh, row.nameEn),
  NameZh: row.nameZh,
  NameEn: row.nameEn,
  Admins: row.admins,
});

/** An account as staff see it. */
export const presentManagedUser = (row: ManagedUserRow, language: Language): ManagedUser => ({
  ID: row.id,
  Username: row.username,
  Nickname: row.nickname,
  Email: row.email,
  RealName: row.realName,
  Phone: row.phone,
  Organisation: row.organisation,
  StudentID: row.studentID,
  Type: row.type as ManagedUser['Type'],
  Status: row.applyStatus as ManagedUser['Status'],
  ApplyReason: row.applyReason,
  AppliedAt: row.appliedAt?.toISOString() ?? null,
  Roles: ROLES.filter((role) => row.roles.includes(role)),
  Centres: row.centres.map(({ id, nameZh, nameEn }) => ({
    ID: id,
    Name: inLanguage(language, nameZh, nameEn),
  })),
  IsDisabled: row.disabledAt !== null,
  CreatedAt: row.createdAt.toISOString(),
  LastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  Version: row.version,
});
