import type { BodyOf, Language, routes } from '@hypercube/contract';
import type pg from 'pg';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import { managesRow } from '../../platform/access/managed.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import { XLSX_TYPE } from '../../platform/sheet/write.ts';
import { exportSubmissions } from './problem.export.ts';
import {
  presentManaged,
  presentManagedRow,
  presentManagedSubmission,
  presentProblem,
  presentProblemDetail,
  presentSubmission,
  presentSubmissionRow,
} from './problem.present.ts';
import {
  countByDifficulty,
  findProblems,
  getProblemRow,
  insertProblem,
  listCodes,
  listManagedRows,
  prepareProblemLists,
  updateProblemRow,
  type CodeValues,
  type ProblemRow,
  type ProblemValues,
} from './problem.queries.ts';
import type { ProblemService } from './problem.service.ts';
import {
  countDependents,
  listChecks,
  listSubmissionRows,
  type SubmissionRow,
} from './problem.submission.queries.ts';

type Names =
  | 'listProblems'
  | 'getProblemProgress'
  | 'getJudge'
  | 'getProblem'
  | 'listProblemSubmissions'
  | 'getProblemSubmission'
  | 'createProblemSubmission'
  | 'runProblem'
  | 'listManagedProblems'
  | 'getManagedProblem'
  | 'createProblem'
  | 'updateProblem'
  | 'publishProblem'
  | 'getProblemDependents'
  | 'deleteProblem'
  | 'uploadProblemTests'
  | 'getProblemTests'
  | 'checkProblem'
  | 'listManagedProblemSubmissions'
  | 'exportProblemSubmissions'
  | 'rejudgeProblemSubmission'
  | 'rejudgeProblem';

type Fields = BodyOf<typeof routes.createProblem>;

const valuesOf = (body: Fields): ProblemValues => ({
  titleZh: body.TitleZh,
  titleEn: body.TitleEn,
  contentZh: body.ContentZh,
  contentEn: body.ContentEn,
  difficulty: body.Difficulty,
  domainID: body.DomainID ?? null,
  cpuMs: body.CpuMs,
  memoryBytes: body.MemoryBytes,
  parallelism: body.Parallelism,
  samples: body.SampleCount,
});

const codesOf = (body: Fields): CodeValues[] =>
  body.Codes.map((code) => ({
    language: code.Language,
    defaultCode: code.DefaultCode,
    referenceCode: code.ReferenceCode,
  }));

/** Who may read why nothing is judged. */
const isStaff = ({ roles }: Actor): boolean => roles.includes('teacher') || roles.includes('admin');

export interface ProblemHandlersOptions {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly service: ProblemService;
}

