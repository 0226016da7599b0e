/** Who is in a course and how they come and go, and what its people are told. */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { CourseJoinMode, type BodyOf, type CourseRole, type routes } from '@hypercube/contract';
import type { AllTexts } from '@hypercube/messages';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { inLanguage } from '../../platform/language.ts';
import {
  changeNoticeNotification,
  inBothLanguages,
  notifyCourse,
  notifyUsers,
  withdrawNoticeNotification,
} from '../notification/notification.service.ts';
import { guessLimit, setRole } from '../user/user.service.ts';
import type { ScopedPerson } from './course.access.ts';
import * as notices from './course.notice.queries.ts';
import type { NoticeRow } from './course.notice.queries.ts';
import * as people from './course.people.queries.ts';
import * as queries from './course.queries.ts';
import type { CourseRow } from './course.queries.ts';

export {
  countPublished,
  isWorkedOn,
  seedCourse,
  type CourseActor,
  type CourseRow,
} from './course.queries.ts';

/** Invitation codes that one account may try within a quarter of an hour, in all courses together. */
const GUESSES = 10;
/** Courses that one account may apply for within the same time: each time their staff is told. */
const APPLICATIONS = 20;
/** Without letters and digits that look alike. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 8;

/** A random invitation code. */
export const makeInviteCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join(
    '',
  );

function isSame(typed: string, code: string): boolean {
  const [a, b] = [Buffer.from(typed), Buffer.from(code)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Titles of a course as a notification in each language has them. */
type Titled = Pick<CourseRow, 'titleZh' | 'titleEn'>;

/** What is told, in both languages, with the course by its title in each. */
const words = (
  course: Titled,
  write: (texts: AllTexts, title: string) => { readonly title: string; readonly content: string },
) =>
  inBothLanguages((texts, language) =>
    write(texts, inLanguage(language, course.titleZh, course.titleEn)),
  );

const pageOf = (course: Pick<CourseRow, 'id'>): string => `/course/${course.id}`;
const staffPageOf = (course: Pick<CourseRow, 'id'>, tab: 'info' | 'member'): string =>
  `/admin/course/${course.id}/${tab}`;

export type JoinFields = Omit<BodyOf<typeof routes.updateCoursePermission>, 'Version'>;

/**
 * Who finds a course and how it is joined, as the database keeps it.
 * @throws DomainError `course_code_missing`, `course_period_reversed`
 */
export function joinValuesOf(body: JoinFields): queries.JoinValues {
  const isByCode = body.IsPrivate || body.JoinMode === CourseJoinMode.inviteCode;
  if (isByCode && body.InviteCode === null) throw new DomainError('course_code_missing');
  const [inviteFrom, inviteUntil] = [body.InviteFrom, body.InviteUntil].map((moment) =>
    moment === null ? null : new Date(moment),
  );
  if (inviteFrom && inviteUntil && inviteFrom >= inviteUntil)
    throw new DomainError('course_period_reversed');
  return {
    isHidden: body.IsHidden,
    isPrivate: body.IsPrivate,
    joinMode: body.JoinMode,
    inviteCode: body.InviteCode,
    inviteFrom: inviteFrom ?? null,
    inviteUntil: inviteUntil ?? null,
  };
}

type NoticeFields = Omit<BodyOf<typeof routes.updateCourseNotice>, 'Version'>;

type NoticeTexts = Pick<NoticeRow, 'titleZh' | 'titleEn' | 'contentZh' | 'contentEn'>;

const noticeValuesOf = (body: NoticeFields): NoticeTexts => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
});

/** What the inboxes say of a notice. */
const noticeWords = (course: Titled, notice: NoticeTexts) =>
  inBothLanguages((texts, language) => ({
    title: texts.courseTold.notice(
      inLanguage(language, course.titleZh, course.titleEn),
      inLanguage(language, notice.titleZh, notice.titleEn),
    ),
    content: inLanguage(language, notice.contentZh, notice.contentEn),
  }));

