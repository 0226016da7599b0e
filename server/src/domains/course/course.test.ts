import { CourseJoinMode } from '@hypercube/contract';
import type {
  CourseDetail,
  CourseMember,
  CourseNotice,
  CourseStaff,
  CourseSummary,
  ManagedCourse,
  ManagedMember,
  Notification,
  Overview,
  SentNotification,
  TeacherContact,
} from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSheet } from '../../platform/sheet/read.ts';
import { World, until, type Answer, type Person } from '../../testing/world.ts';

let world: World;
let admin: Person;
let teacher: Person;
let assistant: Person;
let student: Person;
let student2: Person;
let graduate: Person;
const ids: Record<string, number> = {};
const statements: string[] = [];

beforeAll(async () => {
  world = await World.create({ onQuery: (statement) => void statements.push(statement) });
  admin = await world.signIn('admin', 'admin');
  teacher = await world.signIn('teacher', 'teacher');
  assistant = await world.signIn('assistant', 'assistant');
  student = await world.signIn('student');
  student2 = await world.signIn('student2');
  graduate = await world.signIn('graduate');
  for (const { id, username } of await world.sql<{ id: number; username: string }>(
    sql`select id, username from user_account`,
  ))
    ids[username] = id;
});
afterAll(() => world[Symbol.asyncDispose]());

interface Rows<T> {
  readonly List: T[];
  readonly Total: number;
}
type Refused = { Code: string };

let made = 0;

/** A published course of the teacher's. */
async function make(changes: Record<string, unknown> = {}, by = teacher): Promise<ManagedCourse> {
  made += 1;
  const { status, body } = await by.call<ManagedCourse>('POST', '/course', {
    TitleZh: `课程${made}号`,
    TitleEn: `Course no ${made}`,
    ContentZh: '正文',
    CoverKind: 'ring',
    IsPublished: true,
    ...changes,
  });
  expect(status).toBe(201);
  return body;
}

const join = (person: Person, { ID }: { ID: number }, Code?: string) =>
  person.call<{ MyRole: string } & Refused>('POST', `/course/${ID}/membership`, {
    Code,
  });

const roleOf = async (person: Person, { ID }: { ID: number }): Promise<string | null> =>
  (await person.call<CourseDetail>('GET', `/course/${ID}`)).body.MyRole;

/** The newest thing of courses that somebody was told. */
async function lastTold(person: Person): Promise<Notification | undefined> {
  const { body } = await person.call<Rows<Notification>>('GET', '/notification?kind=course');
  return body.List[0];
}

const outcome = ({ status, body }: Answer<unknown>): unknown[] => [
  status,
  (body as Partial<Refused> | null)?.Code,
];

const JOINING = {
  IsHidden: false,
  IsPrivate: false,
  JoinMode: CourseJoinMode.public as number,
  InviteCode: null as string | null,
  InviteFrom: null as string | null,
  InviteUntil: null as string | null,
};

describe('the first content', () => {
  test('its courses belong to the teacher, and the assistant’s role comes from theirs', async () => {
    const { body } = await student.call<Rows<CourseSummary>>('GET', '/course');
    expect(body.List.map(({ Title, MyRole, Members }) => [Title, MyRole, Members])).toEqual([
      ['并行课程', 'member', 2],
      ['实践课程', null, 0],
    ]);
    expect(body.List[0]?.Owner?.Nickname).toBe('王老师');
    const own = await assistant.call<Rows<ManagedCourse>>('GET', '/course/managed');
    expect(own.body.List.map(({ Title, MyRole }) => [Title, MyRole])).toEqual([
      ['并行课程', 'assistant'],
    ]);
  });

  test('its texts link to the labs of this installation', async () => {
    const { body } = await student.call<Rows<CourseSummary>>('GET', '/course');
    const [lab] = await world.sql<{ id: number }>(sql`select id from lab where slug = 'ring'`);
    const detail = await student.call<CourseDetail>('GET', `/course/${body.List[0]?.ID}`);
    expect(detail.body.Content).toContain(`[环](/lab/${lab?.id})`);
  });
});

