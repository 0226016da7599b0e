import { CorrectionState, HomeworkSubmitState } from '@hypercube/contract';
import type {
  DueHomework,
  HomeworkDetail,
  HomeworkSummary,
  ManagedHomework,
  Notification,
  Submission,
} from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HomeworkClass, PDF, outcome } from '../../testing/homework-class.ts';
import type { Person } from '../../testing/world.ts';

let group: HomeworkClass;
const statements: string[] = [];

beforeAll(async () => {
  group = await HomeworkClass.create({ onQuery: (statement) => void statements.push(statement) });
});
afterAll(() => group[Symbol.asyncDispose]());

interface Rows<T> {
  readonly List: T[];
  readonly Total: number;
}

/** The newest thing of courses that somebody was told. */
async function lastTold(person: Person): Promise<Notification | undefined> {
  const { body } = await person.call<Rows<Notification>>('GET', '/notification?kind=course');
  return body.List[0];
}
const read = (homework: { ID: number }, person = group.student) =>
  person.call<HomeworkDetail>('GET', group.path(homework));

describe('setting homework', () => {
  test('publishing tells the members once, not who did it', async () => {
    const before = (await lastTold(group.teacher))?.ID;
    const homework = await group.set({ IsPublished: false });
    expect((await lastTold(group.student))?.Title ?? '').not.toContain(homework.TitleZh);
    const publish = (IsPublished: boolean, Version: number) =>
      group.teacher.call<ManagedHomework>('PUT', group.path(homework, '/publish'), {
        IsPublished,
        Version,
      });
    const published = await publish(true, homework.Version);
    expect(published.body.IsPublished).toBe(true);
    const told = await lastTold(group.student);
    expect(told).toMatchObject({
      Title: `《并行程序设计》有新作业：${homework.TitleZh}`,
      Path: `/course/${group.course.ID}/homework/${homework.ID}`,
    });
    expect((await lastTold(group.teacher))?.ID).toBe(before);
    // Taken back and published again: nobody is told twice.
    const draft = await publish(false, published.body.Version);
    await publish(true, draft.body.Version);
    expect((await lastTold(group.student))?.ID).toBe(told?.ID);
    expect(outcome(await publish(true, homework.Version))).toEqual([409, 'changed_meanwhile']);
  });

  test('another due time of a published one is told', async () => {
    const homework = await group.set();
    const change = (body: Record<string, unknown>, Version: number) =>
      group.teacher.call<ManagedHomework>('PUT', group.path(homework), {
        ...group.fields({ TitleZh: homework.TitleZh, DueAt: homework.DueAt }),
        ...body,
        Version,
      });
    const same = await change({}, homework.Version);
    expect((await lastTold(group.student))?.Title).toContain('有新作业');
    const dueAt = group.at(86_400);
    await change({ DueAt: dueAt }, same.body.Version);
    const told = await lastTold(group.student);
    expect(told?.Title).toBe(`《并行程序设计》的作业“${homework.TitleZh}”改了截止时间`);
    // On the clocks of the place, eight hours ahead of UTC.
    const shown = new Date(Date.parse(dueAt) + 8 * 3_600_000).toISOString();
    expect(told?.Content).toBe(
      `新的截止时间 ${shown.slice(0, 16).replace('T', ' ')}（Asia/Shanghai）。`,
    );
    expect(outcome(await change({}, homework.Version))).toEqual([409, 'changed_meanwhile']);
  });

  test('it is hidden before it opens, and told of when it does', async () => {
    const homework = await group.set({ OpenAt: group.at(3600) });
    expect((await read(homework)).status).toBe(404);
    expect((await read(homework, group.teacher)).status).toBe(200);
    expect((await lastTold(group.student))?.Title).not.toContain(homework.TitleZh);
    await group.world.system.sweep();
    expect((await read(homework)).status).toBe(404);
    group.world.clock.advance(3600);
    expect((await read(homework)).status).toBe(200);
    await group.world.system.sweep();
    const told = await lastTold(group.student);
    expect(told?.Title).toContain(homework.TitleZh);
    await group.world.system.sweep();
    expect((await lastTold(group.student))?.ID).toBe(told?.ID);
  });

  test('it cannot be due before it opens, and no maximum is below what somebody got', async () => {
    const wrong = await group.teacher.call('POST', `/course/${group.course.ID}/homework`, {
      ...group.fields(),
      OpenAt: group.at(3600),
      DueAt: group.at(1800),
    });
    expect(outcome(wrong)).toEqual([400, 'homework_period_reversed']);
    const homework = await group.set();
    await group.submit(homework);
    await group.grade(homework, 'student', { Score: 80.5 });
    const change = (MaxScore: number) =>
      group.teacher.call('PUT', group.path(homework), {
        ...group.fields(),
        MaxScore,
        Version: homework.Version,
      });
    expect(outcome(await change(80))).toEqual([409, 'homework_score_given']);
    expect((await change(80.5)).status).toBe(200);
  });

  test('the lists take the same statements whatever they show', async () => {
    const count = async (person: Person, path: string): Promise<number> => {
      await person.call('GET', path);
      statements.length = 0;
      await person.call('GET', path);
      return statements.length;
    };
    const course = `/course/${group.course.ID}/homework`;
    for (const [person, path] of [
      [group.student, `${course}?`],
      [group.student, '/homework?'],
      [group.teacher, `${course}/managed?`],
      [group.teacher, '/homework/waiting?'],
    ] as const)
      expect([path, await count(person, `${path}pageSize=100`)]).toEqual([
        path,
        await count(person, `${path}pageSize=1`),
      ]);
  });

  test('deleting it takes everything of it, and says before what that is', async () => {
    const homework = await group.set();
    const { ID } = await group.send(homework);
    await group.submit(homework, group.student, { Text: '', FileIDList: [ID] });
    await group.grade(homework, 'student', { Score: 1 });
    const { body } = await group.teacher.call('GET', group.path(homework, '/dependent'));
    expect(body).toEqual({ Submissions: 1, Scores: 1, Files: 1 });
    expect((await group.teacher.call('DELETE', group.path(homework))).status).toBe(200);
    expect((await read(homework, group.teacher)).status).toBe(404);
    const left = await group.world.sql(
      sql`select 1 from homework_file where homework_id = ${homework.ID}`,
    );
    expect(left).toEqual([]);
  });
});

