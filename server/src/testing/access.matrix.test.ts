/**
 * Every route × every role, generated from the contract: who may not call is refused with the
 * right status before anything is read or changed; a route or a role that is added is covered.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { routes, type Role, type Route, type ScopeKind } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLERS, accessTable, mayCall, type Caller } from './access-table.ts';
import { PLAIN_SITE } from '../domains/setting/setting.defaults.ts';
import { writeSheet } from '../platform/sheet/write.ts';
import { World, type Person } from './world.ts';
import { zipOf } from './zips.ts';

const ACCOUNTS: Readonly<Record<Exclude<Caller, 'visitor'>, string>> = {
  student: 'student2',
  machine_admin: 'manager',
  assistant: 'assistant',
  teacher: 'teacher',
  admin: 'admin',
};

let world: World;
let gradeSheet: Buffer;
let commentZip: Buffer;
let testsZip: Buffer;
const people = new Map<Caller, Person>();
/** Whose they are. */
let owner: Person;
/** A student's things, which the others try to reach. */
const own: Record<string, number> = {};

beforeAll(async () => {
  world = await World.create();
  gradeSheet = await buffer(
    writeSheet(
      'scores',
      ['学号', '姓名', '分数', '评语'],
      Readable.from([[['1', '某人', '1', '']]]),
    ),
  );
  commentZip = await zipOf({ '1_某人.pdf': '%PDF-1.4' });
  testsZip = await zipOf({ 'input1.txt': '1', 'output1.txt': '1' });
  people.set('visitor', world.visitor());
  for (const [caller, account] of Object.entries(ACCOUNTS))
    people.set(caller as Caller, await world.signIn(account, caller as Role));
  owner = await world.signIn('student');
  const [task] = await world.sql<{ id: number; lab_id: number }>(
    sql`select id, lab_id from lab_task order by id limit 1`,
  );
  const [user] = await world.sql<{ id: number }>(
    sql`select id from user_account where username = 'student'`,
  );
  const [domain] = await world.sql<{ id: number }>(sql`select id from domain`);
  const [resource] = await world.sql<{ id: number }>(sql`select id from lab_resource`);
  const [specification] = await world.sql<{ id: number }>(sql`select id from specification`);
  const [image] = await world.sql<{ id: number }>(sql`select id from image`);
  const [tag] = await world.sql<{ id: number }>(sql`select id from tag`);
  const [node] = await world.sql<{ id: number }>(
    sql`select id from specification_node where specification_id = ${specification?.id}`,
  );
  const [computer] = await world.sql<{ id: number }>(sql`
    insert into computer (user_id, specification_id, name)
    values (${user?.id}, ${specification?.id}, 'mine') returning id`);
  const [identity] = await world.sql<{ id: number }>(sql`
    insert into user_identity (user_id, provider, subject, name, created_at)
    values (${user?.id}, 'arose', 'x', 'x', now()) returning id`);
  const [device] = await world.sql<{ id: number }>(
    sql`select id from login_session where user_id = ${user?.id}`,
  );
  await owner.upload(`/user/${user?.id}/avatar`, { name: 'me.png', content: PICTURE });
  const usage = await owner.call<{ ID: number }>('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    LabID: task?.lab_id,
    TaskID: task?.id,
  });
  const [notification] = await world.sql<{ id: number }>(sql`
    with made as (
      insert into notification (kind, title_zh, title_en, content_zh, content_en, send_at, sent_at, created_at)
      values ('system', '通知', '', '内容', '', now(), now(), now()) returning id)
    insert into notification_receipt (user_id, notification_id)
    select ${user?.id}, id from made returning notification_id as id`);
  const [suggestion] = await world.sql<{ id: number }>(sql`
    insert into suggestion (user_id, title, content, is_public, created_at, updated_at)
    values (${user?.id}, '建议', '内容', true, now(), now()) returning id`);
  const [course] = await world.sql<{ id: number }>(
    sql`select id from course where slug = 'mpi-practice'`,
  );
  const [mail] = await world.sql<{ id: number }>(sql`
    insert into mail (recipient, language, template, subject, text, html, message_id, state)
    values ('x@example.edu', 'zh-CN', 'passwordChanged', 's', 't', 'h', '<1@x>', 'failed') returning id`);
  Object.assign(own, {
    mail: mail?.id,
    ownNotification: notification?.id,
    suggestion: suggestion?.id,
    self: user?.id,
    domain: domain?.id,
    lab: task?.lab_id,
    labTask: task?.id,
    labResource: resource?.id,
    specification: specification?.id,
    image: image?.id,
    ownUsage: usage.body.ID,
    anyUsage: usage.body.ID,
    ownComputer: computer?.id,
    pictured: user?.id,
    ownDevice: device?.id,
    ownIdentity: identity?.id,
    tag: tag?.id,
    node: node?.id,
    course: course?.id,
  });
  await renewManaged();
});