describe('the catalogue', () => {
  test('visitors read it, and sign in to join', async () => {
    const visitor = world.visitor();
    const course = await make();
    expect((await visitor.call('GET', '/course')).status).toBe(200);
    const { body } = await visitor.call<CourseDetail>('GET', `/course/${course.ID}?lang=en-US`);
    expect([body.Title, body.Content, body.MyRole]).toEqual([course.TitleEn, '正文', null]);
    expect(outcome(await join(visitor, course))).toEqual([401, 'not_signed_in']);
    expect(outcome(await visitor.call('GET', `/course/${course.ID}/member`))).toEqual([
      401,
      'not_signed_in',
    ]);
  });

  test('filters by keyword, domain, tag and one’s own, and says how many match', async () => {
    const [tag] = await world.sql<{ id: number }>(sql`select id from tag where slug = 'mpi'`);
    const [domain] = await world.sql<{ id: number }>(sql`select id from domain`);
    const titles = async (query: string, person = student): Promise<string[]> =>
      (await person.call<Rows<CourseSummary>>('GET', `/course?${query}`)).body.List.map(
        ({ Title }) => Title,
      );
    expect(await titles(`tags=${tag?.id}`)).toEqual(['并行课程']);
    expect(await titles(`domains=${domain?.id}&pageSize=1&page=2`)).toEqual(['实践课程']);
    expect(await titles('keyword=实践')).toEqual(['实践课程']);
    expect(await titles('joined=true')).toEqual(['并行课程']);
    expect(await titles('joined=true', world.visitor())).toEqual([]);
    expect((await titles('joined=true', teacher)).length).toBeGreaterThan(1);
    expect((await titles('sort=hottest'))[0]).toBe('并行课程');
  });

  test('a hidden course is in no list, but its address works and its people keep it', async () => {
    const course = await make({ IsHidden: true, TitleZh: '隐藏课程' });
    for (const path of ['/course?keyword=隐藏', '/course/titles?keyword=隐藏'])
      expect((await student.call<Rows<unknown>>('GET', path)).body.Total).toBe(0);
    expect((await join(student, course)).body.MyRole).toBe('member');
    const own = await student.call<Rows<CourseSummary>>('GET', '/course?joined=true');
    expect(own.body.List.map(({ ID }) => ID)).toContain(course.ID);
  });

  test('a draft is its staff’s alone: neither its members nor anybody else find it', async () => {
    const course = await make();
    await join(student, course);
    await teacher.call('PUT', `/course/${course.ID}`, {
      TitleZh: course.TitleZh,
      CoverKind: 'ring',
      IsPublished: false,
      Version: course.Version,
    });
    expect((await student.call('GET', `/course/${course.ID}`)).status).toBe(404);
    expect((await student.call('GET', `/course/${course.ID}/notice`)).status).toBe(404);
    expect((await join(student2, course)).status).toBe(404);
    expect((await join(admin, course)).status).toBe(404);
    expect((await teacher.call('GET', `/course/${course.ID}`)).status).toBe(200);
  });

  test('a page takes the same statements whatever it shows', async () => {
    const count = async (path: string): Promise<number> => {
      await teacher.call('GET', path);
      statements.length = 0;
      await teacher.call('GET', path);
      return statements.length;
    };
    for (const path of ['/course?', '/course/managed?', '/course/titles?']) {
      const one = await count(`${path}pageSize=1`);
      expect([path, await count(`${path}pageSize=100`)]).toEqual([path, one]);
    }
  });
});

