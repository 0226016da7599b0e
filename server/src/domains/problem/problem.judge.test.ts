import type { ManagedProblem, ProblemSubmission } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readSheet } from '../../platform/sheet/read.ts';
import { Uploads } from '../../platform/storage/uploads.ts';
import { judged, makeProblem, read, send, submit, tests } from '../../testing/problems.ts';
import { ScriptedSandbox } from '../../testing/scripted-sandbox.ts';
import { World, until, type Person } from '../../testing/world.ts';
import { ProblemTests } from './problem.tests.ts';
import { JudgeWorker } from './problem.worker.ts';

let world: World;
let student: Person;
let other: Person;
let teacher: Person;
let problem: ManagedProblem;
const workers: JudgeWorker[] = [];

/** A judge of this test; the world has none of its own. */
function startJudge(sandbox: ScriptedSandbox, slots = 1): JudgeWorker {
  const judge = new JudgeWorker({
    database: world.system.handle.database,
    clock: world.clock,
    listener: world.system.listener,
    sandbox,
    slots,
    tests: new ProblemTests(world.config.HC_DATA),
    uploads: new Uploads(world.config.HC_DATA),
    log: world.system.app.log,
  });
  workers.push(judge);
  judge.start();
  return judge;
}

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  student = await world.signIn('student');
  other = await world.signIn('student2');
  teacher = await world.signIn('teacher', 'teacher');
  problem = await makeProblem(teacher);
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await world.sql(sql`delete from problem_submission`);
  // Guesses are counted by a window of the clock.
  world.clock.advance(3600);
});
afterAll(() => world[Symbol.asyncDispose]());

const inState = (person: Person, submission: ProblemSubmission, state: number) =>
  until(
    () => read(person, submission),
    ({ State }) => State === state,
  );
const run = (person: Person, source: string, stdin: string) =>
  person.call<ProblemSubmission>('POST', `/problem/${problem.ID}/run`, {
    Language: 1,
    Source: source,
    Stdin: stdin,
  });

/** A sheet as staff get it. */
async function fetchSheet(person: Person, path: string): Promise<string[][]> {
  const host = await world.listen();
  const answer = await fetch(`http://${host}/api/v1${path}&role=${person.role}&lang=zh-CN`, {
    headers: { cookie: person.cookie ?? '' },
  });
  return readSheet(Buffer.from(await answer.arrayBuffer()), 10);
}

describe('a verdict', () => {
  test.each([
    ['sum', 'accepted', 3, null],
    ['broken', 'compileError', 0, null],
    ['print 3', 'wrongAnswer', 1, 0],
    ['time', 'timeLimit', 0, null],
    ['memory', 'memoryLimit', 0, null],
    ['flood', 'outputLimit', 0, null],
    ['on 2 exit 7\nsum', 'runtimeError', 2, 7],
    ['on 3 signal 11\nsum', 'runtimeError', 2, null],
  ])('of %j is %s, with %d tests passed', async (source, verdict, passed, code) => {
    startJudge(new ScriptedSandbox());
    const done = await send(student, problem.ID, source);
    expect(done).toMatchObject({
      State: 2,
      Verdict: verdict,
      Passed: passed,
      Total: 3,
      ReturnCode: code,
      Position: null,
      HasOlderTests: false,
    });
  });

  test('tells the difference of examples, and of hidden tests the verdict alone', async () => {
    startJudge(new ScriptedSandbox());
    const done = await send(student, problem.ID, 'warn secret of the input\nprint 4');
    expect(done.Tests.map(({ Difference, ErrorOutput }) => [Difference, ErrorOutput])).toEqual([
      [{ Token: 1, Expected: '3', Found: '4' }, 'secret of the input\n'],
      [null, ''],
      [null, ''],
    ]);
    const { Tests } = await read(teacher, done);
    expect(Tests[1]?.Difference).toEqual({ Token: 1, Expected: '30', Found: '4' });
  });

  test('keeps what a program printed as text, zero signs replaced', async () => {
    startJudge(new ScriptedSandbox());
    const { body } = await run(student, 'print <script>\0</script>', '');
    expect(body['Code' as never]).toBe('invalid_input');
    const sent = await run(student, 'print <script>alert(1)</script>', 'x');
    const done = await judged(student, sent.body);
    expect(done).toMatchObject({
      Verdict: 'finished',
      Output: '<script>alert(1)</script>\n',
      Stdin: 'x',
      Total: 0,
    });
    const broken = await send(student, problem.ID, 'broken');
    expect(broken.CompilerOutput).toBe('main.c:1: <b>error</b>');
  });

  test('comes early when time runs out again and again', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10 }, (_unused, index) => [
        [`input${index + 1}.txt`, '1'],
        [`output${index + 1}.txt`, '1'],
      ]).flat(),
    ) as Record<string, string>;
    const long = await makeProblem(teacher, {}, many);
    startJudge(new ScriptedSandbox());
    const done = await send(student, long.ID, 'time');
    expect([done.Verdict, done.Tests.length, done.Total]).toEqual(['timeLimit', 3, 10]);
  });

  test('is told test by test while it is judged', async () => {
    const sandbox = new ScriptedSandbox();
    startJudge(sandbox);
    const sent = await submit(student, problem.ID, 'on 2 wait second\nsum');
    const half = await inState(student, sent, 1);
    expect([half.Verdict, half.StartedAt !== null]).toEqual([null, true]);
    sandbox.open('second');
    expect((await judged(student, sent)).Passed).toBe(3);
  });
});