/** A domain with a tag, made anew for each call: an admin may delete them. */
async function renewTags(): Promise<void> {
  const [domain] = await world.sql<{ id: number }>(sql`
    insert into domain (title_zh, title_en, color, sequence) values ('方向', '', 1, 99) returning id`);
  const [tag] = await world.sql<{ id: number }>(sql`
    insert into tag (domain_id, title_zh, title_en, color, sequence)
    values (${domain?.id}, '标签', '', 1, 1) returning id`);
  Object.assign(own, { domain: domain?.id, tag: tag?.id });
}

/** What staff look after and nobody owns: made anew for each call, since an admin may delete it. */
async function renewManaged(): Promise<void> {
  const one = async (statement: ReturnType<typeof sql>): Promise<number> =>
    (await world.sql<{ id: number }>(statement))[0]?.id ?? 0;
  const specification = await one(sql`
    insert into specification (name_zh, name_en, image_type, is_shared)
    select name_zh, name_en, image_type, true from specification order by id limit 1 returning id`);
  const node = await one(sql`
    insert into specification_node (specification_id, sequence, name, cpus, memory_bytes, disk_bytes, shm_bytes, pids, image_id)
    select ${specification}, 1, 'node1', 1, 536870912, 1073741824, 67108864, 256, ${own['image']} returning id`);
  const lab = await one(sql`
    insert into lab (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, sequence)
    select type, '草稿', '', '', '', '', '', 'ring', 1, specification_id, 99 from lab where id = ${own['lab']} returning id`);
  const task = await one(sql`
    insert into lab_task (lab_id, sequence, title_zh, title_en, content_zh, content_en)
    values (${lab}, 1, '任务', '', '', '') returning id`);
  const resource = await one(sql`
    insert into lab_resource (lab_id, sequence, type, title_zh, title_en, path, size_bytes)
    values (${lab}, 1, 2, '代码', '', 'code.c', 1) returning id`);
  const image = await one(sql`
    insert into image (type, title_zh, title_en, reference, build_state)
    values (2, '镜像', '', 'own/x:1', 'ready') returning id`);
  const version = await one(sql`
    insert into image_version (image_id, number, reference, contents)
    values (${image}, 1, 'own/x:1', '[]') returning id`);
  const software = await one(sql`
    insert into software (type, title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, specification_id, is_published, sequence)
    select type, '软件', '', '', '', '', '', 'ring', 1, specification_id, true, 99 from lab where id = ${own['lab']} returning id`);
  const problem = await one(sql`
    insert into problem (title_zh, title_en, content_zh, content_en, difficulty, cpu_ms, memory_bytes, tests_folder, test_count, tests_at, is_published, sequence)
    values ('题目', '', '', '', 1, 1000, 67108864, 'problems/matrix', 1, now(), true, 99) returning id`);
  await world.sql(
    sql`insert into problem_code (problem_id, language, default_code, reference_code) values (${problem}, 1, '', 'echo')`,
  );
  await mkdir(join(world.folder, 'problems', 'matrix'), { recursive: true });
  for (const name of ['input1.txt', 'output1.txt'])
    await writeFile(join(world.folder, 'problems', 'matrix', name), '1');
  const problemSubmission = await one(sql`
    insert into problem_submission (problem_id, user_id, kind, language, source, state, verdict, due, tests_version, created_at)
    values (${problem}, ${own['self']}, 'submission', 1, 'echo', 2, 'accepted', now(), 0, now()) returning id`);
  const ownSuggestion = await one(sql`
    insert into suggestion (user_id, title, content, is_public, created_at, updated_at)
    select user_id, title, content, is_public, now(), now() from suggestion where id = ${own['suggestion']}
    returning id`);
  const sentNotification = await one(sql`
    insert into notification (kind, title_zh, title_en, content_zh, content_en, audience, send_at, created_at)
    values ('system', '通知', '', '内容', '', 'all', now() + interval '1 year', now()) returning id`);
  await world.sql(sql`delete from user_account where username = 'matrix-user'`);
  const managedUser = await one(sql`
    insert into user_account (username, email, nickname, type, password_hash)
    values ('matrix-user', 'matrix@example.edu', '某人', 4, 'none') returning id`);
  const centre = await one(sql`
    insert into centre (name_zh, name_en) values ('超算中心', '') returning id`);
  // By the call itself: what is kept of an account is sealed. Many times over, for one applicant.
  await world.sql(sql`delete from login_guess`);
  const { body: applied } = await owner.call<{ ID: number }>('POST', '/resource', {
    ...APPLICATION,
    CentreID: centre,
  });
  await people.get('admin')?.call('PUT', `/resource/${applied.ID}/account`, {
    Credentials: CREDENTIALS,
    Version: 1,
  });
  const auditRecord = await one(sql`
    insert into audit_record (at, user_id, username, nickname, role, address, action, method, path, kind, things, changes, sent, request_id, words)
    values (now(), 1, 'admin', '管理员', 'admin', '::1', 'updateLab', 'PUT', '/lab/1', 'lab', '[]', '[]', '[]', 'x', '') returning id`);
  const managedCourse = await one(sql`
    insert into course (title_zh, title_en, description_zh, description_en, content_zh, content_en, cover_kind, cover_seed, is_published, sequence)
    values ('课程', '', '', '', '', '', 'ring', 1, true, 99) returning id`);
  const courseNotice = await one(sql`
    insert into course_notice (course_id, title_zh, title_en, content_zh, content_en, created_at, updated_at)
    values (${managedCourse}, '公告', '', '内容', '', now(), now()) returning id`);
  await world.sql(sql`delete from user_account where username like 'matrix-course-%'`);
  const inCourse = (role: string): Promise<number> =>
    one(sql`
      with made as (
        insert into user_account (username, email, nickname, type, password_hash)
        values (${`matrix-course-${role}`}, ${`${role}@example.edu`}, '某人', 4, 'none') returning id)
      insert into course_person (course_id, user_id, role, applied_at, joined_at)
      select ${managedCourse}, id, ${role}, now(), now() from made returning user_id as id`);
  const homework = await one(sql`
    insert into homework (course_id, title_zh, title_en, content_zh, content_en, due_at, max_tenths, is_published, told_at, created_at, updated_at)
    values (${managedCourse}, '作业', '', '', '', now() + interval '1 year', 1000, true, now(), now(), now()) returning id`);
  const courseMember = await inCourse('member');
  const admin = await one(sql`select id from user_account where username = 'admin'`);
  const submissionOf = (userID: number): Promise<number> =>
    one(sql`
      insert into homework_submission (homework_id, user_id, state, submitted_at, text)
      values (${homework}, ${userID}, 1, now(), '答案') returning id`);
  const ownSubmission = await submissionOf(admin);
  const readableSubmission = await submissionOf(courseMember);
  const homeworkFile = async (
    kind: string,
    submissionID: number | null,
    homeworkID: number | null,
  ): Promise<number> => {
    const stored = randomUUID();
    await mkdir(join(world.folder, 'homework'), { recursive: true });
    await writeFile(join(world.folder, 'homework', stored), '%PDF-1.4');
    return one(sql`
      insert into homework_file (kind, course_id, homework_id, submission_id, user_id, name, stored, size_bytes, created_at)
      values (${kind}, ${managedCourse}, ${homeworkID}, ${submissionID}, ${admin}, 'a.pdf', ${stored}, 8, now()) returning id`);
  };
  Object.assign(own, {
    homework,
    managedHomework: homework,
    homeworkAttachment: await homeworkFile('attachment', null, homework),
    ownSubmission,
    readableSubmission,
    submissionFile: await homeworkFile('submission', readableSubmission, homework),
    gradedPerson: courseMember,
    attachmentUpload: await homeworkFile('attachment', null, null),
    submissionUpload: await homeworkFile('submission', null, homework),
    commentUpload: await homeworkFile('comment', null, homework),
  });
  Object.assign(own, {
    managedCourse,
    joinedCourse: managedCourse,
    ownCourse: managedCourse,
    courseNotice,
    courseMember,
    courseAssistant: await inCourse('assistant'),
    courseCollaborator: await inCourse('collaborator'),
    ownSuggestion,
    sentNotification,
    problem,
    managedProblem: problem,
    problemSubmission,
    software,
    managedSoftware: software,
    managedLab: lab,
    taskOfManaged: task,
    resourceOfManaged: resource,
    managedImage: image,
    imageVersion: version,
    managedSpecification: specification,
    nodeOfManaged: node,
    managedUser,
    centre,
    openCentre: centre,
    ownResource: applied.ID,
    managedResource: applied.ID,
    auditRecord,
  });
}
afterAll(() => world[Symbol.asyncDispose]());