/** The role comes with the first course that somebody assists, and goes with the last. */
async function settleAssistant(tx: Executor, userID: number): Promise<void> {
  await setRole(tx, userID, 'assistant', await people.assistsSomething(tx, userID));
}

/** An account is about to go: its courses go to somebody else. */
export async function passCourses(tx: Executor, fromID: number, toID: number): Promise<void> {
  await queries.moveCourses(tx, fromID, toID);
  await people.lockAccount(tx, toID);
  await settleAssistant(tx, toID);
}

/** Makes an account a part of a course of the first content, where that is there. */
export async function seedPerson(
  tx: Executor,
  person: { readonly slug: string; readonly userID: number; readonly role: CourseRole },
  now: Date,
): Promise<void> {
  await queries.seedPerson(tx, person, now);
  if (person.role === 'assistant') await settleAssistant(tx, person.userID);
}

export type CourseService = ReturnType<typeof createCourseService>;

export function createCourseService({
  database,
  clock,
  onLoginChanged,
}: {
  readonly database: Database;
  readonly clock: Clock;
  /** Told at once that an account's roles changed; other processes hear it a moment later. */
  readonly onLoginChanged: (userID: number) => void;
}) {
  const admitGuess = guessLimit({ database, clock });

  /** Tells people of a course something, as part of the change that it is about. */
  async function tell(
    tx: Executor,
    course: Titled,
    userIDs: readonly number[],
    path: string | undefined,
    write: Parameters<typeof words>[1],
  ): Promise<void> {
    if (userIDs.length === 0) return;
    await notifyUsers(tx, {
      userIDs,
      kind: 'course',
      ...(await words(course, write)),
      ...(path === undefined ? {} : { path }),
    });
  }

  /** @throws DomainError `course_code_wrong`, `course_code_expired` */
  function checkCode(
    course: Pick<CourseRow, 'inviteCode' | 'inviteFrom' | 'inviteUntil'>,
    code: string | undefined,
  ): void {
    if (course.inviteCode === null || code === undefined || !isSame(code, course.inviteCode))
      throw new DomainError('course_code_wrong');
    // Told only to who has the code: to everybody else a wrong one is just that.
    const now = clock.now();
    if (
      (course.inviteFrom !== null && now < course.inviteFrom) ||
      (course.inviteUntil !== null && now > course.inviteUntil)
    )
      throw new DomainError('course_code_expired');
  }

  /** The staff of a course who may answer an application. */
  const listStaffIDs = async (
    tx: Executor,
    course: Pick<CourseRow, 'id' | 'ownerID'>,
  ): Promise<number[]> => [
    ...(course.ownerID === null ? [] : [course.ownerID]),
    ...(await people.listPeopleIDs(tx, course.id, ['assistant', 'collaborator'])),
  ];

  /** Makes somebody work on a course. @throws DomainError `person_unknown`, `course_staff`, `collaborator_no_teacher` */
  async function addStaff(
    course: CourseRow,
    name: string,
    role: 'assistant' | 'collaborator',
  ): Promise<people.StaffRow> {
    const candidate = await people.findCandidate(database, name);
    if (!candidate) throw new DomainError('person_unknown', { Name: name });
    const { id: userID } = candidate;
    if (role === 'collaborator' && !candidate.isTeacher)
      throw new DomainError('collaborator_no_teacher', { Name: name });
    await database.transaction(async (tx) => {
      const now = await people.holdCourse(tx, course.id);
      if (!now) throw new DomainError('not_found');
      await people.lockAccount(tx, userID);
      const at = clock.now();
      const isPut =
        now.ownerID !== userID &&
        (await people.putPerson(
          tx,
          { courseID: course.id, userID, role, appliedAt: at, joinedAt: at },
          ['waiting', 'member'],
        ));
      if (!isPut) throw new DomainError('course_staff');
      if (role === 'assistant') await setRole(tx, userID, 'assistant', true);
      await tell(tx, now, [userID], staffPageOf(course, 'info'), (texts, title) =>
        role === 'assistant'
          ? { title: texts.courseTold.assistant(title), content: texts.courseTold.assistantText }
          : {
              title: texts.courseTold.collaborator(title),
              content: texts.courseTold.collaboratorText,
            },
      );
    });
    onLoginChanged(userID);
    const row = (await people.listStaffRows(database, course.id, role)).find(
      ({ id }) => id === userID,
    );
    if (!row) throw new DomainError('not_found');
    return row;
  }

  async function removeStaff(
    course: CourseRow,
    { id: userID }: ScopedPerson,
    role: 'assistant' | 'collaborator',
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await people.lockAccount(tx, userID);
      const removed = await people.removePeople(tx, course.id, [userID], [role]);
      if (removed.length === 0) return;
      if (role === 'assistant') await settleAssistant(tx, userID);
      await tell(tx, course, [userID], undefined, (texts, title) => ({
        title: texts.courseTold.noStaff(title),
        content: texts.courseTold.noStaffText,
      }));
    });
    onLoginChanged(userID);
  }

  return {
    /**
     * Joins a course, or applies for it; who is in it already stays as they are.
     * @throws DomainError `course_staff`, `course_code_wrong`, `course_code_expired`, `too_many_guesses`
     */
    async join(
      course: CourseRow,
      userID: number,
      code: string | undefined,
    ): Promise<'waiting' | 'member'> {
      if (code !== undefined && code !== '') await admitGuess(`course:${userID}`, GUESSES);
      else if (course.myRole === null) await admitGuess(`apply:${userID}`, APPLICATIONS);
      return database.transaction(async (tx) => {
        const now = await people.holdCourse(tx, course.id);
        if (!now) throw new DomainError('not_found');
        const before = await people.findRole(tx, course.id, userID);
        if (now.ownerID === userID || before === 'assistant' || before === 'collaborator')
          throw new DomainError('course_staff');
        // An admin sees drafts; nobody joins one.
        if (!now.isPublished) throw new DomainError('not_found');
        if (before === 'member') return 'member';
        const isByCode = now.isPrivate || now.joinMode === CourseJoinMode.inviteCode;
        // They applied before the course was joined by code, and are still waiting.
        if (isByCode && before === 'waiting' && !code) return 'waiting';
        if (isByCode) checkCode(now, code);
        const role =
          isByCode || now.joinMode === CourseJoinMode.public ? 'member' : ('waiting' as const);
        if (role === before) return role;
        const at = clock.now();
        const isPut = await people.putPerson(
          tx,
          {
            courseID: course.id,
            userID,
            role,
            appliedAt: at,
            joinedAt: role === 'member' ? at : null,
          },
          role === 'member' ? ['waiting'] : [],
        );
        if (isPut && role === 'waiting') {
          const name = await people.findNickname(tx, userID);
          await tell(
            tx,
            now,
            await listStaffIDs(tx, now),
            staffPageOf(course, 'member'),
            (texts, title) => ({
              title: texts.courseTold.applied(title),
              content: texts.courseTold.appliedText(name),
            }),
          );
        }
        return role;
      });
    },

    /** Leaves a course, or withdraws the application; who works on it stays. */
    async leave(course: CourseRow, userID: number): Promise<void> {
      await database.transaction(async (tx) => {
        const [removed] = await people.removePeople(tx, course.id, [userID], ['waiting', 'member']);
        if (removed?.role === 'member')
          await tell(tx, course, [userID], pageOf(course), (texts, title) => ({
            title: texts.courseTold.left(title),
            content: texts.courseTold.leftText,
          }));
      });
    },

    /** Answers applications. @returns how many waited */
    async review(
      course: CourseRow,
      persons: readonly ScopedPerson[],
      isApproved: boolean,
    ): Promise<number> {
      const userIDs = persons.map(({ id }) => id);
      return database.transaction(async (tx) => {
        const answered = isApproved
          ? await people.admitPeople(tx, course.id, userIDs, clock.now())
          : (await people.removePeople(tx, course.id, userIDs, ['waiting'])).map(
              ({ userID }) => userID,
            );
        await tell(tx, course, answered, pageOf(course), (texts, title) =>
          isApproved
            ? { title: texts.courseTold.approved(title), content: texts.courseTold.approvedText }
            : { title: texts.courseTold.rejected(title), content: texts.courseTold.rejectedText },
        );
        return answered.length;
      });
    },

    /** Takes people out of a course. @returns how many */
    async removeMembers(course: CourseRow, persons: readonly ScopedPerson[]): Promise<number> {
      const userIDs = persons.map(({ id }) => id);
      return database.transaction(async (tx) => {
        const removed = await people.removePeople(tx, course.id, userIDs, ['waiting', 'member']);
        const idsOf = (role: 'waiting' | 'member'): number[] =>
          removed.filter((person) => person.role === role).map(({ userID }) => userID);
        await tell(tx, course, idsOf('member'), pageOf(course), (texts, title) => ({
          title: texts.courseTold.removed(title),
          content: texts.courseTold.removedText,
        }));
        // Who only applied was never in it: to them it is the answer.
        await tell(tx, course, idsOf('waiting'), pageOf(course), (texts, title) => ({
          title: texts.courseTold.rejected(title),
          content: texts.courseTold.rejectedText,
        }));
        return removed.length;
      });
    },

    /** Deletes a course; everybody who was in it is told, and assistants of nothing else lose the role. */
    async remove(course: CourseRow, actorID: number): Promise<void> {
      let assistants: number[] = [];
      await database.transaction(async (tx) => {
        await people.lockCourse(tx, course.id);
        assistants = await people.listPeopleIDs(tx, course.id, ['assistant']);
        for (const userID of assistants) await people.lockAccount(tx, userID);
        const told = await people.listPeopleIDs(tx, course.id, [
          'member',
          'assistant',
          'collaborator',
        ]);
        if (course.ownerID !== null) told.push(course.ownerID);
        await queries.deleteCourseRow(tx, course.id);
        for (const userID of assistants) await settleAssistant(tx, userID);
        await tell(
          tx,
          course,
          told.filter((userID) => userID !== actorID),
          undefined,
          (texts, title) => ({
            title: texts.courseTold.deleted(title),
            content: texts.courseTold.deletedText,
          }),
        );
      });
      for (const userID of assistants) onLoginChanged(userID);
    },

    addAssistant: (course: CourseRow, name: string) => addStaff(course, name, 'assistant'),
    addCollaborator: (course: CourseRow, name: string) => addStaff(course, name, 'collaborator'),
    removeAssistant: (course: CourseRow, person: ScopedPerson) =>
      removeStaff(course, person, 'assistant'),
    removeCollaborator: (course: CourseRow, person: ScopedPerson) =>
      removeStaff(course, person, 'collaborator'),

    /** Puts up a notice, and tells everybody in the course. @returns its id */
    async addNotice(course: CourseRow, body: NoticeFields, authorID: number): Promise<number> {
      const values = noticeValuesOf(body);
      const now = clock.now();
      return database.transaction(async (tx) => {
        const noticeID = await notices.insertNotice(tx, {
          ...values,
          courseID: course.id,
          authorID,
          createdAt: now,
          updatedAt: now,
        });
        await notifyCourse(tx, {
          ...(await noticeWords(course, values)),
          courseID: course.id,
          noticeID,
          senderID: authorID,
          path: pageOf(course),
        });
        return noticeID;
      });
    },

    /** @throws DomainError `changed_meanwhile` */
    async changeNotice(
      course: CourseRow,
      notice: NoticeRow,
      body: NoticeFields,
      version: number,
    ): Promise<void> {
      const values = noticeValuesOf(body);
      await database.transaction(async (tx) => {
        if (!(await notices.updateNoticeRow(tx, notice.id, version, values, clock.now())))
          throw new DomainError('changed_meanwhile');
        await changeNoticeNotification(tx, notice.id, await noticeWords(course, values));
      });
    },

    async removeNotice(notice: NoticeRow): Promise<void> {
      await database.transaction(async (tx) => {
        await withdrawNoticeNotification(tx, notice.id);
        await notices.deleteNoticeRow(tx, notice.id);
      });
    },
  };
}