describe('a submission', () => {
  test('is read by its sender and the staff, and by nobody else', async () => {
    const sent = await submit(student, problem.ID, 'sum');
    const address = `/problem/${problem.ID}/submission/${sent.ID}`;
    expect((await student.call('GET', address)).status).toBe(200);
    expect((await teacher.call('GET', address)).status).toBe(200);
    expect((await other.call('GET', address)).status).toBe(404);
    expect((await world.visitor().call('GET', address)).status).toBe(401);
    const another = await makeProblem(teacher);
    expect((await student.call('GET', `/problem/${another.ID}/submission/${sent.ID}`)).status).toBe(
      404,
    );
  });

  test('with one’s own input is nobody else’s business', async () => {
    const { body } = await run(student, 'echo', 'mine');
    const address = `/problem/${problem.ID}/submission/${body.ID}`;
    expect((await student.call('GET', address)).status).toBe(200);
    expect((await teacher.call('GET', address)).status).toBe(404);
  });

  test('waits with two others at most, also when they come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        student.call('POST', `/problem/${problem.ID}/submission`, { Language: 1, Source: 'sum' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      202, 202, 202, 429, 429, 429,
    ]);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
      Code: 'submissions_waiting',
      Params: { Limit: 3 },
    });
    // Runs have a limit of their own.
    expect((await run(student, 'echo', '')).status).toBe(202);
  });

  test.each([
    ['another language', { Language: 7, Source: 'sum' }, 400, 'language_not_offered'],
    ['no source', { Language: 1, Source: ' \n' }, 400, 'invalid_input'],
    [
      'a source that is too long',
      { Language: 1, Source: '中'.repeat(22_000) },
      400,
      'invalid_input',
    ],
  ])('in %s is refused', async (_what, body, status, code) => {
    const answer = await student.call('POST', `/problem/${problem.ID}/submission`, body);
    expect([answer.status, answer.body['Code']]).toEqual([status, code]);
  });
});