/** Everything that a call could have changed: all rows but signs of life, and all personal files. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const tables = await world.sql<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'track_%' and table_name not in ('worker', 'problem_judge', 'problem_progress') order by 1`,
  );
  for (const { name } of tables) {
    const rows = await world.sql<{ row: string }>(
      // A mail that somebody's call left is sent in the meantime, and a submission judged; another
      // one would be a change.
      sql.raw(
        `select ${name === 'mail' || name === 'problem_submission' ? 't.id' : "(to_jsonb(t) - 'last_seen_at')"}::text as row from "${name}" t order by 1`,
      ),
    );
    hash.update(name).update(rows.map(({ row }) => row).join('\n'));
  }
  const files = await readdir(join(world.folder, 'files'), { recursive: true }).catch(() => []);
  return hash.update(files.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')).digest('hex');
}

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const COURSE = { TitleZh: '课程', CoverKind: 'ring', IsPublished: true };
const HOMEWORK = { TitleZh: '作业', DueAt: '2099-01-01T00:00:00.000Z', IsPublished: true };
const PROBLEM = {
  TitleZh: '题目',
  Difficulty: 1,
  Codes: [{ Language: 1, ReferenceCode: 'echo' }],
  CpuMs: 1000,
  MemoryBytes: 67_108_864,
  Parallelism: 1,
  SampleCount: 0,
};
const NOTICE = { TitleZh: '公告', ContentZh: '内容' };
const JOINING = {
  IsHidden: false,
  IsPrivate: false,
  JoinMode: 1,
  InviteCode: null,
  InviteFrom: null,
  InviteUntil: null,
};
const LAB = { Type: 2, TitleZh: '实验', CoverKind: 'ring' };
const SPECIFICATION = { NameZh: '规格', IsShared: false, LifetimeSeconds: 3600 };
const NODE = { Name: 'node9', Cpus: 0.5, MemoryBytes: 134_217_728, DiskBytes: 67_108_864 };

const NEWCOMER = {
  Username: 'newcomer',
  Email: 'newcomer@example.edu',
  Password: 'new-pass-1',
  Nickname: '新同学们',
  Phone: '13800138000',
  Gender: 1,
  Organisation: '清华大学',
  Type: 4,
};

const MAIL = {
  IsOn: false,
  Host: '',
  Port: 587,
  Security: 'auto',
  User: '',
  SenderName: '',
  SenderAddress: '',
};
const APPLICATION = {
  ApplicantName: '林同学',
  Organisation: '清华大学',
  Phone: '13800138000',
  Email: 'student@example.edu',
  Project: '湍流模拟',
  CpuHours: 1000,
  Purpose: '直接数值模拟',
};
const CREDENTIALS = { SshAddress: 'login.example.edu', SshUsername: 'lin', SshPassword: 'p' };
const SIGN_ON = { IsOn: false, Issuer: '', ClientID: '', NameZh: '', NameEn: '' };

/** Queries without which a route refuses everybody. */
const QUERIES: Readonly<Record<string, string>> = {
  uploadLabResource: '?type=2&title=x',
  deleteComputer: '?confirm=mine',
  deleteUser: '?confirm=matrix-user',
  exportUsers: '?columns=Username',
  exportMembers: '?columns=Username',
  exportProblemSubmissions: '?columns=Username',
  importScores: '?token=x',
  removeMembers: '?UserIDList=:UserIDList',
  listTeachers: '?keyword=%E7%8E%8B',
  verifyAccount: '?username=newcomer',
  resetSettings: '?version=0',
};

