/**
 * SQL statements of every reading call of the contract at 10 and at 1,000 rows: a number that
 * grows with the rows is a query in a loop.
 */
import { actingRoles, meets, routes, type Route } from '@hypercube/contract';
import {
  fillBelongings,
  fillCatalogues,
  fillCourses,
  fillHomework,
  fillLabs,
  fillPeople,
  insertReadyUsages,
} from '../kit/filling.ts';
import { Platform } from '../kit/platform.ts';
import type { Result, Row } from '../kit/report.ts';

const FEW = 10;
const MANY = 1000;
/** Accounts of the same name as their role; the first that may make a call makes it. */
const CALLERS = ['student', 'admin'] as const;
type Caller = (typeof CALLERS)[number];

/** Every GET that answers JSON; a new route is measured without anybody listing it here. */
const READING = Object.entries(routes as Readonly<Record<string, Route>>).filter(
  ([, route]) => route.method === 'GET' && (route.kind ?? 'json') === 'json',
);

/** Parameters without which a route answers nothing. */
const NEEDED: Readonly<Record<string, string>> = {
  '/user/verification': '&username=newcomer',
  '/user/teacher': '&keyword=a',
};

function callerOf({ path, access }: Route): Caller {
  if (!('need' in access)) return CALLERS[0];
  const caller = CALLERS.find((role) => meets(actingRoles([role], role), access.need));
  if (caller === undefined) throw new Error(`${path}: the bench has nobody who may call it`);
  return caller;
}

/** Path of a call with its ids filled in, a list with its largest page. */
function pathOf(route: Route, caller: Caller, ids: Readonly<Record<string, number>>): string {
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_whole, name: string) => {
    const kind = route.scope[name];
    const id = kind === undefined ? undefined : ids[kind];
    if (id === undefined)
      throw new Error(`${route.path}: the bench has no example of a ${kind ?? name}`);
    return String(id);
  });
  return `${path}?role=${caller}${'pageSize' in (route.query ?? {}) ? '&pageSize=100' : ''}${NEEDED[route.path] ?? ''}`;
}

export async function benchQueries(): Promise<Result> {
  // Without a worker, whose own look at its tables once a second would be counted too.
  await using platform = await Platform.start({ kind: 'no worker' });
  const cookies: Record<Caller, string> = {
    student: await platform.signIn('student'),
    admin: await platform.signIn('admin'),
  };
  const [found] = await platform.sql(
    `select l.id as lab, k.id as task, r.id as resource, (select min(id) from domain) as domain, (select t.id from tag t where t.domain_id = (select min(id) from domain) limit 1) as tag, u.id as user,
            (select min(id) from software) as software, (select min(id) from specification) as specification,
            (select id from image where slug = 'notebook') as image, (select min(id) from centre) as centre, (select min(id) from problem) as problem, c.id as course
       from user_account u, course c, lab l join lab_task k on k.lab_id = l.id join lab_resource r on r.lab_id = l.id
      where u.username = 'student' and c.slug = 'parallel-programming' and l.slug is not null order by l.id, k.id, r.id limit 1`,
  );
  const id = (name: string): number => Number(found?.[name]);
  const [usage] = await insertReadyUsages(platform, [id('user')]);
  const [audited] = await platform.sql(
    `insert into audit_record (at, user_id, username, nickname, role, address, action, method, path, kind, things, changes, sent, request_id, words)
     values (now(), 1, 'admin', 'admin', 'admin', '::1', 'updateLab', 'PUT', '/lab/1', 'lab', '[]', '[]', '[]', 'x', '') returning id`,
  );
  const [submitted] = await platform.sql(
    `insert into problem_submission (problem_id, user_id, kind, language, source, state, verdict, due, tests_version, created_at)
     values (${id('problem')}, ${id('user')}, 'submission', 1, '', 2, 'accepted', now(), 1, now()) returning id`,
  );
  // By the calls themselves: what is kept of an account is sealed.
  const applied = await platform.call<{ ID: number }>(
    'POST',
    '/resource?role=student',
    cookies.student,
    {
      ApplicantName: 'x',
      Organisation: 'x',
      Phone: '13800138000',
      Email: 'x@example.edu',
      Project: 'x',
      CentreID: id('centre'),
      CpuHours: 1,
      Purpose: 'x',
    },
  );
  await platform.call('PUT', `/resource/${applied.ID}/account?role=admin`, cookies.admin, {
    Credentials: { SshAddress: 'login.example.edu', SshUsername: 'x', SshPassword: 'x' },
    Version: 1,
  });
  const [set] = await platform.sql(
    `insert into homework (course_id, title_zh, title_en, content_zh, content_en, due_at, max_tenths, is_published, told_at, created_at, updated_at)
     values (${id('course')}, '作业', 'Homework', '正文', 'Text', now() + interval '1 day', 1000, true, now(), now(), now()) returning id`,
  );
  const homeworkID = Number(set?.['id']);
  const ids = {
    homework: homeworkID,
    managedHomework: homeworkID,
    gradedPerson: id('user'),
    ownResource: applied.ID,
    managedResource: applied.ID,
    lab: id('lab'),
    managedLab: id('lab'),
    labTask: id('task'),
    labResource: id('resource'),
    domain: id('domain'),
    problem: id('problem'),
    managedProblem: id('problem'),
    problemSubmission: Number(submitted?.['id']),
    software: id('software'),
    managedSoftware: id('software'),
    course: id('course'),
    joinedCourse: id('course'),
    managedCourse: id('course'),
    ownCourse: id('course'),
    specification: id('specification'),
    image: id('image'),
    managedImage: id('image'),
    self: id('user'),
    managedUser: id('user'),
    tag: id('tag'),
    auditRecord: Number(audited?.['id']),
    ownUsage: usage?.id ?? 0,
    suggestion: 1,
    mail: 1,
  };

  const count = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const [name, route] of READING) {
      const caller = callerOf(route);
      const [path, cookie] = [pathOf(route, caller, ids), cookies[caller]];
      // The first call of a kind may fill a cache, such as that of the login session.
      await platform.call('GET', path, cookie);
      await platform.worker.call('takeStatements', true);
      await platform.call('GET', path, cookie);
      const statements = await platform.worker.call('takeStatements', false);
      counts[name] = statements.length;
    }
    return counts;
  };

  await fillLabs(platform, FEW);
  await fillBelongings(platform, FEW, ids.lab, ids.self);
  await fillPeople(platform, FEW, ids.self);
  await fillCatalogues(platform, FEW, ids.lab, ids.image);
  await fillCourses(platform, FEW, ids.course);
  await fillHomework(platform, FEW, homeworkID);
  const few = await count();
  await fillLabs(platform, MANY);
  await fillBelongings(platform, MANY, ids.lab, ids.self);
  await fillPeople(platform, MANY, ids.self);
  await fillCatalogues(platform, MANY, ids.lab, ids.image);
  await fillCourses(platform, MANY, ids.course);
  await fillHomework(platform, MANY, homeworkID);
  const many = await count();

  const grown = READING.filter(([name]) => few[name] !== many[name]);
  const rows = READING.map(([name, route]): Row => ({
    bench: 'queries',
    what: `GET ${route.path}`,
    measured: `${many[name]} at ${MANY.toLocaleString('en-US')} rows`,
    against: `${few[name]} at ${FEW} rows`,
    target: 'the same',
    isMet: few[name] === many[name],
  }));
  return { rows, figures: { few, many, grown: grown.map(([name]) => name) } };
}
