/**
 * Machine time: users apply at a centre, its staff answer. An application is pending, approved or
 * rejected; giving the account information is what approves it.
 */
import {
  ResourceApplyStatus,
  ResourceApplyTarget,
  type BodyOf,
  type ResourceAccount,
  type ResourceCredentials,
  type ResourceStep,
  type routes,
} from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  FOREIGN_KEY_VIOLATION,
  UNIQUE_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { inBothLanguages, notifyUsers } from '../notification/notification.service.ts';
import { guessLimit } from '../user/user.service.ts';
import * as queries from './resource.queries.ts';
import type { ResourceRow, StaffScope, StepRow } from './resource.queries.ts';

type Fields = BodyOf<typeof routes.createResource>;

/** Applications that one account may make within a quarter of an hour: each time staff are told. */
const APPLICATIONS = 20;

/** Sealed for one application, account information opens for no other. */
const purposeOf = (applyID: number): string => `resource account ${applyID}`;

const valuesOf = (fields: Fields) => ({
  applicantName: fields.ApplicantName,
  organisation: fields.Organisation,
  phone: fields.Phone,
  email: fields.Email,
  project: fields.Project,
  centreID: fields.CentreID,
  cpuHours: fields.CpuHours,
  purpose: fields.Purpose,
  target: fields.SoftwareID === undefined ? null : ResourceApplyTarget.software,
  softwareID: fields.SoftwareID ?? null,
});

export interface ResourceService {
  listSteps(rows: readonly ResourceRow[]): Promise<StepRow[]>;
  /** @throws DomainError `resource_waiting`, `too_many_guesses` */
  apply(userID: number, fields: Fields): Promise<ResourceRow>;
  /**
   * Changes one's own; a rejected one waits again.
   * @throws DomainError `changed_meanwhile`, `resource_approved`, `resource_waiting`
   */
  change(row: ResourceRow, userID: number, version: number, fields: Fields): Promise<ResourceRow>;
  /** @throws DomainError `resource_approved` */
  withdraw(row: ResourceRow, userID: number): Promise<void>;
  /** @throws DomainError `changed_meanwhile`, `application_not_waiting` */
  reject(
    row: ResourceRow,
    scope: StaffScope,
    version: number,
    reason: string,
  ): Promise<ResourceRow>;
  /**
   * Gives the account information, which approves, or changes it.
   * @throws DomainError `changed_meanwhile`, `application_not_waiting`, `resource_way_in_missing`
   */
  giveAccount(
    row: ResourceRow,
    scope: StaffScope,
    version: number,
    credentials: ResourceCredentials,
  ): Promise<ResourceRow>;
  /** @throws DomainError `resource_account_missing`, `resource_account_unreadable` */
  readAccount(row: ResourceRow): Promise<ResourceAccount>;
}