/** A body that would be accepted, from the route's own schema. */
function bodyOf(name: string): unknown {
  const bodies: Partial<Record<string, unknown>> = {
    login: { Username: 'nobody-here', Password: 'no-password' },
    changePassword: { OriginalPassword: 'demo-pass-1', Password: 'other-pass-1' },
    createCaptchaChallenge: { Kind: 'work', Scene: 'ic_activity' },
    answerCaptcha: { SessionId: 'nobody-s', Scene: 'ic_activity', Nonces: [] },
    sendEmailCode: { Email: `new${Date.now()}@example.edu` },
    register: { ...NEWCOMER, EmailCode: '000000' },
    requestPasswordReset: { Username: `nobody-${Date.now()}` },
    resetPassword: { Password: 'other-pass-1', Token: 'no-token' },
    requestEmailChange: { Email: 'x@example.edu', Password: 'demo-pass-1' },
    changeEmail: { Email: 'x@example.edu', EmailCode: '000000' },
    finishSignOn: { Query: '' },
    linkIdentity: { Username: 'nobody-here', Password: 'no-password' },
    createIdentityAccount: { Username: 'new-one', Nickname: 'new-one', Email: 'x@example.edu' },
    createUsage: { RouteName: 'x', RoutePath: '/x', LabID: own['lab'], TaskID: own['labTask'] },
    updateUsage: { Action: 'stop' },
    createLab: { ...LAB, SpecificationID: own['specification'] },
    updateLab: { ...LAB, SpecificationID: own['specification'], Version: 1 },
    publishLab: { IsPublished: false },
    orderLabs: { LabIDList: [own['managedLab']] },
    createLabTask: { TitleZh: '任务' },
    updateLabTask: { TitleZh: '任务', Version: 1 },
    orderLabTasks: { TaskIDList: [own['taskOfManaged']] },
    updateLabResource: { Type: 1, TitleZh: '数据' },
    orderLabResources: { ResourceIDList: [own['resourceOfManaged']] },
    createSoftware: { ...LAB, SpecificationID: own['specification'], IsPublished: false },
    updateSoftware: {
      ...LAB,
      SpecificationID: own['specification'],
      IsPublished: false,
      Version: 1,
    },
    orderSoftware: { SoftwareIDList: [own['managedSoftware']] },
    createProblemSubmission: { Language: 1, Source: 'echo' },
    runProblem: { Language: 1, Source: 'echo', Stdin: '1' },
    createProblem: PROBLEM,
    updateProblem: { ...PROBLEM, Version: 1 },
    publishProblem: { IsPublished: false },
    checkProblem: { Language: 1 },
    createCourse: COURSE,
    updateCourse: { ...COURSE, Version: 1 },
    updateCoursePermission: { ...JOINING, Version: 1 },
    orderCourses: { CourseIDList: [own['managedCourse']] },
    createCourseNotice: NOTICE,
    updateCourseNotice: { ...NOTICE, Version: 1 },
    reviewMembers: { UserIDList: [own['courseMember']], IsApproved: true },
    createHomework: { ...HOMEWORK, AttachmentIDList: [own['attachmentUpload']] },
    updateHomework: { ...HOMEWORK, Version: 1 },
    publishHomework: { IsPublished: false, Version: 1 },
    createSubmission: { Text: '答案' },
    updateSubmission: { Text: '答案', Version: 1 },
    updateScore: { Score: 90, CommentFileID: own['commentUpload'], Version: 1 },
    resetScore: { Version: 1 },
    addAssistant: { Name: 'matrix-course-member' },
    addCollaborator: { Name: 'teacher' },
    createComputer: { SpecificationID: own['specification'] },
    createSpecification: { ...SPECIFICATION, ImageType: 2 },
    updateSpecification: SPECIFICATION,
    createNode: { ...NODE, ImageID: own['image'] },
    updateNode: { ...NODE, ImageID: own['image'] },
    orderNodes: { NodeIDList: [own['nodeOfManaged']] },
    createDomain: { TitleZh: '方向', Color: 1 },
    updateDomain: { TitleZh: '方向', Color: 1, Version: 1 },
    orderDomains: { List: [{ ID: own['domain'], SequenceNumber: 1 }] },
    createTag: { TitleZh: '标签', Color: 1 },
    updateTag: { TitleZh: '标签', Color: 1, Version: 1 },
    orderTags: { List: [{ ID: own['tag'], SequenceNumber: 1 }] },
    selectDomains: { DomainIDList: [] },
    createCentre: { NameZh: '超算中心' },
    updateCentre: { NameZh: '超算中心' },
    updateUserRoles: { Roles: [], Version: 1 },
    updateUserState: { IsDisabled: true, Version: 1 },
    importUsers: {
      Rows: [
        {
          Row: 2,
          Username: 'classmate',
          Email: 'classmate@example.edu',
          Nickname: '',
          RealName: '同学',
          StudentID: '',
          Organisation: '',
          Type: 4,
        },
      ],
    },
    commitImage: { UsageID: own['ownUsage'], TitleZh: '镜像', IsPublic: true },
    updateImage: { TitleZh: '镜像', IsPublic: true },
    endEnvironment: { Reason: '维护' },
    recordTrack: { Type: 101, SessionId: 'session-of-a-tab' },
    readNotifications: { UpdateIDList: [own['ownNotification']] },
    sendNotification: { TitleZh: '通知', ContentZh: '内容', Audience: 'all' },
    createSuggestion: { Title: '建议', Content: '内容', IsPublic: true },
    updateSuggestion: { Title: '建议', Content: '内容', IsPublic: true },
    finishSuggestion: { Status: 2 },
    createReply: { Content: '回复' },
    createResource: { ...APPLICATION, CentreID: own['centre'] },
    updateResource: { ...APPLICATION, CentreID: own['centre'], Version: 1 },
    rejectResource: { Reason: '材料不全', Version: 2 },
    updateResourceAccount: { Credentials: CREDENTIALS, Version: 2 },
    updateSiteSettings: { Version: 0, Values: PLAIN_SITE },
    updateRegistrationSettings: {
      Version: 0,
      Values: { Mode: 'open', Domains: [], Identities: [2, 3, 4] },
    },
    updateLimitSettings: { Version: 0, Values: {} },
    updateMailSettings: { Version: 0, Values: MAIL },
    updateAroseSettings: { Version: 0, Values: SIGN_ON },
    updateScnetSettings: { Version: 0, Values: SIGN_ON },
    updateCaptchaSettings: {
      Version: 0,
      Values: { Provider: 'off', AppKey: '', AccessKeyID: '' },
    },
    updateRetentionSettings: { Version: 0, Values: { TrackDays: 180, MailDays: 30 } },
  };
  return bodies[name] ?? {};
}