test('deleting a course or an account says before what goes with it', async () => {
  const homework = await group.set();
  await group.submit(homework);
  const course = await group.admin.call<{ Homework: number; Submissions: number }>(
    'GET',
    `/course/${group.course.ID}/dependent`,
  );
  expect(course.body.Homework).toBeGreaterThan(0);
  expect(course.body.Submissions).toBeGreaterThan(0);
  const account = await group.admin.call<Rows<{ Kind: string; Title: string; Fate: string }>>(
    'GET',
    `/user/${group.ids['student']}/dependents`,
  );
  expect(account.body.List).toContainEqual(
    expect.objectContaining({ Kind: 'submission', Title: homework.TitleZh, Fate: 'removed' }),
  );
});

describe('handing in', () => {
  test('a text and files are handed in, and come back in order', async () => {
    const homework = await group.set();
    const first = await group.send(homework);
    const second = await group.send(homework, group.student, {
      name: 'data.zip',
      content: 'PK\u0003\u0004',
    });
    expect(first).toMatchObject({ Name: '报告.pdf', SizeBytes: PDF.length, Path: null });
    const { status, body } = await group.submit(homework, group.student, {
      Text: '答案',
      FileIDList: [second.ID, first.ID],
    });
    expect([status, body.State, body.Version]).toEqual([201, HomeworkSubmitState.submitted, 1]);
    const detail = (await read(homework)).body;
    expect(detail.Submission).toMatchObject({
      Text: '答案',
      Correction: CorrectionState.uncorrected,
      Result: null,
      SubmittedAt: group.at(0),
    });
    expect(detail.Submission?.Files.map(({ Name }) => Name)).toEqual(['data.zip', '报告.pdf']);
    // Nobody else has it.
    expect((await read(homework, group.student2)).body.Submission).toBeNull();
  });

  test('it is replaced and taken back until it is corrected; files that are left out go', async () => {
    const homework = await group.set();
    const file = await group.send(homework);
    const { body: submission } = await group.submit(homework, group.student, {
      Text: '',
      FileIDList: [file.ID],
    });
    const path = group.path(homework, `/submission/${submission.ID}`);
    const replace = (body: Record<string, unknown>) =>
      group.student.call<Submission>('PUT', path, body);
    expect(outcome(await replace({ Text: ' \n', Version: 1 }))).toEqual([400, 'submission_empty']);
    const replaced = await replace({ Text: '新的答案', Version: 1 });
    expect([replaced.body.Text, replaced.body.Files, replaced.body.Version]).toEqual([
      '新的答案',
      [],
      2,
    ]);
    // Another page of the same learner has the older one.
    expect(outcome(await replace({ Text: '旧的', Version: 1 }))).toEqual([
      409,
      'changed_meanwhile',
    ]);
    expect(outcome(await group.submit(homework))).toEqual([409, 'changed_meanwhile']);
    expect((await group.student.call('DELETE', path)).status).toBe(200);
    expect((await read(homework)).body.State).toBe(HomeworkSubmitState.unsubmitted);
    expect((await group.submit(homework)).body.State).toBe(HomeworkSubmitState.submitted);
  });

  test('after the due time it is late, also what was in time before', async () => {
    const homework = await group.set({ DueAt: group.at(60) });
    const { body } = await group.submit(homework);
    expect(body.State).toBe(HomeworkSubmitState.submitted);
    group.world.clock.advance(61);
    const late = await group.student.call<Submission>(
      'PUT',
      group.path(homework, `/submission/${body.ID}`),
      { Text: '再改', Version: body.Version },
    );
    expect([late.status, late.body.State]).toEqual([200, HomeworkSubmitState.submittedLate]);
    expect((await group.submit(homework, group.student2)).body.State).toBe(
      HomeworkSubmitState.submittedLate,
    );
  });

  test('what is corrected is refused, until staff reset it', async () => {
    const homework = await group.set();
    const { body } = await group.submit(homework);
    await group.grade(homework, 'student', { Score: 60 });
    const path = group.path(homework, `/submission/${body.ID}`);
    expect(outcome(await group.submit(homework))).toEqual([409, 'homework_corrected']);
    expect(
      outcome(await group.student.call('PUT', path, { Text: '改', Version: body.Version })),
    ).toEqual([409, 'homework_corrected']);
    expect(outcome(await group.student.call('DELETE', path))).toEqual([409, 'homework_corrected']);
    const refused = await group.student.upload(group.path(homework, '/submission/file'), {
      name: 'a.pdf',
      content: PDF,
    });
    expect(outcome(refused)).toEqual([409, 'homework_corrected']);
    const { Version } = (await group.score(homework, 'student')).body;
    const reset = group.path(homework, `/score/${group.ids['student']}/reset`);
    expect((await group.teacher.call('PUT', reset, { Version })).status).toBe(200);
    expect((await lastTold(group.student))?.Title).toContain('可以重新提交');
    const again = await read(homework);
    expect([again.body.Submission?.Text, again.body.Submission?.Result]).toEqual(['答案', null]);
    const sent = await group.student.call('PUT', path, {
      Text: '改',
      Version: again.body.Submission?.Version,
    });
    expect(sent.status).toBe(200);
  });

  test('two presses at once hand in once', async () => {
    const homework = await group.set();
    const both = await Promise.all([group.submit(homework), group.submit(homework)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('those who work on the course hand nothing in', async () => {
    const homework = await group.set();
    for (const person of [group.teacher, group.assistant, group.admin])
      expect(outcome(await group.submit(homework, person))).toEqual([409, 'homework_not_member']);
  });

  test('what is due next comes with its course, and goes when it is handed in', async () => {
    const soon = await group.set({ DueAt: group.at(30) });
    const due = async (): Promise<DueHomework[]> =>
      (await group.student.call<Rows<DueHomework>>('GET', '/homework?pageSize=100')).body.List;
    expect((await due())[0]).toMatchObject({
      ID: soon.ID,
      CourseID: group.course.ID,
      Course: '并行程序设计',
      State: HomeworkSubmitState.unsubmitted,
    });
    await group.submit(soon);
    expect((await due()).map(({ ID }) => ID)).not.toContain(soon.ID);
    expect((await group.graduate.call<Rows<unknown>>('GET', '/homework')).body.Total).toBe(0);
  });
});

describe('who sees what', () => {
  test('strangers and those who left find nothing; staff keep what was handed in', async () => {
    const homework = await group.set();
    await group.graduate.call('POST', `/course/${group.course.ID}/membership`, {});
    const file = await group.send(homework, group.graduate);
    const { body } = await group.submit(homework, group.graduate, {
      Text: '我的',
      FileIDList: [file.ID],
    });
    const own = group.path(homework, `/submission/${body.ID}/file/${file.ID}`);
    expect((await group.graduate.call('GET', own)).status).toBe(200);
    await group.graduate.call('DELETE', `/course/${group.course.ID}/membership`);
    for (const path of [group.path(homework), own, `/course/${group.course.ID}/homework`])
      expect((await group.graduate.call('GET', path)).status).toBe(404);
    expect((await group.teacher.call('GET', own)).status).toBe(200);
    const { body: kept } = await group.score(homework, 'graduate');
    expect([kept.HasLeft, kept.Text]).toEqual([true, '我的']);
  });

  test('another learner’s submission and files do not exist', async () => {
    const homework = await group.set();
    const file = await group.send(homework);
    const { body } = await group.submit(homework, group.student, {
      Text: '秘密',
      FileIDList: [file.ID],
    });
    const path = group.path(homework, `/submission/${body.ID}`);
    expect((await group.student2.call('GET', `${path}/file/${file.ID}`)).status).toBe(404);
    expect(
      (await group.student2.call('PUT', path, { Text: '改', Version: body.Version })).status,
    ).toBe(404);
    expect((await group.student2.call('DELETE', path)).status).toBe(404);
    // A file of somebody else's cannot be handed in as one's own.
    const stolen = await group.submit(homework, group.student2, {
      Text: '',
      FileIDList: [file.ID],
    });
    expect(stolen.status).toBe(404);
  });

  test('drafts and the homework of another course do not exist', async () => {
    const draft = await group.set({ IsPublished: false });
    expect((await read(draft)).status).toBe(404);
    expect((await group.submit(draft)).status).toBe(404);
    const homework = await group.set();
    const [other] = await group.world.sql<{ id: number }>(
      sql`select id from course where slug = 'mpi-practice'`,
    );
    for (const path of ['', '/managed', '/score', '/dependent'])
      expect(
        (await group.admin.call('GET', `/course/${other?.id}/homework/${homework.ID}${path}`))
          .status,
      ).toBe(404);
  });

  test('an assistant does what a teacher does; a student reaches none of it', async () => {
    const homework = await group.set({}, group.assistant);
    await group.submit(homework);
    expect((await group.grade(homework, 'student', { Score: 9 }, group.assistant)).status).toBe(
      200,
    );
    const student = await group.world.signIn('student2', 'teacher');
    for (const path of ['/managed', '/score', `/score/${group.ids['student']}`, '/score/export'])
      expect((await student.call('GET', group.path(homework, path))).status).toBe(403);
  });

  test('the list says how each stands', async () => {
    const homework = await group.set();
    await group.submit(homework);
    await group.grade(homework, 'student', { Score: 87.5 });
    const { body } = await group.student.call<Rows<HomeworkSummary>>(
      'GET',
      `/course/${group.course.ID}/homework?pageSize=100`,
    );
    expect(body.List.find(({ ID }) => ID === homework.ID)).toMatchObject({
      State: HomeworkSubmitState.submitted,
      Correction: CorrectionState.corrected,
      Score: 87.5,
      MaxScore: 100,
    });
  });
});