describe('joining', () => {
  test('a public course is joined at once, and twice is once', async () => {
    const course = await make();
    expect((await join(student, course)).body).toEqual({ MyRole: 'member' });
    expect((await join(student, course)).body).toEqual({ MyRole: 'member' });
    const { body } = await student.call<Rows<CourseMember>>('GET', `/course/${course.ID}/member`);
    expect([body.Total, body.List]).toEqual([
      1,
      [{ ID: ids['student'], Nickname: '林同学', Avatar: null, Organisation: null }],
    ]);
  });

  test('two presses at once are one member', async () => {
    const course = await make();
    const both = await Promise.all([join(student, course), join(student, course)]);
    expect(both.map(({ status, body }) => [status, body.MyRole])).toEqual([
      [200, 'member'],
      [200, 'member'],
    ]);
    expect((await student.call<CourseDetail>('GET', `/course/${course.ID}`)).body.Members).toBe(1);
  });

  test('an application waits, its staff are told, and the answer is told to who applied', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    expect((await join(student, course)).body).toEqual({ MyRole: 'waiting' });
    expect((await join(student, course)).body).toEqual({ MyRole: 'waiting' });
    await join(student2, course);
    expect(await lastTold(teacher)).toMatchObject({
      Title: `有人申请加入《${course.TitleZh}》`,
      Content: '陈同学 正在等待审核。',
      Path: `/admin/course/${course.ID}/member`,
    });
    // Who waits is not in it.
    expect((await student.call('GET', `/course/${course.ID}/member`)).status).toBe(404);
    const answer = (UserIDList: (number | undefined)[], IsApproved: boolean) =>
      teacher.call('POST', `/course/${course.ID}/member/review`, { UserIDList, IsApproved });
    expect((await answer([ids['student']], true)).body).toEqual({ Answered: 1 });
    expect((await answer([ids['student']], true)).body).toEqual({ Answered: 0 });
    expect((await answer([ids['student2']], false)).body).toEqual({ Answered: 1 });
    expect([await roleOf(student, course), await roleOf(student2, course)]).toEqual([
      'member',
      null,
    ]);
    expect((await lastTold(student))?.Title).toBe(`已加入《${course.TitleZh}》`);
    expect((await lastTold(student2))?.Title).toBe(`《${course.TitleZh}》的加入申请未通过`);
    // Somebody who is not in the course cannot be answered.
    expect((await answer([ids['graduate']], true)).status).toBe(404);
  });

  test('an application is withdrawn, and may be made again', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    await join(student, course);
    const before = (await lastTold(student))?.ID;
    expect((await student.call('DELETE', `/course/${course.ID}/membership`)).status).toBe(200);
    expect(await roleOf(student, course)).toBeNull();
    expect((await lastTold(student))?.ID).toBe(before);
    expect((await join(student, course)).body).toEqual({ MyRole: 'waiting' });
  });

  test('applying and withdrawing over and over does not flood the staff', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    world.clock.advance(3600);
    let last = await join(student2, course);
    for (let time = 0; time < 20; time += 1) {
      expect(last.status).toBe(200);
      await student2.call('DELETE', `/course/${course.ID}/membership`);
      last = await join(student2, course);
    }
    expect(outcome(last)).toEqual([429, 'too_many_guesses']);
    world.clock.advance(901);
    expect((await join(student2, course)).body).toEqual({ MyRole: 'waiting' });
  });

  test('a code admits while it holds; outside its time that is said to who has it only', async () => {
    const now = world.clock.now().getTime();
    const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
    const course = await make({
      JoinMode: CourseJoinMode.inviteCode,
      InviteCode: 'HPC2026',
      InviteFrom: at(3600),
      InviteUntil: at(7200),
    });
    expect(outcome(await join(student, course, 'hpc2026'))).toEqual([400, 'course_code_wrong']);
    expect(outcome(await join(student, course))).toEqual([400, 'course_code_wrong']);
    // As many characters, and more bytes.
    expect(outcome(await join(student, course, '邀请码是多少呢'))).toEqual([
      400,
      'course_code_wrong',
    ]);
    expect(outcome(await join(student, course, 'HPC2026'))).toEqual([409, 'course_code_expired']);
    world.clock.advance(3601);
    expect((await join(student, course, ' HPC2026 ')).body).toEqual({ MyRole: 'member' });
    world.clock.advance(3600);
    expect(outcome(await join(student2, course, 'HPC2026'))).toEqual([409, 'course_code_expired']);
    // Whoever is in stays in.
    expect((await join(student, course)).body).toEqual({ MyRole: 'member' });
  });

  test('guessing a code is limited, over all courses, and ends after a while', async () => {
    const one = await make({ JoinMode: CourseJoinMode.inviteCode, InviteCode: 'right1' });
    const other = await make({ JoinMode: CourseJoinMode.inviteCode, InviteCode: 'right2' });
    world.clock.advance(3600);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await join(graduate, guess % 2 === 0 ? one : other, `wrong${guess}`)).status).toBe(
        400,
      );
    expect(outcome(await join(graduate, one, 'right1'))).toEqual([429, 'too_many_guesses']);
    // A public course needs no code and no guess.
    expect((await join(graduate, await make())).status).toBe(200);
    world.clock.advance(901);
    expect((await join(graduate, one, 'right1')).body).toEqual({ MyRole: 'member' });
  });

  test('a private course shows its text to its people only, and is joined by its code', async () => {
    const course = await make({
      TitleZh: '私有课程',
      ContentZh: '机密的讲义',
      IsPrivate: true,
      InviteCode: 'secret7',
    });
    const outside = await student.call<CourseDetail>('GET', `/course/${course.ID}`);
    expect([outside.body.Title, outside.body.Content, outside.body.IsPrivate]).toEqual([
      '私有课程',
      null,
      true,
    ]);
    expect(JSON.stringify(outside.body)).not.toContain('secret7');
    // A search does not tell what the text holds either.
    const found = await student.call<Rows<CourseSummary>>('GET', '/course?keyword=机密');
    expect(found.body.Total).toBe(0);
    expect(outcome(await join(student, course))).toEqual([400, 'course_code_wrong']);
    expect((await join(student, course, 'secret7')).status).toBe(200);
    const inside = await student.call<CourseDetail>('GET', `/course/${course.ID}`);
    expect(inside.body.Content).toBe('机密的讲义');
    expect(JSON.stringify(inside.body)).not.toContain('secret7');
    expect((await admin.call<CourseDetail>('GET', `/course/${course.ID}`)).body.Content).toBe(
      '机密的讲义',
    );
  });

  test('making a course private takes its text out of the search', async () => {
    const course = await make({ ContentZh: '独门的讲义' });
    const total = async (): Promise<number> =>
      (await student.call<Rows<unknown>>('GET', '/course?keyword=独门')).body.Total;
    expect(await total()).toBe(1);
    const changed = await teacher.call<ManagedCourse>('PUT', `/course/${course.ID}/permission`, {
      ...JOINING,
      IsPrivate: true,
      InviteCode: 'only4us',
      Version: course.Version,
    });
    expect([changed.status, await total()]).toEqual([200, 0]);
    // And changing the text afterwards does not put it back.
    await teacher.call('PUT', `/course/${course.ID}`, {
      TitleZh: course.TitleZh,
      ContentZh: '独门的新讲义',
      CoverKind: 'ring',
      IsPublished: true,
      Version: changed.body.Version,
    });
    expect(await total()).toBe(0);
  });

  test.each([
    ['a private course without a code', { IsPrivate: true }, 400],
    ['joining by a code without one', { JoinMode: CourseJoinMode.inviteCode }, 400],
    ['a code of three characters', { InviteCode: 'abc' }, 400],
    ['a code of 21 characters', { InviteCode: 'a'.repeat(21) }, 400],
    ['a code with a hyphen', { InviteCode: 'ab-cd' }, 400],
    [
      'a period that ends first',
      {
        InviteCode: 'abcd',
        InviteFrom: '2026-02-01T00:00:00Z',
        InviteUntil: '2026-01-01T00:00:00Z',
      },
      400,
    ],
    ['an unknown mode', { JoinMode: 4 }, 400],
    ['a title of 31 characters', { TitleZh: '字'.repeat(31) }, 400],
    ['an unknown tag', { TagIDList: [999_999] }, 404],
    ['fields of the server', { OwnerID: 1 }, 400],
  ])('%s is refused', async (_what, changes, status) => {
    const body = { TitleZh: '课程', CoverKind: 'ring', IsPublished: true, ...changes };
    expect((await teacher.call('POST', '/course', body)).status).toBe(status);
  });

  test('the server suggests codes that it takes', async () => {
    const { body } = await teacher.call<{ InviteCode: string }>('GET', '/course/invite-code');
    const course = await make({ JoinMode: CourseJoinMode.inviteCode, InviteCode: body.InviteCode });
    expect(course.InviteCode).toBe(body.InviteCode);
    const again = await teacher.call<{ InviteCode: string }>('GET', '/course/invite-code');
    expect(again.body.InviteCode).not.toBe(body.InviteCode);
  });
});

