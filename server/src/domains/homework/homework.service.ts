/** The rules of homework: setting it, publishing it, and the files that are sent for it. */
import { UPLOAD_TYPES, type BodyOf, type routes } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { inLanguage } from '../../platform/language.ts';
import { Uploads } from '../../platform/storage/uploads.ts';
import { inZone } from '../../platform/zone.ts';
import { inBothLanguages, notifyCourse } from '../notification/notification.service.ts';
import type { CourseRow } from '../course/course.service.ts';
import { HomeworkFiles, checkName, isWhatItSays, translate } from './homework.files.ts';
import * as queries from './homework.queries.ts';
import type { HomeworkRow, HomeworkValues, UntoldRow } from './homework.queries.ts';
import { createScoring } from './homework.score.service.ts';
import { createHandingIn } from './homework.submission.service.ts';
import * as submissions from './homework.submission.queries.ts';
import type { FileKind, FileRow } from './homework.submission.queries.ts';

/** How often the folder of files is looked over, milliseconds: it may hold very many. */
const LOOK_MS = 3600 * 1000;
/** A file that nothing names after this goes, milliseconds. */
const LOOSE_MS = 24 * 3600 * 1000;

type Fields = Omit<BodyOf<typeof routes.updateHomework>, 'Version' | 'AttachmentIDList'>;

/**
 * What staff say of a homework, as the database keeps it.
 * @throws DomainError `homework_period_reversed`
 */
function valuesOf(body: Fields): HomeworkValues {
  const openAt = body.OpenAt === null ? null : new Date(body.OpenAt);
  const dueAt = new Date(body.DueAt);
  if (openAt !== null && openAt >= dueAt) throw new DomainError('homework_period_reversed');
  return {
    titleZh: body.TitleZh,
    titleEn: body.TitleEn,
    contentZh: body.ContentZh,
    contentEn: body.ContentEn,
    openAt,
    dueAt,
    maxTenths: Math.round(body.MaxScore * 10),
    isPublished: body.IsPublished,
  };
}

export type HomeworkService = ReturnType<typeof createHomeworkService>;

