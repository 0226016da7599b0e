/** Notifications: one's own list and count, what staff send now and later, and mails about them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../testing/world.ts';
import { World } from '../../testing/world.ts';
import { digestMoment, notifyUsers } from './notification.service.ts';

let world: World;
let student: Person;
let admin: Person;
let ids: Record<string, number>;

interface List<T> {
  List: T[];
  Total: number;
}
interface Item {
  ID: number;
  Title: string;
  Content: string;
  IsRead: boolean;
  Path: string | null;
}
interface Sent {
  ID: number;
  IsSent: boolean;
  Recipients: number;
  Read: number;
}

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  student = await world.signIn('student');
  admin = await world.signIn('admin', 'admin');
  const rows = await world.sql<{ id: number; username: string }>(
    sql`select id, username from user_account`,
  );
  ids = Object.fromEntries(rows.map(({ id, username }) => [username, id]));
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.sql(sql`delete from notification`);
  await world.sql(sql`update user_account set notification_choices = '{}'`);
});

const list = async (person: Person, query = ''): Promise<List<Item>> =>
  (await person.call<List<Item>>('GET', `/notification${query}`)).body;
const count = async (person: Person): Promise<number> =>
  (await person.call<number>('GET', '/notification?count=true')).body;
const tell = (userIDs: number[], titleZh = '标题'): Promise<void> =>
  notifyUsers(world.system.handle.database, {
    userIDs,
    kind: 'review',
    titleZh,
    titleEn: 'Title',
    contentZh: '内容',
    contentEn: 'Content',
    path: '/lab',
  });
const send = (body: object) =>
  admin.call<Sent & { Code: string; Params: Record<string, unknown> }>('POST', '/notification', {
    TitleZh: '停机维护',
    ContentZh: '周六停机两小时',
    Audience: 'all',
    ...body,
  });
const mailsTo = async (username: string) =>
  world.sql<{ subject: string; text: string }>(
    sql`select subject, text from mail where recipient = (select email from user_account where username = ${username}) order by id`,
  );

describe('one’s own', () => {
  test('the count, the list in both languages, marking some and all', async () => {
    await tell([ids['student'] ?? 0], '第一条');
    await tell([ids['student'] ?? 0, ids['student2'] ?? 0], '第二条');
    expect(await count(student)).toBe(2);
    const { List, Total } = await list(student);
    expect(Total).toBe(2);
    expect(List.map(({ Title }) => Title)).toEqual(['第二条', '第一条']);
    expect((await list(student, '?lang=en-US')).List[0]).toMatchObject({
      Title: 'Title',
      Content: 'Content',
      Path: '/lab',
      IsRead: false,
    });
    const answer = await student.call<{ Unread: number }>('PUT', '/notification', {
      UpdateIDList: [List[0]?.ID],
    });
    expect(answer.body).toEqual({ Unread: 1 });
    expect((await list(student, '?state=unread')).List.map(({ Title }) => Title)).toEqual([
      '第一条',
    ]);
    expect((await list(student, '?state=read')).Total).toBe(1);
    expect((await list(student, '?kind=course')).Total).toBe(0);
    expect((await list(student, `?keyword=${encodeURIComponent('第一')}`)).Total).toBe(1);
    await student.call('PUT', '/notification', { All: true });
    expect(await count(student)).toBe(0);
    // Nobody else's list moved.
    expect(await count(await world.signIn('student2'))).toBe(1);
  });

  test('somebody else’s does not exist', async () => {
    await tell([ids['student2'] ?? 0]);
    const [row] = await world.sql<{ id: number }>(sql`select id from notification`);
    const marked = await student.call('PUT', '/notification', { UpdateIDList: [row?.id] });
    expect(marked.status).toBe(404);
    expect((await student.call('DELETE', `/notification/${row?.id}`)).status).toBe(404);
    const [receipt] = await world.sql<{ read_at: unknown }>(
      sql`select read_at from notification_receipt`,
    );
    expect(receipt?.read_at).toBeNull();
  });

  test('a deleted one is gone from one list only', async () => {
    await tell([ids['student'] ?? 0, ids['student2'] ?? 0]);
    const [row] = (await list(student)).List;
    expect((await student.call('DELETE', `/notification/${row?.ID}`)).status).toBe(200);
    expect((await list(student)).Total).toBe(0);
    expect((await list(await world.signIn('student2'))).Total).toBe(1);
  });

  test('who does not want a kind is not told of it', async () => {
    await world.sql(sql`
      update user_account set notification_choices = '{"review": {"inbox": false}}'
       where username = 'student'`);
    await tell([ids['student'] ?? 0]);
    expect(await count(student)).toBe(0);
  });
});

describe('what staff send', () => {
  test('to everybody, with how many were told and how many read it', async () => {
    const sent = await send({});
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ IsSent: true, Recipients: Object.keys(ids).length, Read: 0 });
    await student.call('PUT', '/notification', { All: true });
    const { body } = await admin.call<List<Sent>>('GET', '/notification/sent');
    expect(body.List).toMatchObject([{ ID: sent.body.ID, Read: 1 }]);
  });

  test('to a role: those who have it', async () => {
    await send({ Audience: 'role', Role: 'teacher' });
    expect(await count(await world.signIn('teacher'))).toBe(1);
    expect(await count(student)).toBe(0);
    expect((await send({ Audience: 'role' })).body.Code).toBe('recipients_missing');
  });

  test('to named users, whatever the case; unknown names are told and nothing is sent', async () => {
    const wrong = await send({ Audience: 'users', Names: ['Student', 'nobody-at-all'] });
    expect(wrong.body).toMatchObject({
      Code: 'recipients_unknown',
      Params: { Names: ['nobody-at-all'] },
    });
    expect(await count(student)).toBe(0);
    expect((await send({ Audience: 'users', Names: ['Student'] })).body.Recipients).toBe(1);
    expect(await count(student)).toBe(1);
  });

  test('a path that leaves the site is refused', async () => {
    for (const Path of ['//elsewhere.example', 'https://elsewhere.example', '/\\elsewhere', 'lab'])
      expect((await send({ Path })).status).toBe(400);
    expect((await send({ Path: '/lab/3?tab=x' })).status).toBe(201);
  });

  test('later: nobody is told before its time, and once afterwards, whoever works', async () => {
    const at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    const { body } = await send({ SendAt: at, Audience: 'users', Names: ['student'] });
    expect(body).toMatchObject({ IsSent: false, Recipients: 1 });
    const service = world.system.notifications;
    await service.work('http://site');
    expect(await count(student)).toBe(0);
    world.clock.advance(3601);
    await Promise.all([service.work('http://site'), service.work('http://site')]);
    expect(await count(student)).toBe(1);
    const sent = await admin.call<List<Sent>>('GET', '/notification/sent?state=sent');
    expect(sent.body.List).toMatchObject([{ IsSent: true, Recipients: 1 }]);
  });

  test('one that waits can be cancelled, one that went out taken back', async () => {
    const at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    const later = await send({ SendAt: at });
    const now = await send({});
    for (const { body } of [later, now])
      expect((await admin.call('DELETE', `/notification/sent/${body.ID}`)).status).toBe(200);
    world.clock.advance(3601);
    await world.system.notifications.work('http://site');
    expect(await count(student)).toBe(0);
  });
});

describe('by mail', () => {
  test('once a day together, and never twice', async () => {
    await world.sql(sql`delete from mail`);
    await tell([ids['student'] ?? 0], '甲');
    await tell([ids['student'] ?? 0], '乙');
    // What was told now belongs to the next digest.
    await world.sql(
      sql`update notification set sent_at = ${digestMoment(world.clock.now(), 'Asia/Shanghai')}`,
    );
    await world.system.notifications.work('http://site');
    await world.system.notifications.work('http://site');
    const mails = await mailsTo('student');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('甲');
    expect(mails[0]?.text).toContain('乙');
    expect(mails[0]?.text).toContain('http://site/notification');
  });

  test('at once or not at all, as the reader chose', async () => {
    await world.sql(sql`delete from mail`);
    await world.sql(sql`
      update user_account set notification_choices = '{"review": {"mail": "now"}}'
       where username = 'student'`);
    await world.sql(sql`
      update user_account set notification_choices = '{"review": {"mail": "off"}}'
       where username = 'student2'`);
    await tell([ids['student'] ?? 0, ids['student2'] ?? 0]);
    await world.sql(sql`update notification set sent_at = ${world.clock.now()}`);
    await world.system.notifications.work('http://site');
    expect(await mailsTo('student')).toHaveLength(1);
    expect(await mailsTo('student2')).toHaveLength(0);
  });

  test('what was read meanwhile is not mailed', async () => {
    await world.sql(sql`delete from mail`);
    await tell([ids['student'] ?? 0]);
    await world.sql(
      sql`update notification set sent_at = ${digestMoment(world.clock.now(), 'Asia/Shanghai')}`,
    );
    await student.call('PUT', '/notification', { All: true });
    await world.system.notifications.work('http://site');
    expect(await mailsTo('student')).toHaveLength(0);
  });
});