const OWNED = new Set<ScopeKind>([
  'self',
  'ownUsage',
  'ownComputer',
  'ownNotification',
  'ownResource',
]);
const TAGS = new Set<ScopeKind>(['domain', 'tag']);
const MANAGED = new Set<ScopeKind>([
  'managedUser',
  'centre',
  'managedResource',
  'ownSuggestion',
  'sentNotification',
  'managedLab',
  'managedSoftware',
  'managedProblem',
  'problemSubmission',
  'managedImage',
  'managedSpecification',
  'joinedCourse',
  'managedCourse',
  'ownCourse',
]);
const names = (route: Route, kinds: ReadonlySet<ScopeKind>): boolean =>
  Object.values(route.scope).some((kind) => kinds.has(kind));

/** Parts are reached through what they belong to, which is another one on the pages of staff. */
const PARTS: Readonly<Partial<Record<ScopeKind, string>>> = {
  labTask: 'taskOfManaged',
  labResource: 'resourceOfManaged',
  node: 'nodeOfManaged',
};

function pathOf(name: string, route: Route): string {
  const path = route.path + (QUERIES[name] ?? '');
  return path.replaceAll(/:([A-Za-z]+)/g, (_whole, parameter: string) => {
    const kind = route.scope[parameter];
    const part = kind && names(route, MANAGED) ? PARTS[kind] : undefined;
    return String(own[part ?? kind ?? ''] ?? 'ring.svg');
  });
}