describe('leaving', () => {
  test('who leaves is told, and learns no more of the course', async () => {
    const course = await make();
    await join(student, course);
    expect((await student.call('GET', `/course/${course.ID}/notice`)).status).toBe(200);
    await student.call('DELETE', `/course/${course.ID}/membership`);
    expect((await lastTold(student))?.Title).toBe(`已退出《${course.TitleZh}》`);
    expect((await student.call('GET', `/course/${course.ID}/notice`)).status).toBe(404);
    expect((await student.call('GET', `/course/${course.ID}/member`)).status).toBe(404);
  });

  test('who is removed is told', async () => {
    const course = await make();
    await join(student, course);
    await join(student2, course);
    const path = `/course/${course.ID}/member?UserIDList=${ids['student']},${ids['student2']}`;
    expect((await teacher.call('DELETE', path)).body).toEqual({ Removed: 2 });
    expect((await lastTold(student2))?.Title).toBe(`您已被移出《${course.TitleZh}》`);
    expect(await roleOf(student, course)).toBeNull();
    expect((await teacher.call('DELETE', path)).status).toBe(404);
  });
});

describe('the staff', () => {
  const assistantPath = ({ ID }: { ID: number }): string => `/course/${ID}/assistant`;

  test('an assistant works on the courses that they assist, and knows of no other', async () => {
    const mine = await make();
    const others = await make({ IsPublished: false });
    const added = await teacher.call<CourseStaff>('POST', assistantPath(mine), {
      Name: 'ASSISTANT@hypercube.local',
    });
    expect([added.status, added.body.Username]).toEqual([201, 'assistant']);
    expect((await lastTold(assistant))?.Title).toBe(`您现在是《${mine.TitleZh}》的助教`);
    const change = (course: ManagedCourse) =>
      assistant.call<ManagedCourse>('PUT', `/course/${course.ID}`, {
        TitleZh: '助教改的',
        CoverKind: 'ring',
        IsPublished: true,
        Version: course.Version,
      });
    expect((await change(mine)).body.Title).toBe('助教改的');
    expect((await change(others)).status).toBe(404);
    for (const [method, path, body] of [
      ['GET', 'managed', undefined],
      ['GET', 'member/managed', undefined],
      ['GET', 'member/export?columns=Email', undefined],
      ['GET', 'assistant', undefined],
      ['POST', 'notice', { TitleZh: '公告', ContentZh: '内容' }],
    ] as const) {
      expect([
        path,
        (await assistant.call(method, `/course/${mine.ID}/${path}`, body)).status,
      ]).toEqual([path, method === 'POST' ? 201 : 200]);
      expect([
        path,
        (await assistant.call(method, `/course/${others.ID}/${path}`, body)).status,
      ]).toEqual([path, 404]);
    }
    // What is the owner's stays the owner's.
    const permission = { ...JOINING, Version: mine.Version + 1 };
    for (const [method, path, body] of [
      ['PUT', `/course/${mine.ID}/permission`, permission],
      ['DELETE', `/course/${mine.ID}`, undefined],
      ['POST', assistantPath(mine), { Name: 'student' }],
    ] as const)
      expect((await assistant.call(method, path, body)).status).toBe(403);
  });

  test('the role comes with the first course and goes with the last, at once', async () => {
    const [one, two] = [await make(), await make()];
    const person = await world.signIn('student2', 'assistant');
    const status = async (course: ManagedCourse): Promise<number> =>
      (await person.call('GET', `/course/${course.ID}/managed`)).status;
    const remove = (course: ManagedCourse) =>
      teacher.call('DELETE', `${assistantPath(course)}/${ids['student2']}`);
    expect(await status(one)).toBe(403);
    for (const course of [one, two])
      await teacher.call('POST', assistantPath(course), { Name: 'student2' });
    expect([await status(one), await status(two)]).toEqual([200, 200]);
    expect((await remove(one)).status).toBe(200);
    expect([await status(one), await status(two)]).toEqual([404, 200]);
    expect((await lastTold(student2))?.Title).toBe(`您不再参与管理《${one.TitleZh}》`);
    expect((await remove(one)).status).toBe(404);
    // The last one goes with its course.
    expect((await teacher.call('DELETE', `/course/${two.ID}`)).status).toBe(200);
    expect(await status(two)).toBe(403);
    expect(
      await world.sql(
        sql`select 1 from user_role where user_id = ${ids['student2']} and role = 'assistant'`,
      ),
    ).toEqual([]);
  });

  test('taken off two courses at once, they lose the role', async () => {
    const pair = [await make(), await make()];
    for (const course of pair)
      await teacher.call('POST', assistantPath(course), { Name: 'student2' });
    await Promise.all(
      pair.map((course) => teacher.call('DELETE', `${assistantPath(course)}/${ids['student2']}`)),
    );
    const person = await world.signIn('student2', 'assistant');
    expect((await person.call('GET', '/course/managed')).status).toBe(403);
  });

  test('a member who becomes an assistant is no member any more, and is not offered to join', async () => {
    const course = await make();
    await join(graduate, course);
    await teacher.call('POST', assistantPath(course), { Name: 'graduate' });
    const { body } = await graduate.call<CourseDetail>('GET', `/course/${course.ID}`);
    expect([body.MyRole, body.Members]).toEqual(['assistant', 0]);
    expect(outcome(await join(graduate, course))).toEqual([409, 'course_staff']);
    expect(outcome(await join(teacher, course))).toEqual([409, 'course_staff']);
    // Leaving is for members: whoever works on it is taken off by its owner.
    await graduate.call('DELETE', `/course/${course.ID}/membership`);
    expect(await roleOf(graduate, course)).toBe('assistant');
    expect(
      outcome(await teacher.call('POST', assistantPath(course), { Name: 'graduate' })),
    ).toEqual([409, 'course_staff']);
    await teacher.call('DELETE', `${assistantPath(course)}/${ids['graduate']}`);
  });

  test('a collaborator is a teacher, and does everything but delete and permissions', async () => {
    const course = await make({ IsPublished: false }, admin);
    const path = `/course/${course.ID}/collaborator`;
    expect((await teacher.call('GET', `/course/${course.ID}/managed`)).status).toBe(404);
    expect(outcome(await admin.call('POST', path, { Name: 'student' }))).toEqual([
      409,
      'collaborator_no_teacher',
    ]);
    expect(outcome(await admin.call('POST', path, { Name: 'teach' }))).toEqual([
      400,
      'person_unknown',
    ]);
    expect((await admin.call('POST', path, { Name: 'teacher' })).status).toBe(201);
    expect(outcome(await admin.call('POST', path, { Name: 'admin' }))).toEqual([
      409,
      'course_staff',
    ]);
    const now = await teacher.call<ManagedCourse>('GET', `/course/${course.ID}/managed`);
    expect([now.status, now.body.MyRole]).toEqual([200, 'collaborator']);
    for (const relation of ['all', 'cooperation']) {
      const { body } = await teacher.call<Rows<ManagedCourse>>(
        'GET',
        `/course/managed?relation=${relation}&pageSize=100`,
      );
      expect(body.List.map(({ ID }) => ID)).toContain(course.ID);
    }
    const mine = await teacher.call<Rows<ManagedCourse>>(
      'GET',
      '/course/managed?relation=mine&pageSize=100',
    );
    expect(mine.body.List.every(({ MyRole }) => MyRole === 'owner')).toBe(true);
    const notice = { TitleZh: '公告', ContentZh: '内容' };
    expect((await teacher.call('POST', `/course/${course.ID}/notice`, notice)).status).toBe(201);
    for (const [method, rest, body] of [
      ['DELETE', '', undefined],
      ['GET', '/dependent', undefined],
      ['PUT', '/permission', { ...JOINING, Version: course.Version }],
      ['POST', '/assistant', { Name: 'student' }],
      ['POST', '/collaborator', { Name: 'admin' }],
    ] as const)
      expect([
        rest,
        (await teacher.call(method, `/course/${course.ID}${rest}`, body)).status,
      ]).toEqual([rest, 404]);
    expect((await admin.call('DELETE', `${path}/${ids['teacher']}`)).status).toBe(200);
    expect((await teacher.call('GET', `/course/${course.ID}/managed`)).status).toBe(404);
  });

  test('an assistant finds teachers by name, and nothing to reach them by', async () => {
    const { body } = await assistant.call<Rows<TeacherContact>>('GET', '/user/teacher?keyword=王');
    expect(body).toEqual({
      List: [{ Name: '王老师', Organisation: null, Avatar: null }],
      Total: 1,
    });
    expect((await assistant.call('GET', '/user/teacher')).status).toBe(400);
    expect((await student.call('GET', '/user/teacher?keyword=王')).status).toBe(403);
  });

  test('two people who change the same: the second is told, and nothing of theirs is written', async () => {
    const course = await make();
    const change = (person: Person, TitleZh: string) =>
      person.call<ManagedCourse & Refused>('PUT', `/course/${course.ID}`, {
        TitleZh,
        CoverKind: 'ring',
        IsPublished: true,
        Version: course.Version,
      });
    expect((await change(teacher, '甲')).status).toBe(200);
    expect(outcome(await change(admin, '乙'))).toEqual([409, 'changed_meanwhile']);
    const permission = await admin.call('PUT', `/course/${course.ID}/permission`, {
      ...JOINING,
      IsHidden: true,
      Version: course.Version,
    });
    expect(outcome(permission)).toEqual([409, 'changed_meanwhile']);
    const { body } = await admin.call<ManagedCourse>('GET', `/course/${course.ID}/managed`);
    expect([body.Title, body.IsHidden]).toEqual(['甲', false]);
  });

  test('the order is the admins’', async () => {
    const { body } = await admin.call<Rows<ManagedCourse>>('GET', '/course/managed?pageSize=100');
    const CourseIDList = body.List.map(({ ID }) => ID).toReversed();
    expect((await teacher.call('PUT', '/course/sequence', { CourseIDList })).status).toBe(403);
    expect((await admin.call('PUT', '/course/sequence', { CourseIDList })).status).toBe(200);
    const after = await admin.call<Rows<ManagedCourse>>('GET', '/course/managed?pageSize=100');
    expect(after.body.List.map(({ ID }) => ID)).toEqual(CourseIDList);
  });

  test('what goes with a course is said before, and its people are told after', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    await join(student, course);
    await join(student2, course);
    await teacher.call('POST', `/course/${course.ID}/member/review`, {
      UserIDList: [ids['student']],
      IsApproved: true,
    });
    await teacher.call('POST', assistantPath(course), { Name: 'assistant' });
    await teacher.call('POST', `/course/${course.ID}/notice`, {
      TitleZh: '公告',
      ContentZh: '内容',
    });
    expect((await teacher.call('GET', `/course/${course.ID}/dependent`)).body).toEqual({
      Members: 1,
      Waiting: 1,
      Assistants: 1,
      Collaborators: 0,
      Notices: 1,
      Homework: 0,
      Submissions: 0,
    });
    expect((await teacher.call('DELETE', `/course/${course.ID}`)).status).toBe(200);
    const told = `《${course.TitleZh}》已删除`;
    expect((await lastTold(student))?.Title).toBe(told);
    expect((await lastTold(assistant))?.Title).toBe(told);
    expect((await student.call('GET', `/course/${course.ID}`)).status).toBe(404);
    // They assist another one, so the role stays.
    expect((await assistant.call('GET', '/course/managed')).status).toBe(200);
  });
});

