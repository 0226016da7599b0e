import { type HomeworkSummary, type Language } from '@hypercube/contract';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { dispositionOf, sendFile } from '../../platform/http/ranges.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { inLanguage } from '../../platform/language.ts';
import { XLSX_TYPE } from '../../platform/sheet/write.ts';
import { actsAsAdmin } from '../course/course.access.ts';
import type { CourseActor } from '../course/course.service.ts';
import { exportScores, exportSubmissions, stepOf } from './homework.export.ts';
import { extensionOf } from './homework.files.ts';
import {
  presentCommentFiles,
  presentDependents,
  presentDue,
  presentFile,
  presentHomework,
  presentHomeworkDetail,
  presentManaged,
  presentManagedRow,
  presentScore,
  presentScoreDetail,
  presentScoreImport,
  presentSubmission,
  presentWaiting,
} from './homework.present.ts';
import {
  countDependents,
  getManagedRow,
  listDueRows,
  listManagedRows,
  listOpenRows,
  listWaitingRows,
  type HomeworkRow,
} from './homework.queries.ts';
import {
  findGraded,
  findNeighbours,
  listScoreChanges,
  listScoreRows,
  type GradedPersonRow,
} from './homework.score.queries.ts';
import type { HomeworkService } from './homework.service.ts';
import {
  findSubmissionOf,
  listAttachmentRows,
  listFileRows,
  type FileRow,
  type SubmissionRow,
} from './homework.submission.queries.ts';

type Names =
  | 'listHomework'
  | 'listDueHomework'
  | 'getHomework'
  | 'getHomeworkAttachment'
  | 'uploadSubmissionFile'
  | 'createSubmission'
  | 'updateSubmission'
  | 'deleteSubmission'
  | 'getSubmissionFile'
  | 'listManagedHomework'
  | 'getManagedHomework'
  | 'uploadHomeworkAttachment'
  | 'createHomework'
  | 'updateHomework'
  | 'publishHomework'
  | 'getHomeworkDependents'
  | 'deleteHomework'
  | 'listScores'
  | 'getScore'
  | 'uploadCommentFile'
  | 'updateScore'
  | 'resetScore'
  | 'exportSubmissions'
  | 'exportScores'
  | 'previewScores'
  | 'importScores'
  | 'importCommentFiles'
  | 'listWaitingHomework';

/** Films are shown in place; a browser neither runs them nor reads more than pictures and sound. */
const FILMS: Readonly<Record<string, string>> = { mp4: 'video/mp4', mkv: 'video/x-matroska' };
const sentAs = (name: string): { type: string; isInline: boolean } => {
  const type = FILMS[extensionOf(name)];
  return { type: type ?? 'application/octet-stream', isInline: type !== undefined };
};

/** Whose courses an actor works on, in the role in which they act. */
const courseActorOf = (actor: Actor): CourseActor => ({
  userID: signedIn(actor).userID,
  isAdmin: actsAsAdmin(actor),
  isTeacher: actor.roles.includes('teacher'),
});