/** What is sent to the routes that take a file and refuse a drawing. */
const UPLOADS: Readonly<Record<string, () => { name: string; content: Buffer | string }>> = {
  uploadProblemTests: () => ({ name: 'tests.zip', content: testsZip }),
  uploadSuggestionPicture: () => ({ name: 'a.png', content: PICTURE }),
  uploadLogo: () => ({ name: 'a.png', content: PICTURE }),
  uploadHomeworkAttachment: () => ({ name: 'a.pdf', content: '%PDF-1.4' }),
  uploadCommentFile: () => ({ name: 'a.pdf', content: '%PDF-1.4' }),
  previewScores: () => ({ name: 'a.xlsx', content: gradeSheet }),
  importScores: () => ({ name: 'a.xlsx', content: gradeSheet }),
  importCommentFiles: () => ({ name: 'a.zip', content: commentZip }),
};

const send = (person: Person | undefined, name: string, route: Route) =>
  route.upload
    ? person?.upload(pathOf(name, route), UPLOADS[name]?.() ?? { name: 'a.svg', content: '<svg/>' })
    : person?.call(route.method, pathOf(name, route), route.bodySchema ? bodyOf(name) : undefined);

const all = Object.entries(routes as Readonly<Record<string, Route>>);

describe.each(CALLERS)('%s', (caller) => {
  test.each(all.filter(([, route]) => !mayCall(route, caller)))(
    'is refused %s, and nothing changes',
    async (name, route) => {
      const before = await fingerprint();
      const person = people.get(caller);
      const answer = await send(person, name, route);
      expect([answer?.status, answer?.body['Code']]).toEqual(
        caller === 'visitor' ? [401, 'not_signed_in'] : [403, 'forbidden'],
      );
      // An invalid body is refused in the same way: nobody learns what would have been valid.
      const invalid = await person?.call(
        route.method,
        pathOf(name, route),
        route.bodySchema ? { Nonsense: 1 } : undefined,
      );
      expect(invalid?.status).toBe(answer?.status);
      expect(await fingerprint()).toBe(before);
    },
  );

  test.each(
    all.filter(
      ([name, route]) =>
        mayCall(route, caller) &&
        route.kind !== 'stream' &&
        name !== 'logout' &&
        name !== 'createUsage',
    ),
  )('is let into %s, but not to somebody else’s things', async (name, route) => {
    const isManaged = names(route, MANAGED);
    if (isManaged) await renewManaged();
    if (names(route, TAGS)) await renewTags();
    // What nobody owns is the admins' alone.
    const isOthers = names(route, OWNED) || (isManaged && caller !== 'admin');
    const before = isOthers ? await fingerprint() : '';
    const answer = await send(people.get(caller), name, route);
    const accepted = isManaged ? [200, 201, 202, 409] : [200, 201, 202, 400, 409];
    expect(isOthers ? [404] : accepted).toContain(answer?.status);
    expect(isOthers ? await fingerprint() : '').toBe(before);
  });
});

