/** Grading: giving points and taking them back, one by one, by a sheet, and files of comments by a zip. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { COUNT_LIMITS, UPLOAD_TYPES, type CommentFileProblem } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { IncomingFile } from '../../platform/http/upload.ts';
import { inLanguage } from '../../platform/language.ts';
import { SHEET_BYTES, readSheet } from '../../platform/sheet/read.ts';
import type { Uploads } from '../../platform/storage/uploads.ts';
import { unpackZip } from '../../platform/storage/zip.ts';
import type { CourseRow } from '../course/course.service.ts';
import { inBothLanguages, notifyUsers } from '../notification/notification.service.ts';
import {
  checkName,
  extensionOf,
  isWhatItSays,
  translate,
  type HomeworkFiles,
} from './homework.files.ts';
import { holdHomework, type HomeworkRow } from './homework.queries.ts';
import {
  insertScoreChange,
  listAllScores,
  type GradedPersonRow,
} from './homework.score.queries.ts';
import { peopleOfFiles, readScores, rowsOfSheet, type SheetReading } from './homework.sheet.ts';
import * as submissions from './homework.submission.queries.ts';
import type { FileRow, SubmissionRow } from './homework.submission.queries.ts';
import type { KeepFile } from './homework.submission.service.ts';

/** What a zip of comment files may become, against the limit of an upload. */
const ZIP_LIMITS = { entries: 2000, ratio: 200, growth: 10 } as const;

/** What somebody is given; points of null take them back. */
interface Given {
  readonly scoreTenths: number | null;
  readonly comment: string;
}

export interface CommentFileReading {
  readonly matched: readonly {
    readonly file: string;
    readonly person: GradedPersonRow;
    readonly isReplaced: boolean;
  }[];
  readonly unmatched: readonly { readonly file: string; readonly problem: CommentFileProblem }[];
}

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