export function problemHandlers({
  database,
  pool,
  service,
}: ProblemHandlersOptions): HandlersOf<Names> {
  const list = prepareProblemLists(database);

  const managed = async (problem: ProblemRow, language: Language) => {
    const [row, codes, pairs, checks] = await Promise.all([
      getProblemRow(database, problem, null),
      listCodes(database, problem.id),
      service.pairsOf(problem),
      listChecks(database, problem.id),
    ]);
    return presentManaged(problem, row, { codes, pairs, checks }, language);
  };

  const shown = async (actor: Actor, problem: ProblemRow, row: SubmissionRow) =>
    presentSubmission(await service.facts(problem, row, managesRow(actor, problem)));

  return {
    listProblems: async ({ actor, query }) => {
      const { rows, total } = await list({
        ...query,
        keyword: query.keyword,
        type: query.difficulty,
        userID: actor.userID,
        more: { language: query.language, state: query.state },
      });
      return { List: rows.map((row) => presentProblem(row, query.lang)), Total: total };
    },

    getProblemProgress: async ({ actor }) => ({
      List: (await countByDifficulty(database, actor.userID)).map((row) => ({
        Difficulty: row.difficulty as 1 | 2 | 3,
        Total: row.total,
        Solved: row.solved,
        Tried: row.tried,
      })),
    }),

    getJudge: async ({ actor }) => {
      const { isReady, reason, languages, waiting } = await service.judge();
      return {
        IsReady: isReady,
        Reason: isStaff(actor) ? reason : null,
        Languages: languages as (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8)[],
        Waiting: waiting,
      };
    },

    getProblem: async ({ actor, scoped: { problemID: problem }, query }) => {
      const [row, codes, samples] = await Promise.all([
        getProblemRow(database, problem, actor.userID),
        listCodes(database, problem.id),
        service.samplesOf(problem),
      ]);
      const isManaged = managesRow(actor, problem);
      return presentProblemDetail(problem, row, codes, samples, isManaged, query.lang);
    },

    listProblemSubmissions: async ({ actor, scoped, query }) => {
      const { rows, total } = await listSubmissionRows(database, scoped.problemID.id, {
        ...query,
        // One's own: a keyword names a person.
        keyword: undefined,
        userID: signedIn(actor).userID,
      });
      return { List: rows.map(presentSubmissionRow), Total: total };
    },

    getProblemSubmission: async ({ actor, scoped }) =>
      shown(actor, scoped.problemID, scoped.submissionID),

    createProblemSubmission: async ({ actor, scoped: { problemID: problem }, body }) =>
      shown(
        actor,
        problem,
        await service.submit(problem, signedIn(actor).userID, {
          language: body.Language,
          source: body.Source,
        }),
      ),

    runProblem: async ({ actor, scoped: { problemID: problem }, body }) =>
      shown(
        actor,
        problem,
        await service.run(problem, signedIn(actor).userID, {
          language: body.Language,
          source: body.Source,
          stdin: body.Stdin,
        }),
      ),

    listManagedProblems: async ({ actor, query }) => {
      const { rows, total } = await listManagedRows(database, {
        ...query,
        keyword: query.keyword,
        difficulty: query.difficulty,
        state: query.state,
        ownerID: actor.roles.includes('admin') ? undefined : signedIn(actor).userID,
      });
      return { List: rows.map((row) => presentManagedRow(row, query.lang)), Total: total };
    },

    getManagedProblem: async ({ scoped, query }) => managed(scoped.problemID, query.lang),

    createProblem: async ({ actor, body, query }) =>
      managed(
        await insertProblem(
          database,
          valuesOf(body),
          signedIn(actor).userID,
          body.TagIDList,
          codesOf(body),
        ),
        query.lang,
      ),

    updateProblem: async ({ scoped, body, query }) => {
      const row = await updateProblemRow(
        database,
        scoped.problemID,
        body.Version,
        valuesOf(body),
        body.TagIDList,
        codesOf(body),
      );
      if (!row) throw new DomainError('changed_meanwhile');
      return managed(row, query.lang);
    },

    publishProblem: async ({ scoped, body, query }) =>
      managed(await service.publish(scoped.problemID, body.IsPublished), query.lang),

    getProblemDependents: async ({ scoped }) => {
      const { submissions, learners, solved } = await countDependents(
        database,
        scoped.problemID.id,
      );
      return { Submissions: submissions, Learners: learners, Solved: solved };
    },

    deleteProblem: async ({ scoped }) => {
      await service.remove(scoped.problemID);
      return null;
    },

    uploadProblemTests: async ({ scoped: { problemID: problem }, file, query }) => {
      await service.putTests(problem, await file());
      const [changed] = await findProblems(database, [problem.id]);
      if (!changed) throw new DomainError('not_found');
      return managed(changed, query.lang);
    },

    getProblemTests: async ({ scoped: { problemID: problem }, reply }) => {
      if (problem.testsFolder === null) throw new DomainError('tests_missing');
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="problem-${problem.id}-tests.zip"`,
          'cache-control': 'no-store',
        })
        .send(service.tests.zip(problem.testsFolder, problem.testCount));
    },

    checkProblem: async ({ actor, scoped: { problemID: problem }, body }) =>
      shown(actor, problem, await service.check(problem, signedIn(actor).userID, body.Language)),

    listManagedProblemSubmissions: async ({ scoped, query }) => {
      const { rows, total } = await listSubmissionRows(database, scoped.problemID.id, query);
      return { List: rows.map(presentManagedSubmission), Total: total };
    },

    exportProblemSubmissions: async ({ scoped, query, reply }) => {
      const sheet = await exportSubmissions(
        { database, pool },
        scoped.problemID.id,
        { keyword: query.keyword, language: query.language, verdict: query.verdict },
        query.columns,
        query.lang,
      );
      reply.headers({
        'content-type': XLSX_TYPE,
        'content-disposition': 'attachment; filename="submissions.xlsx"',
        'cache-control': 'no-store',
      });
      return sheet;
    },

    rejudgeProblemSubmission: async ({ actor, scoped: { problemID: problem, submissionID } }) =>
      shown(actor, problem, await service.rejudge(problem, submissionID)),

    rejudgeProblem: async ({ scoped }) => ({ Count: await service.rejudgeAll(scoped.problemID) }),
  };
}