describe('members', () => {
  test('staff find, filter and export them; a formula in a name stays a text', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    await world.sql(
      sql`update user_account set real_name = '=1+2', student_id = '2026001', organisation = '清华大学' where username = 'student'`,
    );
    await join(student, course);
    await join(student2, course);
    await teacher.call('POST', `/course/${course.ID}/member/review`, {
      UserIDList: [ids['student']],
      IsApproved: true,
    });
    const members = async (query: string): Promise<ManagedMember[]> =>
      (
        await teacher.call<Rows<ManagedMember>>(
          'GET',
          `/course/${course.ID}/member/managed?${query}`,
        )
      ).body.List;
    expect((await members('')).map(({ Username, State }) => [Username, State])).toEqual([
      ['student2', 'waiting'],
      ['student', 'joined'],
    ]);
    expect((await members('sort=oldest')).map(({ Username }) => Username)).toEqual([
      'student',
      'student2',
    ]);
    expect(await members('state=joined')).toMatchObject([
      {
        ID: ids['student'],
        RealName: '=1+2',
        StudentID: '2026001',
        Organisation: '清华大学',
        Email: 'student@hypercube.local',
        JoinedAt: world.clock.now().toISOString(),
      },
    ]);
    for (const [keyword, count] of [
      ['2026001', 1],
      ['清华', 1],
      ['陈', 1],
      ['hypercube.local', 2],
      ['%', 0],
    ] as const)
      expect([keyword, (await members(`keyword=${encodeURIComponent(keyword)}`)).length]).toEqual([
        keyword,
        count,
      ]);
    const columns = 'StudentID,RealName,Username,State';
    const path = `/course/${course.ID}/member/export?columns=${columns}&sort=oldest`;
    const host = await world.listen();
    const answer = await fetch(`http://${host}/api/v1${path}&role=teacher&lang=zh-CN`, {
      headers: { cookie: teacher.cookie ?? '' },
    });
    expect(answer.headers.get('content-disposition')).toContain('members.xlsx');
    expect(await readSheet(Buffer.from(await answer.arrayBuffer()), 10)).toEqual([
      ['学号', '姓名', '用户名', '状态'],
      ['2026001', "'=1+2", 'student', '已加入'],
      ['', '', 'student2', '待审核'],
    ]);
    // Who took a list of people away is in the record.
    const [record] = await world.sql<{ action: string }>(
      sql`select action from audit_record order by id desc limit 1`,
    );
    expect(record?.action).toBe('exportMembers');
  });

  test('members see of each other what the list of members shows, and nothing more', async () => {
    const course = await make();
    await join(student, course);
    await join(student2, course);
    const { body } = await student.call<Rows<CourseMember>>(
      'GET',
      `/course/${course.ID}/member?keyword=陈`,
    );
    expect(body.List.map((member) => Object.keys(member).toSorted())).toEqual([
      ['Avatar', 'ID', 'Nickname', 'Organisation'],
    ]);
    expect((await student.call('GET', `/course/${course.ID}/member/managed`)).status).toBe(403);
  });
});