describe('the queue', () => {
  test('lets others in before somebody’s second one, and one at a time of each', async () => {
    const first = await submit(student, problem.ID, 'wait all\nsum');
    const second = await submit(student, problem.ID, 'wait all\nsum');
    const third = await submit(other, problem.ID, 'wait all\nsum');
    expect((await read(student, first)).Position).toBe(1);
    expect((await read(other, third)).Position).toBe(2);
    expect((await read(student, second)).Position).toBe(3);
    const sandbox = new ScriptedSandbox();
    startJudge(sandbox, 3);
    await inState(student, first, 1);
    await inState(other, third, 1);
    expect((await read(student, second)).State).toBe(0);
    sandbox.open('all');
    await judged(student, second);
    expect(sandbox.begun).toHaveLength(3);
    expect(sandbox.mostRunning).toBe(2);
  });

  test('lets a short run pass those who submitted before', async () => {
    const sent = await submit(student, problem.ID, 'sum');
    const { body } = await run(other, 'echo', '');
    expect((await read(other, body)).Position).toBe(1);
    expect((await read(student, sent)).Position).toBe(2);
  });

  test('waits while the judge is not ready, and loses nothing', async () => {
    const sandbox = new ScriptedSandbox();
    sandbox.condition = { isReady: false, reason: 'the image is being prepared' };
    const judge = startJudge(sandbox);
    await judge.tick();
    const sent = await submit(student, problem.ID, 'sum');
    const state = async (person: Person) => (await person.call('GET', '/problem/judge')).body;
    expect(await state(student)).toEqual({
      IsReady: false,
      Reason: null,
      Languages: [],
      Waiting: 1,
    });
    expect((await state(teacher))['Reason']).toBe('the image is being prepared');
    await judge.tick();
    expect((await read(student, sent)).State).toBe(0);
    sandbox.condition = { isReady: true, languages: [1] };
    await judge.tick();
    expect((await judged(student, sent)).Verdict).toBe('accepted');
    expect(await state(student)).toMatchObject({ IsReady: true, Languages: [1], Waiting: 0 });
  });

  test('keeps a language that this judge cannot for one that can', async () => {
    const sandbox = new ScriptedSandbox();
    sandbox.condition = { isReady: true, languages: [3] };
    const judge = startJudge(sandbox);
    const sent = await submit(student, problem.ID, 'sum', 1);
    const able = await submit(other, problem.ID, 'sum', 3);
    await judged(other, able);
    await judge.tick();
    expect((await read(student, sent)).State).toBe(0);
    startJudge(new ScriptedSandbox());
    expect((await judged(student, sent)).Verdict).toBe('accepted');
  });
});

describe('a judge', () => {
  test('that is stopped puts its work back, and the try does not count', async () => {
    const judge = startJudge(new ScriptedSandbox());
    const sent = await submit(student, problem.ID, 'wait for ever\nsum');
    await inState(student, sent, 1);
    await judge.stop();
    expect(await read(student, sent)).toMatchObject({ State: 0, Verdict: null, Tests: [] });
    const [row] = await world.sql<{ attempts: number }>(
      sql`select attempts from problem_submission where id = ${sent.ID}`,
    );
    expect(row?.attempts).toBe(0);
  });

  test('that died is followed by another once its lease ended, and is not heard any more', async () => {
    const dead = new ScriptedSandbox();
    startJudge(dead);
    const sent = await submit(student, problem.ID, 'wait long\nsum');
    await inState(student, sent, 1);
    // As if its machine had been taken away: the lease is another's as soon as it ended.
    world.clock.advance(21);
    const alive = new ScriptedSandbox();
    alive.open('long');
    const second = startJudge(alive);
    await second.tick();
    await judged(student, sent);
    expect(alive.begun).toHaveLength(1);
    const before = await read(student, sent);
    dead.open('long');
    // The first one's words would change the time at which it was judged.
    world.clock.advance(5);
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(await read(student, sent)).toEqual(before);
  });

  test('whose machinery fails tries three times, then says so and keeps the work', async () => {
    const sandbox = new ScriptedSandbox();
    const judge = startJudge(sandbox);
    const fresh = await makeProblem(teacher);
    const sent = await submit(student, fresh.ID, 'machine');
    for (const attempts of [1, 2]) {
      await until(
        () =>
          world.sql<{ attempts: number; state: number }>(
            sql`select attempts, state from problem_submission where id = ${sent.ID}`,
          ),
        ([row]) => row?.attempts === attempts && row.state === 0,
      );
      await judge.tick();
      expect(sandbox.begun).toHaveLength(attempts);
      world.clock.advance(21);
      await judge.tick();
    }
    const done = await judged(student, sent);
    expect(done).toMatchObject({ Verdict: 'systemError', Source: 'machine', Passed: 0 });
    expect(sandbox.begun).toHaveLength(3);
    // It says nothing of the learner.
    const { body } = await student.call<{ MyState: string | null }>('GET', `/problem/${fresh.ID}`);
    expect(body.MyState).toBeNull();
  });
});

