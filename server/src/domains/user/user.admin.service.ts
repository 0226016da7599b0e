/** What those who run the place do with accounts: roles, applications, access, class lists. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ASSIGNABLE_ROLES,
  COUNT_LIMITS,
  TeacherApplyStatus,
  UserType,
  type AssignableRole,
  type ImportProblem,
  type ImportRow,
  type Language,
} from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  UNIQUE_VIOLATION,
  sqlState,
  type Database,
  type Executor,
} from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { languageOf } from '../../platform/language.ts';
import { readSheet } from '../../platform/sheet/read.ts';
import { passCourses } from '../course/course.service.ts';
import { queueMail } from '../mail/mail.service.ts';
import { inBothLanguages, notifyUsers } from '../notification/notification.service.ts';
import { makeToken } from './login.ts';
import { hashPassword } from './password.ts';
import { problemsOf, rowsOfSheet } from './user.admin.import.ts';
import * as queries from './user.admin.queries.ts';
import type { DependentRow, ManagedUserRow } from './user.admin.queries.ts';
import { passwordLink, type UserCodes } from './user.codes.ts';

/** An invitation is not read within minutes: a class may get it before a weekend. */
const INVITATION_DAYS = 7;

export interface RoleChange {
  readonly roles: readonly AssignableRole[];
  readonly centreIDs: readonly number[] | undefined;
  readonly action: 'approve' | 'reject' | undefined;
  readonly reason: string;
  readonly version: number;
}

export type Fate = 'moved' | 'removed' | 'obstacle';

/** What becomes of a thing when its account is deleted. */
export function fateOf(kind: DependentRow['kind']): Fate {
  if (kind === 'usage') return 'obstacle';
  return ['computer', 'files', 'resourceApply', 'submission', 'problemSubmission'].includes(kind)
    ? 'removed'
    : 'moved';
}

/** Makes a centre for the first content, looked after by an account. */
export async function seedCentre(
  tx: Executor,
  { nameZh, nameEn }: Pick<queries.CentreRow, 'nameZh' | 'nameEn'>,
  userID: number,
): Promise<void> {
  const { id } = await queries.insertCentre(tx, { nameZh, nameEn });
  await queries.setCentres(tx, userID, [id]);
}

export type UserAdminService = ReturnType<typeof createUserAdminService>;

export interface UserAdminOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly codes: Pick<UserCodes, 'issueLink'>;
  /** Under which people reach the site, for the links in mails. */
  readonly publicURL: string;
  /** Told at once that an account's roles or sessions changed; other processes hear it a moment later. */
  readonly onLoginChanged: (userID: number) => void;
}