describe('notices', () => {
  const notice = { TitleZh: '第一次作业', TitleEn: 'First homework', ContentZh: '下周一交' };

  test('reach everybody in the course but who wrote it, in their list and on their bell', async () => {
    const course = await make({ JoinMode: CourseJoinMode.public });
    await join(student, course);
    await teacher.call('POST', `/course/${course.ID}/assistant`, { Name: 'assistant' });
    const unread = async (person: Person): Promise<number> =>
      (await person.call<number>('GET', '/notification?count=true')).body;
    const before = [await unread(student), await unread(teacher), await unread(graduate)];
    statements.length = 0;
    const put = await teacher.call<CourseNotice>('POST', `/course/${course.ID}/notice`, notice);
    expect([put.status, put.body.Author]).toEqual([201, '王老师']);
    // One statement for all members, not one each.
    expect(
      statements.filter((one) => one.includes('insert into notification_receipt')).length,
    ).toBe(1);
    expect([await unread(student), await unread(teacher), await unread(graduate)]).toEqual([
      (before[0] ?? 0) + 1,
      before[1],
      before[2],
    ]);
    expect(await lastTold(student)).toMatchObject({
      Title: `《${course.TitleZh}》：第一次作业`,
      Content: '下周一交',
      Path: `/course/${course.ID}`,
    });
    expect((await lastTold(assistant))?.Title).toBe(`《${course.TitleZh}》：第一次作业`);
    const english = await student.call<Rows<CourseNotice>>(
      'GET',
      `/course/${course.ID}/notice?lang=en-US`,
    );
    // What was not written in English is shown in Chinese.
    expect(english.body.List.map(({ Title, Content }) => [Title, Content])).toEqual([
      ['First homework', '下周一交'],
    ]);
  });

  test('who wants to hear nothing of courses is not told, and reads it in the course', async () => {
    const course = await make();
    await join(student2, course);
    const choose = (Inbox: boolean) =>
      student2.call('PUT', `/user/${ids['student2']}/preference`, {
        NotificationChoices: { course: { Inbox, Mail: 'off' } },
      });
    await choose(false);
    const before = (await lastTold(student2))?.ID;
    await teacher.call('POST', `/course/${course.ID}/notice`, notice);
    expect((await lastTold(student2))?.ID).toBe(before);
    const { body } = await student2.call<Rows<CourseNotice>>('GET', `/course/${course.ID}/notice`);
    expect(body.Total).toBe(1);
    await choose(true);
  });

  test('a change shows in the inbox, a deletion takes it out, and two editors do not overwrite', async () => {
    const course = await make();
    await join(student, course);
    const { body: first } = await teacher.call<CourseNotice>(
      'POST',
      `/course/${course.ID}/notice`,
      notice,
    );
    const path = `/course/${course.ID}/notice/${first.ID}`;
    const changed = { TitleZh: '作业改期', ContentZh: '下周五交', Version: first.Version };
    expect((await teacher.call('PUT', path, changed)).status).toBe(200);
    expect(outcome(await admin.call('PUT', path, changed))).toEqual([409, 'changed_meanwhile']);
    expect(await lastTold(student)).toMatchObject({
      Title: `《${course.TitleZh}》：作业改期`,
      Content: '下周五交',
    });
    expect((await student.call('DELETE', path)).status).toBe(403);
    const other = await make();
    expect((await teacher.call('DELETE', `/course/${other.ID}/notice/${first.ID}`)).status).toBe(
      404,
    );
    expect((await teacher.call('DELETE', path)).status).toBe(200);
    expect((await lastTold(student))?.Title).not.toContain('作业改期');
  });

  test('come newest first, in pages', async () => {
    const course = await make();
    for (const TitleZh of ['一', '二', '三']) {
      world.clock.advance(1);
      await teacher.call('POST', `/course/${course.ID}/notice`, { ...notice, TitleZh });
    }
    const page = async (query: string): Promise<string[]> =>
      (
        await teacher.call<Rows<CourseNotice>>('GET', `/course/${course.ID}/notice?${query}`)
      ).body.List.map(({ TitleZh }) => TitleZh);
    expect(await page('pageSize=2')).toEqual(['三', '二']);
    expect(await page('pageSize=2&page=2')).toEqual(['一']);
    expect(await page('keyword=二')).toEqual(['二']);
  });

  test.each([
    ['a title of 31 characters', { TitleZh: '字'.repeat(31) }],
    ['a text of 251 characters', { ContentZh: '字'.repeat(251) }],
    ['no text', { ContentZh: ' ' }],
  ])('%s is refused', async (_what, change) => {
    const course = await make();
    expect(
      (await teacher.call('POST', `/course/${course.ID}/notice`, { ...notice, ...change })).status,
    ).toBe(400);
  });
});