export function createResourceService({
  database,
  clock,
  box,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
}): ResourceService {
  const admit = guessLimit({ database, clock });

  /** Turns what the database refuses into its code: a second one that waits at the same centre. */
  async function refusing<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new DomainError('resource_waiting');
      // The centre or the software was deleted in this moment.
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw new DomainError('not_found');
      throw error;
    }
  }

  async function ownRow(db: Executor, id: number, userID: number): Promise<ResourceRow> {
    const [row] = await queries.findOwnRows(db, [id], userID);
    if (!row) throw new DomainError('not_found');
    return row;
  }

  async function managedRow(db: Executor, id: number, scope: StaffScope): Promise<ResourceRow> {
    const [row] = await queries.findManagedRows(db, [id], scope);
    if (!row) throw new DomainError('not_found');
    return row;
  }

  async function tellStaff(
    tx: Executor,
    applyID: number,
    userID: number,
    fields: Fields,
  ): Promise<void> {
    const staff = await queries.listStaffIDs(tx, fields.CentreID);
    await notifyUsers(tx, {
      userIDs: staff.filter((id) => id !== userID),
      kind: 'review',
      ...(await inBothLanguages((words) => {
        const { waitingTitle, waitingText } = words.resource.told;
        return { title: waitingTitle, content: waitingText(fields.ApplicantName, fields.Project) };
      })),
      path: `/admin/resource/${applyID}/view/pending`,
    });
  }

  /** Writes down what staff did to an application that the transaction holds, and tells the applicant. */
  async function answer(
    tx: Executor,
    row: ResourceRow,
    staffID: number,
    step: Extract<ResourceStep, 'approved' | 'rejected' | 'accountUpdated'>,
    reason: string | null,
  ): Promise<void> {
    const now = clock.now();
    const status =
      step === 'rejected' ? ResourceApplyStatus.rejected : ResourceApplyStatus.approved;
    await queries.updateRow(tx, row.id, { status, reason, updatedAt: now });
    await queries.insertStep(tx, {
      applyID: row.id,
      userID: staffID,
      isStaff: true,
      step,
      status,
      reason,
      at: now,
    });
    await notifyUsers(tx, {
      userIDs: [row.userID],
      kind: 'review',
      ...(await inBothLanguages((words) => {
        const { approvedTitle, approvedText, accountTitle, accountText } = words.resource.told;
        const { rejectedTitle, rejectedText } = words.resource.told;
        if (step === 'approved')
          return { title: approvedTitle, content: approvedText(row.project) };
        if (step === 'accountUpdated')
          return { title: accountTitle, content: accountText(row.project) };
        return { title: rejectedTitle, content: rejectedText(row.project, reason ?? '') };
      })),
      path: step === 'rejected' ? '/resource/progress' : `/resource/${row.id}/account`,
    });
  }

  /** Runs a change by staff; that it is theirs to change is asked again under the lock. */
  const answering = (
    { id }: ResourceRow,
    scope: StaffScope,
    version: number,
    run: (tx: Executor, now: ResourceRow) => Promise<void>,
  ): Promise<ResourceRow> =>
    database.transaction(async (tx) => {
      await queries.lockRow(tx, id);
      const now = await managedRow(tx, id, scope);
      if (now.version !== version) throw new DomainError('changed_meanwhile');
      await run(tx, now);
      return managedRow(tx, id, scope);
    });

  return {
    listSteps: (rows) =>
      queries.listSteps(
        database,
        rows.map(({ id }) => id),
      ),

    apply: async (userID, fields) => {
      await admit(`resource:${userID}`, APPLICATIONS);
      return refusing(() =>
        database.transaction(async (tx) => {
          const now = clock.now();
          const id = await queries.insertRow(tx, {
            ...valuesOf(fields),
            userID,
            createdAt: now,
            updatedAt: now,
          });
          await queries.insertStep(tx, {
            applyID: id,
            userID,
            isStaff: false,
            step: 'applied',
            status: ResourceApplyStatus.pending,
            at: now,
          });
          await tellStaff(tx, id, userID, fields);
          return ownRow(tx, id, userID);
        }),
      );
    },

    change: ({ id }, userID, version, fields) =>
      refusing(() =>
        database.transaction(async (tx) => {
          await queries.lockRow(tx, id);
          const now = await ownRow(tx, id, userID);
          // Before the version: that it was approved meanwhile says more than that it changed.
          if (now.status === ResourceApplyStatus.approved)
            throw new DomainError('resource_approved');
          if (now.version !== version) throw new DomainError('changed_meanwhile');
          const isAgain = now.status === ResourceApplyStatus.rejected;
          const at = clock.now();
          await queries.updateRow(tx, id, {
            ...valuesOf(fields),
            status: ResourceApplyStatus.pending,
            reason: null,
            updatedAt: at,
          });
          await queries.insertStep(tx, {
            applyID: id,
            userID,
            isStaff: false,
            step: isAgain ? 'reapplied' : 'edited',
            status: ResourceApplyStatus.pending,
            at,
          });
          // It is new to those who look at it for the first time, or again.
          if (isAgain || now.centreID !== fields.CentreID) await tellStaff(tx, id, userID, fields);
          return ownRow(tx, id, userID);
        }),
      ),

    withdraw: ({ id }, userID) =>
      database.transaction(async (tx) => {
        await queries.lockRow(tx, id);
        const now = await ownRow(tx, id, userID);
        if (now.status === ResourceApplyStatus.approved) throw new DomainError('resource_approved');
        await queries.deleteRow(tx, id);
      }),

    reject: (row, scope, version, reason) =>
      answering(row, scope, version, async (tx, now) => {
        if (now.status !== ResourceApplyStatus.pending)
          throw new DomainError('application_not_waiting');
        await answer(tx, now, scope.userID, 'rejected', reason);
      }),

    async giveAccount(row, scope, version, credentials) {
      if (credentials.SshPassword === '' && credentials.SshPrivateKey === '')
        throw new DomainError('resource_way_in_missing');
      return answering(row, scope, version, async (tx, now) => {
        // A rejected one waits for its applicant, not for the centre.
        if (now.status === ResourceApplyStatus.rejected)
          throw new DomainError('application_not_waiting');
        const isFirst = now.status === ResourceApplyStatus.pending;
        await queries.keepAccount(tx, {
          applyID: now.id,
          sealed: box.seal(
            purposeOf(now.id),
            JSON.stringify({
              ...credentials,
              // ssh refuses a key with the line ends of another system.
              SshPrivateKey: credentials.SshPrivateKey.replaceAll('\r\n', '\n'),
            } satisfies ResourceCredentials),
          ),
          updatedAt: clock.now(),
        });
        await answer(tx, now, scope.userID, isFirst ? 'approved' : 'accountUpdated', null);
      });
    },

    async readAccount({ id }) {
      const kept = await queries.findAccount(database, id);
      if (!kept) throw new DomainError('resource_account_missing');
      const text = box.unseal(purposeOf(id), kept.sealed);
      if (text === undefined) throw new DomainError('resource_account_unreadable');
      return {
        Credentials: JSON.parse(text) as ResourceCredentials,
        UpdatedAt: kept.updatedAt.toISOString(),
      };
    },
  };
}