export function createUserAdminService({
  database,
  clock,
  dataFolder,
  codes,
  publicURL,
  onLoginChanged,
}: UserAdminOptions) {
  /** @throws DomainError `last_admin` when nobody could look after the site any more */
  async function keepAnAdmin(tx: Executor, userID: number): Promise<void> {
    if ((await queries.countOtherAdmins(tx, userID)) === 0) throw new DomainError('last_admin');
  }

  /** Runs a change of an account; what it was before is read under the lock that orders such changes. */
  async function change(
    user: ManagedUserRow,
    run: (tx: Executor, now: ManagedUserRow) => Promise<void>,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await queries.lockAdmins(tx);
      const [now] = await queries.findManagedUsers(tx, [user.id]);
      if (!now) throw new DomainError('not_found');
      await run(tx, now);
      await notify(tx, 'login', String(user.id));
    });
    onLoginChanged(user.id);
  }

  const isActiveAdmin = (user: ManagedUserRow): boolean =>
    user.roles.includes('admin') && user.disabledAt === null;

  /** Tells the applicant, in the inbox and by mail. */
  async function tellAnswer(
    tx: Executor,
    user: ManagedUserRow,
    isApproved: boolean,
    reason: string,
  ): Promise<void> {
    const told = await inBothLanguages((words) => {
      const { approvedTitle, approvedText, rejectedTitle, rejectedText } = words.userAdmin.told;
      return isApproved
        ? { title: approvedTitle, content: approvedText(reason) }
        : { title: rejectedTitle, content: rejectedText(reason) };
    });
    await notifyUsers(tx, { userIDs: [user.id], kind: 'review', ...told, path: '/settings' });
    await queueMail(tx, {
      to: user.email,
      language: languageOf(user.language),
      template: isApproved ? 'applicationApproved' : 'applicationRejected',
      values: {
        name: user.nickname,
        reason,
        url: isApproved ? `${publicURL}/admin` : `${publicURL}/settings`,
      },
    });
  }

  async function answerApplication(
    tx: Executor,
    user: ManagedUserRow,
    { action, reason, version }: RoleChange,
  ): Promise<void> {
    const isApproved = action === 'approve';
    if (user.version !== version) throw new DomainError('changed_meanwhile');
    if (user.applyStatus !== TeacherApplyStatus.waiting)
      throw new DomainError('application_not_waiting');
    if (!isApproved && reason === '') throw new DomainError('reason_missing');
    await queries.changeUser(tx, user.id, version, {
      applyStatus: isApproved ? TeacherApplyStatus.approved : TeacherApplyStatus.disapproved,
      applyReason: reason === '' ? null : reason,
      ...(isApproved ? { type: UserType.teacher } : {}),
    });
    if (isApproved) await queries.setRoles(tx, user.id, ['teacher'], []);
    await tellAnswer(tx, user, isApproved, reason);
  }

  async function assignRoles(
    tx: Executor,
    user: ManagedUserRow,
    { roles, centreIDs, version, reason }: RoleChange,
  ): Promise<void> {
    const taken = ASSIGNABLE_ROLES.filter((role) => !roles.includes(role));
    if (isActiveAdmin(user) && taken.includes('admin')) await keepAnAdmin(tx, user.id);
    // Whoever is made a teacher need not wait any longer for the answer to an application.
    const isAnswered = roles.includes('teacher') && user.applyStatus === TeacherApplyStatus.waiting;
    const isChanged = await queries.changeUser(
      tx,
      user.id,
      version,
      isAnswered ? { applyStatus: TeacherApplyStatus.approved, type: UserType.teacher } : {},
    );
    if (!isChanged) throw new DomainError('changed_meanwhile');
    await queries.setRoles(tx, user.id, roles, taken);
    if (!roles.includes('machine_admin')) await queries.setCentres(tx, user.id, []);
    else if (centreIDs !== undefined) await queries.setCentres(tx, user.id, centreIDs);
    if (isAnswered) await tellAnswer(tx, user, true, reason);
  }

  async function findProblems(rows: readonly ImportRow[]): Promise<ImportProblem[][]> {
    const taken = await queries.findTaken(
      database,
      rows.map((row) => row.Username),
      rows.map((row) => row.Email),
    );
    return problemsOf(rows, taken);
  }

  /** Personal files are no rows: a folder of the account's own, on the data disk. */
  const foldersOf = (userID: number, computerIDs: readonly number[]): string[] => [
    join(dataFolder, 'files', String(userID)),
    join(dataFolder, 'avatars', `${userID}.webp`),
    ...computerIDs.map((id) => join(dataFolder, 'computers', String(id))),
  ];

  return {
    /**
     * Gives and takes the roles of staff, or answers a teacher application.
     * @throws DomainError `changed_meanwhile`, `last_admin`, `application_not_waiting`, `reason_missing`
     */
    changeRoles: (user: ManagedUserRow, wanted: RoleChange): Promise<void> =>
      change(user, (tx, now) =>
        wanted.action === undefined
          ? assignRoles(tx, now, wanted)
          : answerApplication(tx, now, wanted),
      ),

    /** @throws DomainError `changed_meanwhile`, `last_admin`, `own_account` */
    async changeState(
      user: ManagedUserRow,
      isDisabled: boolean,
      version: number,
      actorID: number,
    ): Promise<void> {
      if (isDisabled && user.id === actorID) throw new DomainError('own_account');
      await change(user, async (tx, now) => {
        if (isDisabled && isActiveAdmin(now)) await keepAnAdmin(tx, user.id);
        const values = { disabledAt: isDisabled ? (now.disabledAt ?? clock.now()) : null };
        if (!(await queries.changeUser(tx, user.id, version, values)))
          throw new DomainError('changed_meanwhile');
        if (isDisabled) await queries.deleteLoginSessionsOf(tx, user.id);
      });
    },

    listDependents: (user: ManagedUserRow): Promise<DependentRow[]> =>
      queries.listDependents(database, user.id),

    /**
     * Deletes an account. What it made goes to whoever deletes it.
     * @throws DomainError `user_name_differs`, `own_account`, `last_admin`, `in_use`
     */
    async remove(user: ManagedUserRow, typedName: string, actorID: number): Promise<void> {
      if (typedName.trim() !== user.username) throw new DomainError('user_name_differs');
      if (user.id === actorID) throw new DomainError('own_account');
      let computerIDs: number[] = [];
      await change(user, async (tx, now) => {
        if (isActiveAdmin(now)) await keepAnAdmin(tx, user.id);
        if (!(await queries.lockUser(tx, user.id))) throw new DomainError('not_found');
        const obstacles = (await queries.listDependents(tx, user.id)).filter(
          ({ kind }) => fateOf(kind) === 'obstacle',
        );
        if (obstacles.length > 0)
          throw new DomainError('in_use', {
            Dependents: obstacles.map(({ kind, id, title }) => ({
              Kind: kind,
              ID: id,
              Title: title,
            })),
          });
        computerIDs = await queries.listComputerIDs(tx, user.id);
        await queries.moveWorks(tx, user.id, actorID);
        await passCourses(tx, user.id, actorID);
        await queries.deleteUserRow(tx, user.id);
      });
      // Afterwards: an account whose files are gone could not come back.
      for (const path of foldersOf(user.id, computerIDs))
        await rm(path, { recursive: true, force: true });
    },

    /** Reads a class list. @throws DomainError `sheet_unreadable`, `sheet_too_long` */
    async previewImport(
      bytes: Buffer,
    ): Promise<{ row: ImportRow; problems: readonly ImportProblem[] }[]> {
      const rows = await rowsOfSheet(await readSheet(bytes, COUNT_LIMITS.importRows + 1));
      if (!rows || rows.length === 0) throw new DomainError('sheet_unreadable');
      const problems = await findProblems(rows);
      return rows.map((row, index) => ({ row, problems: problems[index] ?? [] }));
    },

    /**
     * Makes the accounts of a class list, and invites each by mail to set a password.
     * @throws DomainError `import_refused` when one of them cannot be made; none is made then
     */
    async importUsers(rows: readonly ImportRow[], language: Language): Promise<number[]> {
      const refuse = (numbers: readonly number[]): DomainError =>
        new DomainError('import_refused', { Rows: numbers });
      const problems = await findProblems(rows);
      const bad = rows.filter((_row, index) => (problems[index] ?? []).length > 0);
      if (bad.length > 0) throw refuse(bad.map((row) => row.Row));
      // Nobody knows this password; it is there because an account has one.
      const passwordHash = await hashPassword(makeToken());
      const accounts = rows.map((row) => ({
        username: row.Username,
        email: row.Email,
        nickname: row.Nickname === '' ? row.Username : row.Nickname,
        realName: row.RealName === '' ? null : row.RealName,
        studentID: row.StudentID === '' ? null : row.StudentID,
        organisation: row.Organisation === '' ? null : row.Organisation,
        type: row.Type ?? UserType.undergraduate,
        language,
        passwordHash,
      }));
      try {
        return await database.transaction(async (tx) => {
          const ids = await queries.insertStudents(tx, accounts);
          for (const [index, account] of accounts.entries()) {
            const userID = ids[index];
            if (userID === undefined) throw new Error('an account was not made');
            const token = await codes.issueLink(tx, {
              purpose: 'passwordReset',
              email: account.email,
              userID,
              validSeconds: INVITATION_DAYS * 86_400,
            });
            await queueMail(tx, {
              to: account.email,
              language,
              template: 'invitation',
              values: {
                name: account.nickname,
                username: account.username,
                days: String(INVITATION_DAYS),
                url: passwordLink(publicURL, token),
              },
            });
          }
          return ids;
        });
      } catch (error) {
        // Somebody registered one of them in this moment.
        if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
        const now = await findProblems(rows);
        throw refuse(
          rows.filter((_row, index) => (now[index] ?? []).length > 0).map((row) => row.Row),
        );
      }
    },

    /** @throws DomainError `in_use` while somebody looks after it, or applied for machine time there */
    async removeCentre(centreID: number): Promise<void> {
      await database.transaction(async (tx) => {
        await queries.lockCentre(tx, centreID);
        const admins = await queries.listCentreAdmins(tx, centreID);
        const applications = await queries.listCentreApplications(tx, centreID);
        const dependents = [
          ...admins.map(({ id, nickname }) => ({ Kind: 'user', ID: id, Title: nickname })),
          ...applications.map(({ id, project }) => ({
            Kind: 'resourceApply',
            ID: id,
            Title: project,
          })),
        ];
        if (dependents.length > 0) throw new DomainError('in_use', { Dependents: dependents });
        await queries.deleteCentreRow(tx, centreID);
      });
    },
  };
}