describe('what staff send to a course', () => {
  const words = { TitleZh: '停机维护', ContentZh: '周日晚', Audience: 'course' };

  test('reaches who is in it now, and says to which course it went', async () => {
    const course = await make({ JoinMode: CourseJoinMode.application });
    await join(student, course);
    await join(student2, course);
    await teacher.call('POST', `/course/${course.ID}/member/review`, {
      UserIDList: [ids['student']],
      IsApproved: true,
    });
    const { status, body } = await admin.call<SentNotification>('POST', '/notification', {
      ...words,
      CourseID: course.ID,
    });
    // The member and the owner; who waits is not in it.
    expect([status, body.Course, body.Recipients]).toEqual([201, course.TitleZh, 2]);
    const told = (person: Person) =>
      person.call<Rows<Notification>>('GET', '/notification?kind=course&keyword=停机');
    expect((await told(student)).body.List[0]?.Title).toBe('停机维护');
    expect((await told(student2)).body.Total).toBe(0);
  });

  test('without its course it is refused, and only who may send it does', async () => {
    const course = await make();
    expect(outcome(await admin.call('POST', '/notification', words))).toEqual([
      400,
      'recipients_missing',
    ]);
    const body = { ...words, CourseID: course.ID };
    expect((await teacher.call('POST', '/notification', body)).status).toBe(403);
    expect(
      (await admin.call('POST', '/notification', { ...words, CourseID: 999_999 })).status,
    ).toBe(404);
  });

  test('later, it reaches who is in it then', async () => {
    const course = await make();
    const SendAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    const { body } = await admin.call<SentNotification>('POST', '/notification', {
      ...words,
      TitleZh: '稍后的通知',
      CourseID: course.ID,
      SendAt,
    });
    expect([body.IsSent, body.Recipients]).toEqual([false, 0]);
    await join(student, course);
    world.clock.advance(3601);
    await world.system.notifications.work('http://localhost');
    const { body: told } = await until(
      () => student.call<Rows<Notification>>('GET', '/notification?keyword=稍后'),
      (answer) => answer.body.Total > 0,
    );
    expect(told.List[0]).toMatchObject({ Title: '稍后的通知', Kind: 'course', Path: null });
  });
});