test('the checked-in table is the contract’s', async () => {
  const path = fileURLToPath(new URL('../../../docs/guide/access.md', import.meta.url));
  expect(await readFile(path, 'utf8')).toBe(accessTable());
});

test('every route of the server is in the contract, or is listed here with its reason', () => {
  const known = new Set(all.map(([, route]) => `${route.method} /api/v1${route.path}`));
  const exempt = new Set([
    'GET /healthz', // a load balancer has no account
    'GET /readyz', // likewise
    'GET /metrics', // by token, or from this machine only
  ]);
  const listed = world.system.app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .matchAll(/(?:├──|└──) (\S+) \((GET|POST|PUT|DELETE)[^)]*\)/g);
  // printRoutes nests the paths; the flat list comes from the OpenAPI document.
  expect([...listed].length).toBeGreaterThan(0);
  const document = world.system.app.swagger() as { paths: Record<string, Record<string, unknown>> };
  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  expect(served.filter((route) => !known.has(route) && !exempt.has(route))).toEqual([]);
  expect([...known].filter((route) => !served.includes(route))).toEqual([]);
});

test('answers match their schemas', async () => {
  await renewManaged();
  for (const [name, route] of all) {
    if (
      route.method !== 'GET' ||
      route.kind === 'stream' ||
      route.kind === 'file' ||
      names(route, OWNED)
    )
      continue;
    const caller = mayCall(route, 'student') && !names(route, MANAGED) ? 'student' : 'admin';
    const answer = await people.get(caller)?.call(route.method, pathOf(name, route));
    const parsed = route.response.safeParse(answer?.body);
    expect(parsed.success ? '' : `${name}: ${z.prettifyError(parsed.error)}`).toBe('');
  }
});
