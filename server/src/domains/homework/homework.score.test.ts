import { CorrectionState, HomeworkSubmitState } from '@hypercube/contract';
import type {
  CommentFileImport,
  HomeworkDetail,
  HomeworkFile,
  ManagedHomework,
  Notification,
  Overview,
  ScoreDetail,
  ScoreImport,
  ScoreRow,
  WaitingHomework,
} from '@hypercube/contract';
import { utils, write } from '@e965/xlsx';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSheet } from '../../platform/sheet/read.ts';
import { HomeworkClass, PDF, outcome } from '../../testing/homework-class.ts';
import type { Person } from '../../testing/world.ts';
import { rawZip, zipOf } from '../../testing/zips.ts';

let group: HomeworkClass;

beforeAll(async () => {
  group = await HomeworkClass.create();
});
afterAll(() => group[Symbol.asyncDispose]());

interface Rows<T> {
  readonly List: T[];
  readonly Total: number;
}

/** A file of an answer, whose bytes the test client would read as text. */
async function download(path: string, person = group.teacher): Promise<Buffer> {
  const response = await group.world.system.app.inject({
    method: 'GET',
    url: `/api/v1${path}?role=${person.role}`,
    headers: { cookie: person.cookie ?? '' },
  });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

/** A sheet as a spreadsheet writes it. */
const sheetOf = (rows: readonly (readonly unknown[])[], bookType: 'xlsx' | 'xls' = 'xlsx') => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Sheet1');
  return write(book, { type: 'buffer', bookType }) as Buffer;
};

const HEADING = ['学号', '姓名', '分数', '评语'];

const preview = (homework: { ID: number }, content: Buffer, name = 'a.xlsx') =>
  group.teacher.upload<ScoreImport>(group.path(homework, '/score/import/preview'), {
    name,
    content,
  });
const importSheet = (homework: { ID: number }, content: Buffer, token: string) =>
  group.teacher.upload<{ Changed: number; Code?: string }>(
    group.path(homework, `/score/import?token=${token}`),
    { name: 'a.xlsx', content },
  );

async function lastTold(person: Person): Promise<Notification | undefined> {
  const { body } = await person.call<Rows<Notification>>('GET', '/notification?kind=course');
  return body.List[0];
}