export function homeworkHandlers({
  database,
  clock,
  service,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly service: HomeworkService;
}): HandlersOf<Names> {
  const managed = async (homeworkID: number, language: Language) => {
    const [row, attachments] = await Promise.all([
      getManagedRow(database, homeworkID),
      listAttachmentRows(database, homeworkID),
    ]);
    return presentManaged(row, attachments, language);
  };

  const own = async (row: SubmissionRow, homework: HomeworkRow) =>
    presentSubmission(row, await listFileRows(database, row.id), homework);

  /** What somebody handed in and got, as it is now. */
  async function score(homework: HomeworkRow, { id: userID }: Pick<GradedPersonRow, 'id'>) {
    const [[person], submission, neighbours] = await Promise.all([
      findGraded(database, homework.id, [userID]),
      findSubmissionOf(database, homework.id, userID),
      findNeighbours(database, homework.id, userID),
    ]);
    if (!person) throw new DomainError('not_found');
    const [files, history] = submission
      ? await Promise.all([
          listFileRows(database, submission.id),
          listScoreChanges(database, submission.id),
        ])
      : [[], []];
    return presentScoreDetail(person, { homework, submission, files, history, neighbours });
  }

  const send = (
    file: FileRow,
    call: Pick<Parameters<HandlersOf<Names>['getSubmissionFile']>[0], 'request' | 'reply'>,
  ) =>
    sendFile(call.request, call.reply, {
      path: service.pathOf(file),
      name: file.name,
      ...sentAs(file.name),
    });

  return {
    listHomework: async ({ actor, scoped, query }) => {
      const { userID } = signedIn(actor);
      const { rows, total } = await listOpenRows(
        database,
        scoped.courseID.id,
        userID,
        clock.now(),
        { ...query, keyword: query.keyword },
      );
      const List: HomeworkSummary[] = rows.map((row) => presentHomework(row, query.lang));
      return { List, Total: total };
    },

    listDueHomework: async ({ actor, query }) => {
      const { userID } = signedIn(actor);
      const { rows, total } = await listDueRows(database, userID, clock.now(), {
        ...query,
        keyword: query.keyword,
      });
      return { List: rows.map((row) => presentDue(row, query.lang)), Total: total };
    },

    getHomework: async ({ actor, scoped: { homeworkID: homework }, query }) => {
      const { userID } = signedIn(actor);
      const [attachments, row] = await Promise.all([
        listAttachmentRows(database, homework.id),
        findSubmissionOf(database, homework.id, userID),
      ]);
      const files = row ? await listFileRows(database, row.id) : [];
      return presentHomeworkDetail(homework, attachments, row, files, query.lang);
    },

    getHomeworkAttachment: ({ scoped, request, reply }) => send(scoped.fileID, { request, reply }),

    uploadSubmissionFile: async ({ actor, scoped, file }) =>
      presentFile(
        await service.keepSubmissionFile(
          scoped.courseID,
          scoped.homeworkID,
          file,
          signedIn(actor).userID,
        ),
        null,
      ),

    createSubmission: async ({ actor, scoped, body }) =>
      own(
        await service.submit(
          scoped.courseID,
          scoped.homeworkID,
          signedIn(actor).userID,
          body.Text,
          scoped.FileIDList ?? [],
        ),
        scoped.homeworkID,
      ),

    updateSubmission: async ({ actor, scoped, body }) =>
      own(
        await service.resubmit(
          scoped.courseID,
          scoped.homeworkID,
          signedIn(actor).userID,
          body.Version,
          body.Text,
          scoped.FileIDList ?? [],
        ),
        scoped.homeworkID,
      ),

    deleteSubmission: async ({ actor, scoped }) => {
      await service.withdraw(scoped.courseID, scoped.homeworkID, signedIn(actor).userID);
      return null;
    },

    getSubmissionFile: ({ scoped, request, reply }) => send(scoped.fileID, { request, reply }),

    listManagedHomework: async ({ scoped, query }) => {
      const { rows, total } = await listManagedRows(database, scoped.courseID.id, {
        ...query,
        keyword: query.keyword,
        state: query.state,
      });
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    getManagedHomework: ({ scoped, query }) => managed(scoped.homeworkID.id, query.lang),

    uploadHomeworkAttachment: async ({ actor, scoped, file }) =>
      presentFile(
        await service.keepAttachment(scoped.courseID, await file(), signedIn(actor).userID),
        null,
      ),

    createHomework: async ({ actor, scoped, body, query }) => {
      const homeworkID = await service.create(
        scoped.courseID,
        body,
        scoped.AttachmentIDList ?? [],
        signedIn(actor).userID,
      );
      return managed(homeworkID, query.lang);
    },

    updateHomework: async ({ actor, scoped, body, query }) => {
      await service.update(
        scoped.courseID,
        scoped.homeworkID,
        body.Version,
        body,
        scoped.AttachmentIDList ?? [],
        signedIn(actor).userID,
      );
      return managed(scoped.homeworkID.id, query.lang);
    },

    publishHomework: async ({ actor, scoped, body, query }) => {
      await service.publish(
        scoped.courseID,
        scoped.homeworkID,
        body.Version,
        body.IsPublished,
        signedIn(actor).userID,
      );
      return managed(scoped.homeworkID.id, query.lang);
    },

    getHomeworkDependents: async ({ scoped }) =>
      presentDependents(await countDependents(database, scoped.homeworkID.id)),

    deleteHomework: async ({ scoped }) => {
      await service.remove(scoped.homeworkID);
      return null;
    },

    listScores: async ({ scoped, query }) => {
      const { rows, total } = await listScoreRows(database, scoped.homeworkID.id, {
        ...query,
        keyword: query.keyword,
        state: query.state,
        correction: query.correction,
      });
      return { List: rows.map(presentScore), Total: total };
    },

    getScore: ({ scoped }) => score(scoped.homeworkID, scoped.userID),

    uploadCommentFile: async ({ actor, scoped, file }) =>
      presentFile(
        await service.keepCommentFile(
          scoped.courseID,
          scoped.homeworkID,
          await file(),
          signedIn(actor).userID,
        ),
        null,
      ),

    updateScore: async ({ actor, scoped, body }) => {
      await service.grade(
        scoped.courseID,
        scoped.homeworkID,
        scoped.userID,
        {
          scoreTenths: Math.round(body.Score * 10),
          comment: body.Comment,
          file: scoped.CommentFileID,
        },
        body.Version,
        signedIn(actor).userID,
      );
      return score(scoped.homeworkID, scoped.userID);
    },

    resetScore: async ({ actor, scoped, body }) => {
      await service.reset(
        scoped.courseID,
        scoped.homeworkID,
        scoped.userID,
        body.Version,
        signedIn(actor).userID,
      );
      return score(scoped.homeworkID, scoped.userID);
    },

    exportSubmissions: async ({ scoped: { homeworkID: homework }, query, reply }) => {
      const name = inLanguage(query.lang, homework.titleZh, homework.titleEn);
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': dispositionOf('attachment', `${stepOf(name)}.zip`),
        'cache-control': 'no-store',
      });
      return exportSubmissions(
        database,
        { pathOf: (stored) => service.pathOf({ stored }) },
        homework.id,
        query.lang,
      );
    },

    exportScores: async ({ scoped: { homeworkID: homework }, query, reply }) => {
      const name = inLanguage(query.lang, homework.titleZh, homework.titleEn);
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': dispositionOf('attachment', `${stepOf(name)}.xlsx`),
        'cache-control': 'no-store',
      });
      return exportScores(database, homework.id, query.lang);
    },

    previewScores: async ({ scoped, file }) =>
      presentScoreImport(await service.previewScores(scoped.homeworkID, await file())),

    importScores: async ({ actor, scoped, file, query, note }) => {
      const { changes } = await service.importScores(
        scoped.courseID,
        scoped.homeworkID,
        await file(),
        query.token,
        signedIn(actor).userID,
      );
      for (const { person, scoreTenths, comment } of changes)
        note({
          kind: 'gradedPerson',
          id: person.id,
          title: person.username,
          before: { scoreTenths: person.scoreTenths, comment: person.comment },
          after: { scoreTenths, comment },
        });
      return { Changed: changes.length };
    },

    importCommentFiles: async ({ actor, scoped, file, query, note }) => {
      const isPreview = query.preview === 'true';
      const reading = await service.readCommentFiles(
        scoped.courseID,
        scoped.homeworkID,
        await file(),
        isPreview,
        signedIn(actor).userID,
      );
      if (!isPreview)
        for (const { file: name, person } of reading.matched)
          note({
            kind: 'gradedPerson',
            id: person.id,
            title: person.username,
            before: null,
            after: { CommentFile: name },
          });
      return presentCommentFiles(reading);
    },

    listWaitingHomework: async ({ actor, query }) => {
      const { rows, total } = await listWaitingRows(database, courseActorOf(actor), {
        ...query,
        keyword: query.keyword,
      });
      return { List: rows.map((row) => presentWaiting(row, query.lang)), Total: total };
    },
  };
}
