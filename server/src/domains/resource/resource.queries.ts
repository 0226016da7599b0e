import { and, asc, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { ResourceSort } from '@hypercube/contract';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/search.ts';
import { software } from '../software/software.schema.ts';
import { centres } from '../user/user.admin.schema.ts';
import { users } from '../user/user.schema.ts';
import { resourceAccounts, resourceApplies, resourceSteps } from './resource.schema.ts';

const { words: _words, ...columns } = getTableColumns(resourceApplies);

/** An application with the names of what it refers to. The account information is never part of it. */
export type ResourceRow = Omit<typeof resourceApplies.$inferSelect, 'words'> & {
  readonly username: string;
  readonly centreZh: string;
  readonly centreEn: string;
  readonly softwareZh: string | null;
  readonly softwareEn: string | null;
};

/** Whose applications staff look after: every centre's, or those of the centres given to a user. */
export interface StaffScope {
  readonly isAdmin: boolean;
  readonly userID: number;
}

const isInScope = ({ isAdmin, userID }: StaffScope): SQL | undefined =>
  isAdmin
    ? undefined
    : sql`exists (select 1 from user_centre l where l.centre_id = resource_apply.centre_id and l.user_id = ${userID})`;

const rowColumns = {
  ...columns,
  username: sql<string>`${users.username}`.as('username'),
  centreZh: sql<string>`${centres.nameZh}`.as('centre_zh'),
  centreEn: sql<string>`${centres.nameEn}`.as('centre_en'),
  softwareZh: sql<string | null>`${software.titleZh}`.as('software_zh'),
  softwareEn: sql<string | null>`${software.titleEn}`.as('software_en'),
};

const selectRows = (db: Executor) =>
  db
    .select(rowColumns)
    .from(resourceApplies)
    .innerJoin(users, eq(users.id, resourceApplies.userID))
    .innerJoin(centres, eq(centres.id, resourceApplies.centreID))
    .leftJoin(software, eq(software.id, resourceApplies.softwareID));

export interface ResourceFilter {
  readonly keyword?: string | undefined;
  readonly status?: number | undefined;
  readonly centreID?: number | undefined;
  readonly sort: ResourceSort;
}

function conditionOf(filter: ResourceFilter, scope: StaffScope): SQL | undefined {
  const like = filter.keyword ? likePattern(filter.keyword.toLowerCase()) : undefined;
  return and(
    isInScope(scope),
    like === undefined ? undefined : sql`resource_apply.words like ${like}`,
    filter.status === undefined ? undefined : eq(resourceApplies.status, filter.status),
    filter.centreID === undefined ? undefined : eq(resourceApplies.centreID, filter.centreID),
  );
}

const ORDERS: Readonly<Record<ResourceSort, SQL[]>> = {
  latest: [desc(resourceApplies.createdAt), desc(resourceApplies.id)],
  oldest: [asc(resourceApplies.createdAt), asc(resourceApplies.id)],
  hours: [desc(resourceApplies.cpuHours), desc(resourceApplies.id)],
};

/** A page of the applications that staff look after. */
export async function listManagedRows(
  db: Executor,
  filter: ResourceFilter,
  scope: StaffScope,
  page: number,
  pageSize: number,
): Promise<{ rows: ResourceRow[]; total: number }> {
  const where = conditionOf(filter, scope);
  const rows = await selectRows(db)
    .where(where)
    .orderBy(...ORDERS[filter.sort])
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return { rows, total: await db.$count(resourceApplies, where) };
}

/** The statement of an export; its rows are {@link ExportRow}s. */
export const exportStatement = (db: Executor, filter: ResourceFilter, scope: StaffScope) =>
  selectRows(db)
    .where(conditionOf(filter, scope))
    .orderBy(...ORDERS[filter.sort])
    .toSQL();

/** A row of that statement, as the database names its columns. */
export interface ExportRow {
  readonly username: string;
  readonly applicant_name: string;
  readonly organisation: string;
  readonly phone: string;
  readonly email: string;
  readonly project: string;
  readonly centre_zh: string;
  readonly centre_en: string;
  readonly cpu_hours: number;
  readonly purpose: string;
  readonly software_zh: string | null;
  readonly software_en: string | null;
  readonly status: number;
  readonly reason: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A page of a user's own. */
export async function listOwnRows(
  db: Executor,
  userID: number,
  status: number | undefined,
  page: number,
  pageSize: number,
): Promise<{ rows: ResourceRow[]; total: number }> {
  const where = and(
    eq(resourceApplies.userID, userID),
    status === undefined ? undefined : eq(resourceApplies.status, status),
  );
  const rows = await selectRows(db)
    .where(where)
    .orderBy(desc(resourceApplies.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return { rows, total: await db.$count(resourceApplies, where) };
}

export const findOwnRows = (
  db: Executor,
  ids: readonly number[],
  userID: number,
): Promise<ResourceRow[]> =>
  selectRows(db).where(
    and(inArray(resourceApplies.id, [...ids]), eq(resourceApplies.userID, userID)),
  );

/** What the centres of staff are is read each time: one that is taken away is gone at once. */
export const findManagedRows = (
  db: Executor,
  ids: readonly number[],
  scope: StaffScope,
): Promise<ResourceRow[]> =>
  selectRows(db).where(and(inArray(resourceApplies.id, [...ids]), isInScope(scope)));

/** Holds an application until the transaction ends, so that its changes come one after the other. */
export async function lockRow(tx: Executor, id: number): Promise<void> {
  await tx
    .select({ id: resourceApplies.id })
    .from(resourceApplies)
    .where(eq(resourceApplies.id, id))
    .for('update');
}

type NewRow = typeof resourceApplies.$inferInsert;

export async function insertRow(tx: Executor, row: NewRow): Promise<number> {
  const [made] = await tx.insert(resourceApplies).values(row).returning({ id: resourceApplies.id });
  if (!made) throw new Error('the application was not made');
  return made.id;
}

/** Changes an application that the transaction holds. */
export async function updateRow(
  tx: Executor,
  id: number,
  values: Partial<Omit<NewRow, 'id' | 'userID' | 'version'>>,
): Promise<void> {
  await tx
    .update(resourceApplies)
    .set({ ...values, version: sql`${resourceApplies.version} + 1` })
    .where(eq(resourceApplies.id, id));
}

export async function deleteRow(tx: Executor, id: number): Promise<void> {
  await tx.delete(resourceApplies).where(eq(resourceApplies.id, id));
}

// What happened ------------------------------------------------------------------------------------

export interface StepRow {
  readonly applyID: number;
  readonly step: string;
  readonly status: number;
  readonly by: string | null;
  readonly isStaff: boolean;
  readonly reason: string | null;
  readonly at: Date;
}

/** So many of an application's steps are told, the latest ones. */
const STEPS_MAX = 50;

/** What happened to some applications, the latest first. */
export async function listSteps(db: Executor, applyIDs: readonly number[]): Promise<StepRow[]> {
  const numbered = db
    .select({
      id: resourceSteps.id,
      place:
        sql<number>`row_number() over (partition by ${resourceSteps.applyID} order by ${resourceSteps.id} desc)`.as(
          'place',
        ),
    })
    .from(resourceSteps)
    .where(inArray(resourceSteps.applyID, [...applyIDs]))
    .as('numbered');
  return db
    .select({
      applyID: resourceSteps.applyID,
      step: resourceSteps.step,
      status: resourceSteps.status,
      by: users.nickname,
      isStaff: resourceSteps.isStaff,
      reason: resourceSteps.reason,
      at: resourceSteps.at,
    })
    .from(resourceSteps)
    .innerJoin(numbered, eq(numbered.id, resourceSteps.id))
    .leftJoin(users, eq(users.id, resourceSteps.userID))
    .where(sql`${numbered.place} <= ${STEPS_MAX}`)
    .orderBy(desc(resourceSteps.id));
}

export async function insertStep(
  tx: Executor,
  row: typeof resourceSteps.$inferInsert,
): Promise<void> {
  await tx.insert(resourceSteps).values(row);
}

// Account information ------------------------------------------------------------------------------

export async function findAccount(
  db: Executor,
  applyID: number,
): Promise<typeof resourceAccounts.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(resourceAccounts)
    .where(eq(resourceAccounts.applyID, applyID));
  return row;
}

export async function keepAccount(
  tx: Executor,
  row: typeof resourceAccounts.$inferInsert,
): Promise<void> {
  await tx
    .insert(resourceAccounts)
    .values(row)
    .onConflictDoUpdate({
      target: resourceAccounts.applyID,
      set: { sealed: row.sealed, updatedAt: row.updatedAt },
    });
}

// Centres ------------------------------------------------------------------------------------------

export type CentreRow = typeof centres.$inferSelect;

export const findCentres = (db: Executor, ids: readonly number[]): Promise<CentreRow[]> =>
  db
    .select()
    .from(centres)
    .where(inArray(centres.id, [...ids]));

/** @param scope of whoever asks; undefined for those who look after none */
export async function listCentres(
  db: Executor,
  scope: StaffScope | undefined,
): Promise<(CentreRow & { readonly isManaged: boolean })[]> {
  return db
    .select({
      ...getTableColumns(centres),
      isManaged: sql<boolean>`(${scope?.isAdmin ?? false} or exists (select 1 from user_centre l where l.centre_id = centre.id and l.user_id = ${scope?.userID ?? null}::int))`,
    })
    .from(centres)
    .orderBy(asc(centres.id));
}

/** Who answers the applications at a centre: its machine admins; admins where it has none. */
export async function listStaffIDs(tx: Executor, centreID: number): Promise<number[]> {
  const { rows } = await tx.execute<{ user_id: number }>(sql`
    with active as (
      select r.user_id, r.role from user_role r join user_account a on a.id = r.user_id where a.disabled_at is null
    ), own as (
      select l.user_id from user_centre l join active on active.user_id = l.user_id and active.role = 'machine_admin'
       where l.centre_id = ${centreID}
    )
    select user_id from own
    union
    select user_id from active where role = 'admin' and not exists (select 1 from own)`);
  return rows.map((row) => row.user_id);
}