describe('grading', () => {
  test('points are seen at once, with comment and file, and told without the points', async () => {
    const homework = await group.set();
    const { body: submitted } = await group.submit(homework);
    const { body: file } = await group.teacher.upload<HomeworkFile>(
      group.path(homework, '/score/file'),
      { name: '批注.pdf', content: PDF },
    );
    const seen = async () =>
      (await group.student.call<HomeworkDetail>('GET', group.path(homework))).body.Submission;
    expect((await seen())?.Result).toBeNull();
    const graded = await group.grade(homework, 'student', {
      Score: 92.5,
      Comment: '很好',
      CommentFileID: file.ID,
    });
    expect(graded.body).toMatchObject({ Score: 92.5, Correction: CorrectionState.corrected });
    const result = (await seen())?.Result;
    expect(result).toMatchObject({ Score: 92.5, Comment: '很好' });
    const path = group.path(homework, `/submission/${submitted.ID}/file/${file.ID}`);
    expect(result?.CommentFile?.Path).toBe(`/api/v1${path}`);
    expect(await download(path, group.student)).toEqual(PDF);
    const told = await lastTold(group.student);
    expect(told?.Title).toBe(`《并行程序设计》的作业“${homework.TitleZh}”已批改`);
    expect(JSON.stringify(told)).not.toContain('92.5');
    // Taken back, the file is nobody's any more.
    const { Version } = graded.body;
    const reset = group.path(homework, `/score/${group.ids['student']}/reset`);
    await group.teacher.call('PUT', reset, { Version });
    expect((await group.student.call('GET', path)).status).toBe(404);
  });

  test('points outside of what may be given are refused', async () => {
    const homework = await group.set({ MaxScore: 10 });
    await group.submit(homework);
    expect(outcome(await group.grade(homework, 'student', { Score: 10.1 }))).toEqual([
      400,
      'score_too_high',
    ]);
    for (const Score of [-1, 1.25, '3'])
      expect(outcome(await group.grade(homework, 'student', { Score }))).toEqual([
        400,
        'invalid_input',
      ]);
    expect((await group.grade(homework, 'student', { Score: 0 })).status).toBe(200);
  });

  test('two who correct at once, and what is handed in meanwhile, are told', async () => {
    const homework = await group.set();
    const { body: submitted } = await group.submit(homework);
    const path = group.path(homework, `/score/${group.ids['student']}`);
    const { Version } = (await group.score(homework, 'student')).body;
    // The learner hands in anew while it is read.
    await group.student.call('PUT', group.path(homework, `/submission/${submitted.ID}`), {
      Text: '更好的答案',
      Version: submitted.Version,
    });
    const give = (by: Person, Score: number, version: number) =>
      by.call<ScoreDetail>('PUT', path, { Score, Version: version });
    expect(outcome(await give(group.teacher, 50, Version))).toEqual([409, 'changed_meanwhile']);
    const both = await Promise.all([
      give(group.teacher, 70, Version + 1),
      give(group.assistant, 80, Version + 1),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('every change is kept with who made it', async () => {
    const homework = await group.set();
    await group.submit(homework);
    await group.grade(homework, 'student', { Score: 60, Comment: '一般' });
    const changed = await group.grade(
      homework,
      'student',
      { Score: 65, Comment: '一般' },
      group.assistant,
    );
    const reset = await group.teacher.call<ScoreDetail>(
      'PUT',
      group.path(homework, `/score/${group.ids['student']}/reset`),
      { Version: changed.body.Version },
    );
    expect(
      reset.body.History.map(({ By, ScoreBefore, ScoreAfter, CommentAfter }) => [
        By,
        ScoreBefore,
        ScoreAfter,
        CommentAfter,
      ]),
    ).toEqual([
      ['王老师', 65, null, ''],
      [expect.any(String), 60, 65, '一般'],
      ['王老师', null, 60, '一般'],
    ]);
    expect(reset.body.History[1]?.By).not.toBe('王老师');
  });

  test('somebody who handed nothing in can be given points; a stranger cannot', async () => {
    const homework = await group.set();
    expect((await group.grade(homework, 'student2', { Score: 30 })).body).toMatchObject({
      Score: 30,
      State: HomeworkSubmitState.unsubmitted,
    });
    expect((await group.score(homework, 'graduate')).status).toBe(404);
    expect(outcome(await group.submit(homework, group.student2))).toEqual([
      409,
      'homework_corrected',
    ]);
  });

  test('the list is filtered, sorted and counted; the next one to correct is known', async () => {
    const homework = await group.set({ DueAt: group.at(10) });
    await group.submit(homework);
    group.world.clock.advance(11);
    await group.submit(homework, group.student2);
    const list = async (query: string): Promise<string[]> =>
      (
        await group.teacher.call<Rows<ScoreRow>>('GET', group.path(homework, `/score?${query}`))
      ).body.List.map(({ Username }) => Username);
    expect(await list('')).toEqual(['student', 'student2']);
    expect(await list('state=2')).toEqual(['student2']);
    expect(await list('keyword=2023001')).toEqual(['student']);
    expect(await list('keyword=林')).toEqual(['student']);
    const first = await group.score(homework, 'student');
    expect([first.body.PreviousUncorrected, first.body.NextUncorrected]).toEqual([
      null,
      group.ids['student2'],
    ]);
    await group.grade(homework, 'student', { Score: 10 });
    expect(await list(`correction=${CorrectionState.uncorrected}`)).toEqual(['student2']);
    expect(await list(`correction=${CorrectionState.corrected}`)).toEqual(['student']);
    expect(await list('sort=score')).toEqual(['student', 'student2']);
    expect((await group.score(homework, 'student')).body.NextUncorrected).toBe(
      group.ids['student2'],
    );
    const { body } = await group.teacher.call<ManagedHomework>(
      'GET',
      group.path(homework, '/managed'),
    );
    expect([body.Members, body.Submitted, body.Corrected, body.Uncorrected]).toEqual([2, 2, 1, 1]);
  });

  test('what waits is on the first page of those who work on the course, and of nobody else', async () => {
    const homework = await group.set();
    await group.submit(homework);
    const waits = async (person: Person): Promise<number | undefined> =>
      (await person.call<Overview>('GET', '/dashboard/overview')).body.Waiting.find(
        ({ Kind }) => Kind === 'homework',
      )?.Count;
    const before = await waits(group.teacher);
    expect(before).toBeGreaterThan(0);
    expect([await waits(group.assistant), await waits(group.admin)]).toEqual([before, before]);
    const list = async (person: Person): Promise<WaitingHomework[]> =>
      (await person.call<Rows<WaitingHomework>>('GET', '/homework/waiting?pageSize=100')).body.List;
    expect((await list(group.teacher)).find(({ ID }) => ID === homework.ID)).toMatchObject({
      CourseID: group.course.ID,
      Uncorrected: 1,
    });
    // Another teacher has no part in it.
    await group.world.sql(
      sql`insert into user_role (user_id, role) values (${group.ids['graduate']}, 'teacher')`,
    );
    const other = await group.world.signIn('graduate', 'teacher');
    expect([await waits(other), await list(other)]).toEqual([0, []]);
    await group.world.sql(
      sql`delete from user_role where user_id = ${group.ids['graduate']} and role = 'teacher'`,
    );
    await group.grade(homework, 'student', { Score: 1 });
    expect(await waits(group.teacher)).toBe((before ?? 0) - 1);
    expect((await list(group.teacher)).map(({ ID }) => ID)).not.toContain(homework.ID);
  });
});

describe('grade sheets', () => {
  test('an untouched export changes nothing, whatever the comments hold', async () => {
    const homework = await group.set();
    await group.submit(homework);
    await group.grade(homework, 'student', {
      Score: 88.5,
      Comment: '=SUM(A1)\n第二行\u0007 “引号”',
    });
    await group.grade(homework, 'student2', { Score: 0, Comment: "'=不是公式" });
    const sheet = await download(group.path(homework, '/score/export'));
    expect((await readSheet(sheet, 10))[0]).toEqual(HEADING);
    expect((await readSheet(sheet, 10))[1]?.slice(0, 3)).toEqual(['2023001', '林同学', '88.5']);
    const { body } = await preview(homework, sheet);
    expect([body.Changes, body.Problems, body.Unchanged]).toEqual([[], [], 2]);
    // Saved anew by a spreadsheet, in either format, it still does.
    for (const bookType of ['xlsx', 'xls'] as const) {
      const again = await preview(
        homework,
        sheetOf(await readSheet(sheet, 10), bookType),
        `a.${bookType}`,
      );
      expect([again.body.Changes, again.body.Problems, again.body.Unchanged]).toEqual([[], [], 2]);
    }
  });

  test('people of one number and one name come back as who they are', async () => {
    await group.world.sql(
      sql`update user_account set student_id = null, real_name = '张伟' where username in ('student', 'student2')`,
    );
    const homework = await group.set();
    await group.grade(homework, 'student', { Score: 1 });
    await group.grade(homework, 'student2', { Score: 2 });
    const { body } = await preview(homework, await download(group.path(homework, '/score/export')));
    expect([body.Changes, body.Problems, body.Unchanged]).toEqual([[], [], 2]);
    const unclear = await preview(homework, sheetOf([HEADING, ['', '张伟', 3, '']]));
    expect(unclear.body.Problems.map(({ Problem }) => Problem)).toEqual(['ambiguous']);
    await group.world.sql(
      sql`update user_account set student_id = '2023001', real_name = '林同学' where username = 'student'`,
    );
    await group.world.sql(
      sql`update user_account set student_id = '2023002', real_name = '陈 同学' where username = 'student2'`,
    );
  });

  test('a preview says every change and every bad row, and writes nothing', async () => {
    const homework = await group.set();
    await group.submit(homework);
    await group.grade(homework, 'student', { Score: 50, Comment: '旧' });
    const sheet = sheetOf([
      ['姓名', '学号', '评语', '分数'],
      ['林同学', '2023001', '新', 75.5],
      ['林同学', '2023001', '', 1],
      ['', '2023002', '', 101],
      ['某某', '2023002', '', 1],
      ['谁', '99', '', 1],
    ]);
    const { body } = await preview(homework, sheet);
    expect(body.Changes).toEqual([
      {
        Row: 2,
        StudentID: '2023001',
        Name: '林同学',
        Before: { Score: 50, Comment: '旧' },
        After: { Score: 75.5, Comment: '新' },
      },
    ]);
    expect(body.Problems.map(({ Row, Problem }) => [Row, Problem])).toEqual([
      [3, 'repeated'],
      [4, 'score_invalid'],
      [5, 'name_differs'],
      [6, 'unknown'],
    ]);
    expect((await group.score(homework, 'student')).body.Score).toBe(50);
    expect((await importSheet(homework, sheet, body.Token)).body).toEqual({ Changed: 1 });
    const { body: after } = await group.score(homework, 'student');
    expect([after.Score, after.Comment, after.History.length]).toEqual([75.5, '新', 2]);
    expect((await lastTold(group.student))?.Title).toContain('已批改');
  });

  test('an import does what was previewed, or nothing', async () => {
    const homework = await group.set();
    await group.submit(homework);
    const sheet = sheetOf([HEADING, ['2023001', '林同学', 75, '']]);
    const { body } = await preview(homework, sheet);
    // Somebody corrects it meanwhile; another sheet; another homework.
    await group.grade(homework, 'student', { Score: 10 });
    expect(outcome(await importSheet(homework, sheet, body.Token))).toEqual([
      409,
      'changed_meanwhile',
    ]);
    const other = sheetOf([HEADING, ['2023001', '林同学', 76, '']]);
    const again = await preview(homework, sheet);
    expect(outcome(await importSheet(homework, other, again.body.Token))).toEqual([
      409,
      'changed_meanwhile',
    ]);
    expect((await group.score(homework, 'student')).body.Score).toBe(10);
  });

  test('a sheet never takes points back, and what is no sheet is refused', async () => {
    const homework = await group.set();
    await group.grade(homework, 'student', { Score: 50 });
    const { body } = await preview(homework, sheetOf([HEADING, ['2023001', '林同学', '', '']]));
    expect(body.Problems.map(({ Problem }) => Problem)).toEqual(['score_missing']);
    expect(outcome(await preview(homework, sheetOf([['学号', '姓名']])))).toEqual([
      400,
      'sheet_unreadable',
    ]);
    expect(outcome(await preview(homework, Buffer.from('学号,姓名'), 'a.csv'))).toEqual([
      415,
      'upload_type',
    ]);
  });
});

describe('files in bulk', () => {
  test('PDFs named for people go to them; what is nobody’s is listed', async () => {
    const homework = await group.set();
    await group.submit(homework);
    const zip = await zipOf({
      '评语/2023001_林同学.pdf': PDF,
      '评语/2023002-陈 同学.pdf': PDF,
      '评语/2023003 某某.pdf': PDF,
      '评语/2023001_陈同学.pdf': PDF,
      '评语/2023001 林同学.pdf': PDF,
      '评语/说明.txt': 'x',
      '评语/2023002_假的.pdf': 'no pdf',
    });
    const give = (isPreview: boolean) =>
      group.teacher.upload<CommentFileImport>(
        group.path(homework, `/score/comment-file?preview=${isPreview}`),
        { name: 'a.zip', content: zip },
      );
    const { body } = await give(true);
    expect(body.Matched.map(({ File, Name }) => [File, Name])).toEqual([
      ['2023001 林同学.pdf', '林同学'],
      ['2023002-陈 同学.pdf', '陈 同学'],
    ]);
    expect(body.Unmatched).toEqual([
      { File: '2023001_林同学.pdf', Problem: 'repeated' },
      { File: '2023001_陈同学.pdf', Problem: 'name_differs' },
      { File: '2023002_假的.pdf', Problem: 'no_pdf' },
      { File: '2023003 某某.pdf', Problem: 'unknown' },
      { File: '说明.txt', Problem: 'no_pdf' },
    ]);
    expect((await group.score(homework, 'student')).body.CommentFile).toBeNull();
    expect((await give(false)).body).toEqual(body);
    const { body: given } = await group.score(homework, 'student');
    expect(given.CommentFile?.Name).toBe('2023001 林同学.pdf');
    expect((await give(true)).body.Matched.every(({ IsReplaced }) => IsReplaced)).toBe(true);
    // It is the learner's with the points, and not before.
    const path = group.path(
      homework,
      `/submission/${given.SubmissionID}/file/${given.CommentFile?.ID}`,
    );
    expect((await group.student.call('GET', path)).status).toBe(404);
    await group.grade(homework, 'student', { Score: 1, CommentFileID: given.CommentFile?.ID });
    expect((await group.student.call('GET', path)).status).toBe(200);
  });

  test('names in the GBK of Chinese Windows are understood', async () => {
    const homework = await group.set();
    await group.submit(homework);
    const name = Buffer.concat([
      Buffer.from('2023001_'),
      // 林同学
      Buffer.from('C1D6CDACD1A7', 'hex'),
      Buffer.from('.pdf'),
    ]);
    const { body } = await group.teacher.upload<CommentFileImport>(
      group.path(homework, '/score/comment-file'),
      { name: 'a.zip', content: rawZip([{ name, content: PDF, flags: 0 }]) },
    );
    expect(body.Matched.map(({ File, UserID }) => [File, UserID])).toEqual([
      ['2023001_林同学.pdf', group.ids['student']],
    ]);
  });

  test('everything that was handed in comes as one zip, in folders that no name leaves', async () => {
    const homework = await group.set();
    await group.world.sql(
      sql`update user_account set student_id = '../../evil' where username = 'student2'`,
    );
    const [first, second] = [await group.send(homework), await group.send(homework)];
    await group.submit(homework, group.student, {
      Text: '正文',
      FileIDList: [first.ID, second.ID],
    });
    await group.submit(homework, group.student2, { Text: '只有正文' });
    const zip = await download(group.path(homework, '/submission/export'));
    const text = zip.toString('utf8');
    for (const name of [
      '2023001_林同学/正文.md',
      '2023001_林同学/报告.pdf',
      '2023001_林同学/报告 (2).pdf',
      '_.._evil_陈 同学/正文.md',
    ])
      expect(text).toContain(name);
    expect(text).not.toContain('../');
    await group.world.sql(
      sql`update user_account set student_id = '2023002' where username = 'student2'`,
    );
  });
});