export function createHomeworkService({
  database,
  clock,
  dataFolder,
  zone,
  uploadBytes,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataFolder: string;
  /** IANA name of the calendar in which people are told a due time; they are told its name too. */
  readonly zone: string;
  /** How large an upload may be now. */
  readonly uploadBytes: () => number;
}) {
  const files = new HomeworkFiles(dataFolder);
  const uploads = new Uploads(dataFolder);
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Tells everybody in the course that a homework is set, or due at another time. */
  const tell = async (tx: Executor, row: UntoldRow, what: 'set' | 'due', senderID: number | null) =>
    notifyCourse(tx, {
      ...(await inBothLanguages(({ homeworkTold }, language) => {
        const course = inLanguage(language, row.courseZh, row.courseEn);
        const title = inLanguage(language, row.titleZh, row.titleEn);
        const due = inZone(row.dueAt, zone).slice(0, 'YYYY-MM-DD HH:mm'.length);
        return what === 'set'
          ? { title: homeworkTold.set(course, title), content: homeworkTold.setText(due, zone) }
          : { title: homeworkTold.due(course, title), content: homeworkTold.dueText(due, zone) };
      })),
      courseID: row.courseID,
      senderID,
      path: `/course/${row.courseID}/homework/${row.id}`,
    });

  /** Tells of what has come to be open and was never told of. */
  async function tellOpened(tx: Executor, senderID: number | null, homeworkID?: number) {
    for (const row of await queries.takeUntold(tx, clock.now(), homeworkID))
      await tell(tx, row, 'set', senderID ?? row.authorID);
  }

  /** What follows from a change: it is told of, once, and so is another due time. */
  async function settle(
    tx: Executor,
    course: CourseRow,
    before: HomeworkRow,
    now: HomeworkRow,
    actorID: number,
  ): Promise<void> {
    const isMoved = before.dueAt.getTime() !== now.dueAt.getTime();
    if (before.toldAt !== null && now.isPublished && course.isPublished && isMoved)
      await tell(
        tx,
        { ...now, courseZh: course.titleZh, courseEn: course.titleEn },
        'due',
        actorID,
      );
    await tellOpened(tx, actorID, now.id);
  }

  /**
   * Keeps a file that is being sent, until something names it.
   * @throws DomainError `file_name_invalid`, `upload_type`, `upload_too_large`, `storage_full`
   */
  async function keepFile(
    incoming: IncomingFile,
    allowed: readonly string[],
    place: {
      readonly kind: FileKind;
      readonly courseID: number;
      readonly homeworkID: number | null;
      readonly userID: number;
    },
  ): Promise<FileRow> {
    // Before anything is read, for those who would wait for a large file in vain.
    checkName(incoming.name, allowed);
    await using workplace = await uploads.workplace().catch(translate);
    const { path, sizeBytes } = await uploads
      .receive(incoming, uploadBytes(), workplace)
      .catch(translate);
    if (!(await isWhatItSays(path, incoming.name)))
      throw new DomainError('upload_type', { Allowed: [...allowed] });
    const stored = await files.keep(path).catch(translate);
    try {
      return await database.transaction((tx) =>
        submissions.insertFile(tx, {
          ...place,
          name: incoming.name,
          stored,
          sizeBytes,
          createdAt: clock.now(),
        }),
      );
    } catch (error) {
      await files.discard(stored);
      throw error;
    }
  }

  return {
    ...createHandingIn({ database, clock, keepFile }),
    ...createScoring({ database, clock, files, uploads, uploadBytes, keepFile }),

    /** Where the bytes of a file are. */
    pathOf: (file: Pick<FileRow, 'stored'>): string => files.pathOf(file.stored),

    keepAttachment: (course: CourseRow, incoming: IncomingFile, userID: number): Promise<FileRow> =>
      keepFile(incoming, UPLOAD_TYPES.homeworkAttachment, {
        kind: 'attachment',
        courseID: course.id,
        homeworkID: null,
        userID,
      }),

    /** Sets a homework. @returns its id @throws DomainError `homework_period_reversed` */
    async create(
      course: CourseRow,
      body: Fields,
      attachments: readonly FileRow[],
      actorID: number,
    ): Promise<number> {
      const values = valuesOf(body);
      const now = clock.now();
      return database.transaction(async (tx) => {
        const homeworkID = await queries.insertHomework(tx, {
          ...values,
          courseID: course.id,
          authorID: actorID,
          createdAt: now,
          updatedAt: now,
        });
        await submissions.writeAttachments(
          tx,
          homeworkID,
          attachments.map(({ id }) => id),
        );
        await tellOpened(tx, actorID, homeworkID);
        return homeworkID;
      });
    },

    /** @throws DomainError `changed_meanwhile`, `homework_period_reversed`, `homework_score_given` */
    async update(
      course: CourseRow,
      homework: HomeworkRow,
      version: number,
      body: Fields,
      attachments: readonly FileRow[],
      actorID: number,
    ): Promise<void> {
      const values = valuesOf(body);
      await database.transaction(async (tx) => {
        // Holds the row: nobody gives more points than the new maximum meanwhile.
        const now = await queries.updateHomeworkRow(tx, homework.id, version, values, clock.now());
        if (!now) throw new DomainError('changed_meanwhile');
        const highest = await queries.readHighestScore(tx, homework.id);
        if (highest !== null && highest > values.maxTenths)
          throw new DomainError('homework_score_given', { Score: highest / 10 });
        await submissions.writeAttachments(
          tx,
          homework.id,
          attachments.map(({ id }) => id),
        );
        await settle(tx, course, homework, now, actorID);
      });
    },

    /** Publishes a homework, or takes it back to a draft. @throws DomainError `changed_meanwhile` */
    async publish(
      course: CourseRow,
      homework: HomeworkRow,
      version: number,
      isPublished: boolean,
      actorID: number,
    ): Promise<void> {
      await database.transaction(async (tx) => {
        const now = await queries.updateHomeworkRow(
          tx,
          homework.id,
          version,
          { isPublished },
          clock.now(),
        );
        if (!now) throw new DomainError('changed_meanwhile');
        await settle(tx, course, homework, now, actorID);
      });
    },

    /** Deletes a homework with everything of it; the files go with the next sweep. */
    remove: (homework: HomeworkRow): Promise<void> =>
      queries.deleteHomeworkRow(database, homework.id),

    /** Tells of homework whose opening time has come, and removes files that nothing names. */
    async sweep(): Promise<void> {
      await database.transaction((tx) => tellOpened(tx, null));
      await submissions.deleteLooseFiles(database, new Date(clock.now().getTime() - LOOSE_MS));
      const now = clock.now().getTime();
      if (now - lookedAt < LOOK_MS) return;
      lookedAt = now;
      await files.sweep((names) => submissions.findStored(database, names));
    },
  };
}