describe('looking after it all', () => {
  test('applications wait for those who may answer them', async () => {
    const waiting = async (person: Person): Promise<number | undefined> =>
      (await person.call<Overview>('GET', '/dashboard/overview')).body.Waiting.find(
        ({ Kind }) => Kind === 'courseApplication',
      )?.Count;
    const before = [await waiting(teacher), await waiting(admin), await waiting(assistant)];
    const course = await make({ JoinMode: CourseJoinMode.application });
    await teacher.call('POST', `/course/${course.ID}/assistant`, { Name: 'assistant' });
    await join(student, course);
    expect([await waiting(teacher), await waiting(admin), await waiting(assistant)]).toEqual(
      before.map((count) => (count ?? 0) + 1),
    );
    // The list shows which.
    const listed = async (query: string): Promise<number[]> =>
      (
        await assistant.call<Rows<ManagedCourse>>('GET', `/course/managed?pageSize=100${query}`)
      ).body.List.map(({ ID }) => ID);
    expect(await listed('&waiting=true')).toContain(course.ID);
    const quiet = (await listed('')).filter((id) => id !== course.ID);
    expect(quiet.length).toBeGreaterThan(0);
    expect(await listed('&waiting=true')).not.toContain(quiet[0]);
    const foreign = await make({ JoinMode: CourseJoinMode.application }, admin);
    await join(student, foreign);
    expect([await waiting(teacher), await waiting(admin), await waiting(assistant)]).toEqual([
      (before[0] ?? 0) + 1,
      (before[1] ?? 0) + 2,
      (before[2] ?? 0) + 1,
    ]);
  });

  test('a domain and a tag say which courses carry them', async () => {
    const [tag] = await world.sql<{ id: number; domain_id: number }>(
      sql`select id, domain_id from tag where slug = 'openmp'`,
    );
    const course = await make({ DomainID: tag?.domain_id, TagIDList: [tag?.id] });
    for (const path of [
      `/domain/${tag?.domain_id}/dependent`,
      `/domain/${tag?.domain_id}/tag/${tag?.id}/dependent`,
    ]) {
      const { body } = await admin.call<Rows<{ Kind: string; ID: number }>>('GET', path);
      expect(body.List).toContainEqual({ Kind: 'course', ID: course.ID, Title: course.TitleZh });
    }
  });

  test('deleting an account: its courses are shown before, and go to who deletes it', async () => {
    const [owner] = await world.sql<{ id: number }>(sql`
      insert into user_account (username, email, nickname, type, password_hash)
      select 'old-teacher', 'old@example.edu', '旧老师', 2, password_hash from user_account where username = 'teacher' returning id`);
    await world.sql(
      sql`insert into user_role (user_id, role) values (${owner?.id}, 'student'), (${owner?.id}, 'teacher')`,
    );
    const old = await world.signIn('old-teacher', 'teacher');
    const course = await make({}, old);
    const assisted = await make();
    await teacher.call('POST', `/course/${assisted.ID}/assistant`, { Name: 'old-teacher' });
    await join(student, course);
    // The admin who deletes the account was a part of the course: an owner is nothing beside.
    await old.call('POST', `/course/${course.ID}/assistant`, { Name: 'admin' });
    const dependents = await admin.call<Rows<{ Kind: string; Title: string; Fate: string }>>(
      'GET',
      `/user/${owner?.id}/dependents`,
    );
    expect(dependents.body.List).toContainEqual({
      Kind: 'course',
      ID: course.ID,
      Title: course.TitleZh,
      Fate: 'moved',
    });
    const { status } = await admin.call('DELETE', `/user/${owner?.id}?confirm=old-teacher`);
    expect(status).toBe(200);
    const now = await admin.call<ManagedCourse>('GET', `/course/${course.ID}/managed`);
    expect([now.body.MyRole, now.body.Owner, now.body.Members]).toEqual(['owner', '管理员', 1]);
    const staff = await admin.call<Rows<CourseStaff>>('GET', `/course/${course.ID}/assistant`);
    expect(staff.body.Total).toBe(0);
    const left = await teacher.call<Rows<CourseStaff>>('GET', `/course/${assisted.ID}/assistant`);
    expect(left.body.Total).toBe(0);
    expect(
      await world.sql(
        sql`select 1 from user_role where user_id = ${ids['admin']} and role = 'assistant'`,
      ),
    ).toEqual([]);
  });
});