/** Every file below a folder, in order of their paths. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

export function createScoring({
  database,
  clock,
  files,
  uploads,
  uploadBytes,
  keepFile,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: HomeworkFiles;
  readonly uploads: Uploads;
  readonly uploadBytes: () => number;
  readonly keepFile: KeepFile;
}) {
  /** The homework as it stays until the transaction ends. @throws DomainError `not_found`, `score_too_high` */
  async function hold(tx: Executor, homework: HomeworkRow, scoreTenths = 0): Promise<void> {
    const now = await holdHomework(tx, homework.id);
    if (!now) throw new DomainError('not_found');
    if (scoreTenths > now.maxTenths)
      throw new DomainError('score_too_high', { MaxScore: now.maxTenths / 10 });
  }

  /** Somebody's record, locked. @throws DomainError `changed_meanwhile` */
  async function lock(
    tx: Executor,
    homework: HomeworkRow,
    userID: number,
    version: number,
  ): Promise<SubmissionRow> {
    const current = await submissions.lockSubmission(tx, homework.id, userID);
    if (current.version !== version) throw new DomainError('changed_meanwhile');
    return current;
  }

  /** Writes what somebody is given, and who changed it from what. */
  async function write(
    tx: Executor,
    current: SubmissionRow,
    given: Given,
    actorID: number,
  ): Promise<void> {
    const now = clock.now();
    const isGiven = given.scoreTenths !== null;
    await submissions.updateSubmissionRow(tx, current.id, {
      ...given,
      gradedAt: isGiven ? now : null,
      gradedBy: isGiven ? actorID : null,
    });
    if (current.scoreTenths === given.scoreTenths && current.comment === given.comment) return;
    await insertScoreChange(tx, {
      submissionID: current.id,
      at: now,
      byID: actorID,
      scoreBefore: current.scoreTenths,
      scoreAfter: given.scoreTenths,
      commentBefore: current.comment,
      commentAfter: given.comment,
    });
  }

  /** Tells learners; the points themselves stay on the page, out of mails and digests. */
  async function tell(
    tx: Executor,
    course: CourseRow,
    homework: HomeworkRow,
    persons: readonly GradedPersonRow[],
    what: 'graded' | 'reset',
  ): Promise<void> {
    await notifyUsers(tx, {
      // Who left the course could not open what they are told of.
      userIDs: persons.filter(({ hasLeft }) => !hasLeft).map(({ id }) => id),
      kind: 'course',
      ...(await inBothLanguages(({ homeworkTold }, language) => {
        const courseTitle = inLanguage(language, course.titleZh, course.titleEn);
        const title = inLanguage(language, homework.titleZh, homework.titleEn);
        return what === 'graded'
          ? { title: homeworkTold.graded(courseTitle, title), content: homeworkTold.gradedText }
          : { title: homeworkTold.reset(courseTitle, title), content: homeworkTold.resetText };
      })),
      path: `/course/${course.id}/homework/${homework.id}`,
    });
  }

  /** Reads a grade sheet beside what is there now. @throws DomainError `sheet_unreadable`, `sheet_too_long` */
  async function readGradeSheet(
    db: Executor,
    homework: HomeworkRow,
    bytes: Buffer,
  ): Promise<SheetReading> {
    const rows = await rowsOfSheet(await readSheet(bytes, COUNT_LIMITS.scoreRows + 1));
    if (!rows || rows.length === 0) throw new DomainError('sheet_unreadable');
    return readScores(rows, await listAllScores(db, homework.id), homework.maxTenths);
  }

  /** @throws DomainError `upload_type`, `file_name_invalid`, `upload_too_large` */
  async function receiveSheet(incoming: IncomingFile): Promise<Buffer> {
    checkName(incoming.name, UPLOAD_TYPES.gradeImport);
    await using workplace = await uploads.workplace().catch(translate);
    const { path } = await uploads.receive(incoming, SHEET_BYTES, workplace).catch(translate);
    return await readFile(path);
  }

  /** For whom each file of an unpacked zip is, with where it lies. */
  async function matchFiles(homework: HomeworkRow, folder: string) {
    const people = await listAllScores(database, homework.id);
    const known = new Map(people.map((person) => [person.id, person]));
    const names = peopleOfFiles(people);
    const limit = uploadBytes();
    const seen = new Set<number>();
    const matched: { path: string; file: string; person: GradedPersonRow }[] = [];
    const unmatched: { file: string; problem: CommentFileProblem }[] = [];
    for (const path of await listFiles(folder)) {
      const file = basename(path);
      const refuse = (problem: CommentFileProblem): void => void unmatched.push({ file, problem });
      if (extensionOf(file) !== 'pdf' || !(await isWhatItSays(path, file))) {
        refuse('no_pdf');
        continue;
      }
      const found = names.findByFile(file);
      const person = typeof found === 'string' ? undefined : known.get(found.id);
      if (typeof found === 'string') refuse(found);
      else if (person === undefined) refuse('unknown');
      else if (seen.has(person.id)) refuse('repeated');
      else if ((await sizeOf(path)) > limit) refuse('too_large');
      else {
        seen.add(person.id);
        matched.push({ path, file, person });
      }
    }
    return { matched, unmatched };
  }

  return {
    keepCommentFile: (
      course: CourseRow,
      homework: HomeworkRow,
      incoming: IncomingFile,
      userID: number,
    ): Promise<FileRow> =>
      keepFile(incoming, UPLOAD_TYPES.homeworkComment, {
        kind: 'comment',
        courseID: course.id,
        homeworkID: homework.id,
        userID,
      }),

    /** Gives somebody points. @throws DomainError `changed_meanwhile`, `score_too_high` */
    grade: (
      course: CourseRow,
      homework: HomeworkRow,
      person: GradedPersonRow,
      given: Given & { readonly scoreTenths: number; readonly file: FileRow | undefined },
      version: number,
      actorID: number,
    ): Promise<void> =>
      database.transaction(async (tx) => {
        const { file, scoreTenths, comment } = given;
        await hold(tx, homework, scoreTenths);
        const current = await lock(tx, homework, person.id, version);
        await write(tx, current, { scoreTenths, comment }, actorID);
        await submissions.writeFiles(tx, current.id, 'comment', file ? [file.id] : []);
        await tell(tx, course, homework, [person], 'graded');
      }),

    /** Takes points and comment back; the learner may hand in anew. @throws DomainError `changed_meanwhile` */
    reset: (
      course: CourseRow,
      homework: HomeworkRow,
      person: GradedPersonRow,
      version: number,
      actorID: number,
    ): Promise<void> =>
      database.transaction(async (tx) => {
        await hold(tx, homework);
        const current = await lock(tx, homework, person.id, version);
        // Nothing was given: there is nothing to take back and nothing to tell.
        if (current.scoreTenths === null) return;
        await write(tx, current, { scoreTenths: null, comment: '' }, actorID);
        await submissions.writeFiles(tx, current.id, 'comment', []);
        await tell(tx, course, homework, [person], 'reset');
      }),

    /** What a grade sheet would change. */
    async previewScores(homework: HomeworkRow, incoming: IncomingFile): Promise<SheetReading> {
      return readGradeSheet(database, homework, await receiveSheet(incoming));
    },

    /**
     * Writes the changes of a grade sheet.
     * @param token of the preview: nothing else is written than what it said
     * @throws DomainError `changed_meanwhile`
     */
    async importScores(
      course: CourseRow,
      homework: HomeworkRow,
      incoming: IncomingFile,
      token: string,
      actorID: number,
    ): Promise<SheetReading> {
      const bytes = await receiveSheet(incoming);
      return database.transaction(async (tx) => {
        const now = await holdHomework(tx, homework.id);
        if (!now) throw new DomainError('not_found');
        const reading = await readGradeSheet(tx, now, bytes);
        if (reading.token !== token) throw new DomainError('changed_meanwhile');
        for (const { person, scoreTenths, comment } of reading.changes) {
          const current = await lock(tx, homework, person.id, person.version);
          await write(tx, current, { scoreTenths, comment }, actorID);
        }
        await tell(
          tx,
          course,
          homework,
          reading.changes.map(({ person }) => person),
          'graded',
        );
        return reading;
      });
    },

    /**
     * Says for whom the PDFs of a zip are, and gives them out unless that is only asked.
     * @throws DomainError `zip_refused`, `upload_too_large`, `storage_full`
     */
    async readCommentFiles(
      course: CourseRow,
      homework: HomeworkRow,
      incoming: IncomingFile,
      isPreview: boolean,
      actorID: number,
    ): Promise<CommentFileReading> {
      await using workplace = await uploads.workplace().catch(translate);
      const limit = uploadBytes();
      const received = await uploads.receive(incoming, limit, workplace).catch(translate);
      const folder = join(workplace.path, 'unpacked');
      await unpackZip(received.path, received.sizeBytes, folder, {
        entries: ZIP_LIMITS.entries,
        bytes: limit * ZIP_LIMITS.growth,
        ratio: ZIP_LIMITS.ratio,
      }).catch(translate);
      const { matched, unmatched } = await matchFiles(homework, folder);
      const withFile = await submissions.listCommented(database, homework.id);
      const reading = {
        matched: matched.map(({ file, person }) => ({
          file,
          person,
          isReplaced: withFile.has(person.id),
        })),
        unmatched,
      };
      if (isPreview || matched.length === 0) return reading;
      const kept: string[] = [];
      try {
        await database.transaction(async (tx) => {
          await hold(tx, homework);
          for (const { path, file, person } of matched) {
            const sizeBytes = await sizeOf(path);
            const stored = await files.keep(path).catch(translate);
            kept.push(stored);
            const current = await submissions.lockSubmission(tx, homework.id, person.id);
            const row = await submissions.insertFile(tx, {
              kind: 'comment',
              courseID: course.id,
              homeworkID: homework.id,
              submissionID: current.id,
              userID: actorID,
              name: file,
              stored,
              sizeBytes,
              createdAt: clock.now(),
            });
            await submissions.writeFiles(tx, current.id, 'comment', [row.id]);
            await submissions.updateSubmissionRow(tx, current.id, {});
          }
        });
      } catch (error) {
        for (const stored of kept) await files.discard(stored);
        throw error;
      }
      return reading;
    },
  };
}