describe('staff', () => {
  test('check the reference solution, and are told when it is another one by now', async () => {
    startJudge(new ScriptedSandbox());
    const made = await makeProblem(teacher);
    const { status, body } = await teacher.call<ProblemSubmission>(
      'POST',
      `/problem/${made.ID}/check`,
      { Language: 1 },
    );
    expect(status).toBe(202);
    await judged(teacher, body);
    const managed = async () =>
      (await teacher.call<ManagedProblem>('GET', `/problem/${made.ID}/managed`)).body;
    expect((await managed()).Checks).toMatchObject([
      { Language: 1, Verdict: 'accepted', Passed: 3, Total: 3, IsOutdated: false },
    ]);
    await teacher.upload(`/problem/${made.ID}/tests`, await tests());
    expect((await managed()).Checks[0]?.IsOutdated).toBe(true);
    const none = await teacher.call('POST', `/problem/${made.ID}/check`, { Language: 3 });
    expect([none.status, none.body['Code']]).toEqual([409, 'reference_missing']);
    // It is nobody's submission.
    expect((await managed()).Tried).toBe(0);
  });

  test('see everybody’s submissions, by person, verdict and language', async () => {
    startJudge(new ScriptedSandbox());
    const made = await makeProblem(teacher);
    await send(student, made.ID, 'sum');
    await send(other, made.ID, 'print 0');
    const list = async (query: string) =>
      (
        await teacher.call<{ List: { Username: string }[]; Total: number }>(
          'GET',
          `/problem/${made.ID}/submission/managed?${query}`,
        )
      ).body.List.map(({ Username }) => Username);
    expect(await list('')).toEqual(['student2', 'student']);
    expect(await list('keyword=student2')).toEqual(['student2']);
    expect(await list('verdict=accepted')).toEqual(['student']);
    expect(await list('language=3')).toEqual([]);
    const sheet = await fetchSheet(
      teacher,
      `/problem/${made.ID}/submission/export?verdict=accepted&columns=Username,Verdict,Passed`,
    );
    expect(sheet).toEqual([
      ['用户名', '结果', '通过的测试'],
      ['student', '通过', '3'],
    ]);
    const own = await student.call<{ Total: number }>('GET', `/problem/${made.ID}/submission`);
    expect(own.body.Total).toBe(1);
  });

  test('judge again after the tests changed; until then results stay and are marked', async () => {
    startJudge(new ScriptedSandbox());
    const made = await makeProblem(teacher);
    const right = await send(student, made.ID, 'sum');
    const wrong = await send(other, made.ID, 'print 9');
    await teacher.upload(
      `/problem/${made.ID}/tests`,
      await tests({ 'input1.txt': '1 2', 'output1.txt': '9' }),
    );
    expect(await read(student, right)).toMatchObject({
      Verdict: 'accepted',
      HasOlderTests: true,
      Total: 3,
    });
    const { body } = await teacher.call('POST', `/problem/${made.ID}/rejudge`, {});
    expect(body).toEqual({ Count: 2 });
    expect(await judged(student, right)).toMatchObject({
      Verdict: 'wrongAnswer',
      HasOlderTests: false,
      Total: 1,
    });
    expect((await judged(other, wrong)).Verdict).toBe('accepted');
    // Nobody pays for what staff had judged again: neither in turns nor in what may wait.
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await world.sql(
      sql`update problem_submission set tests_version = 0 where problem_id = ${made.ID}`,
    );
    await submit(other, made.ID, 'print 9');
    expect((await teacher.call('POST', `/problem/${made.ID}/rejudge`, {})).body['Count']).toBe(2);
    const mine = await submit(student, made.ID, 'print 0');
    expect((await read(student, mine)).Position).toBe(2);
    expect((await read(student, right)).Position).toBeGreaterThan(2);
    expect(await read(student, right)).toMatchObject({ State: 0, JudgedAt: null });
    startJudge(new ScriptedSandbox());
    await judged(student, right);
    await judged(student, mine);
    await judged(other, wrong);
    await world.sql(sql`delete from problem_submission where id = ${mine.ID}`);
    const states = async (person: Person) =>
      (await person.call<{ MyState: string }>('GET', `/problem/${made.ID}`)).body.MyState;
    expect([await states(student), await states(other)]).toEqual(['tried', 'solved']);
    expect((await teacher.call('POST', `/problem/${made.ID}/rejudge`, {})).body).toEqual({
      Count: 0,
    });
    const one = `/problem/${made.ID}/submission/${right.ID}/rejudge`;
    expect((await teacher.call('POST', one, {})).status).toBe(202);
    await judged(student, right);
    expect((await student.call('POST', one, {})).status).toBe(403);
  });
});
