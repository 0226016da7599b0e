/** Suggestions: who sees them, what may be done with them, the conversation, the pictures. */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '../../testing/world.ts';
import { World } from '../../testing/world.ts';

let world: World;
let author: Person;
let other: Person;
let admin: Person;

interface Suggestion {
  ID: number;
  Title: string;
  Status: number;
  IsOwn: boolean;
  Replies: number;
  Pictures: string[];
  Code?: string;
}
interface List<T> {
  List: T[];
  Total: number;
}

beforeAll(async () => {
  world = await World.create({ hasWorker: false });
  author = await world.signIn('student');
  other = await world.signIn('student2');
  admin = await world.signIn('admin', 'admin');
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.sql(sql`delete from suggestion`);
  await world.sql(sql`delete from notification`);
});

const make = async (fields: object = {}) =>
  author.call<Suggestion>('POST', '/suggestion', {
    Title: '希望有 GPU 实验',
    Content: '现在只有 CPU 的实验',
    IsPublic: true,
    ...fields,
  });
const titles = async (person: Person, query = ''): Promise<string[]> =>
  (await person.call<List<Suggestion>>('GET', `/suggestion${query}`)).body.List.map(
    ({ Title }) => Title,
  );
const unread = async (person: Person): Promise<number> =>
  (await person.call<number>('GET', '/notification?count=true')).body;

describe('who sees what', () => {
  test('public ones everybody, private ones their author and staff', async () => {
    await make({ Title: '公开的' });
    const secret = (await make({ Title: '私下的', IsPublic: false })).body;
    expect(await titles(author)).toEqual(['私下的', '公开的']);
    expect(await titles(other)).toEqual(['公开的']);
    expect(await titles(other, '?own=true')).toEqual([]);
    expect((await other.call('GET', `/suggestion/${secret.ID}`)).status).toBe(404);
    expect((await other.call('GET', `/suggestion/${secret.ID}/conversation`)).status).toBe(404);
    const { body } = await admin.call<List<Suggestion>>('GET', '/suggestion/managed');
    expect(body.Total).toBe(2);
  });

  test('search, status and sort', async () => {
    const first = (await make({ Title: '甲' })).body;
    world.clock.advance(1);
    await make({ Title: '乙', Content: '百分号 100%' });
    await admin.call('PUT', `/suggestion/${first.ID}/status`, { Status: 2 });
    expect(await titles(author, `?keyword=${encodeURIComponent('100%')}`)).toEqual(['乙']);
    expect(await titles(author, '?status=2')).toEqual(['甲']);
    expect(await titles(author, '?sort=oldest')).toEqual(['甲', '乙']);
  });
});

describe('what may be done', () => {
  test('the author changes and deletes their own; others do not reach it', async () => {
    const { ID } = (await make()).body;
    const changed = { Title: '新标题', Content: '新内容', IsPublic: false };
    expect((await other.call('PUT', `/suggestion/${ID}`, changed)).status).toBe(404);
    expect((await other.call('DELETE', `/suggestion/${ID}`)).status).toBe(404);
    const answer = await author.call<Suggestion>('PUT', `/suggestion/${ID}`, changed);
    expect(answer.body).toMatchObject({ Title: '新标题', IsOwn: true });
    expect((await author.call('DELETE', `/suggestion/${ID}`)).status).toBe(200);
    expect(await titles(author)).toEqual([]);
  });

  test('status and author cannot be set by whoever writes it', async () => {
    expect((await make({ Status: 2 })).status).toBe(400);
    expect((await make({ UserID: 1 })).status).toBe(400);
  });

  test.each([
    { Title: '' },
    { Title: ' ' },
    { Title: '长'.repeat(101) },
    { Content: '' },
    { Content: '长'.repeat(501) },
  ])('%j is refused', async (fields) => {
    expect((await make(fields)).body.Code).toBe('invalid_input');
  });

  test('a finished one cannot be changed or answered until it is opened again', async () => {
    const { ID } = (await make()).body;
    await admin.call('PUT', `/suggestion/${ID}/status`, { Status: 2 });
    const fields = { Title: 'x', Content: 'x', IsPublic: true };
    expect((await author.call('PUT', `/suggestion/${ID}`, fields)).body['Code']).toBe(
      'suggestion_finished',
    );
    const reply = () => author.call('POST', `/suggestion/${ID}/conversation`, { Content: '还有' });
    expect((await reply()).body['Code']).toBe('suggestion_finished');
    await admin.call('PUT', `/suggestion/${ID}/status`, { Status: 1 });
    expect((await reply()).status).toBe(201);
  });

  test('no more than twenty an hour', async () => {
    for (let index = 0; index < 20; index += 1) expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(429);
    world.clock.advance(3601);
    expect((await make()).status).toBe(201);
  });
});

describe('the conversation', () => {
  test('author and staff talk; each is told of the other, and a bystander cannot', async () => {
    const { ID } = (await make()).body;
    expect(await unread(admin)).toBe(1);
    expect(
      (await other.call('POST', `/suggestion/${ID}/conversation`, { Content: '我也要' })).status,
    ).toBe(404);
    await admin.call('POST', `/suggestion/${ID}/conversation`, { Content: '下个月会有' });
    expect(await unread(author)).toBe(1);
    await author.call('POST', `/suggestion/${ID}/conversation`, { Content: '<b>谢谢</b>' });
    expect(await unread(admin)).toBe(2);
    const { body } = await other.call<List<{ Content: string; Author: { IsStaff: boolean } }>>(
      'GET',
      `/suggestion/${ID}/conversation`,
    );
    expect(body.List.map(({ Content, Author }) => [Content, Author.IsStaff])).toEqual([
      ['下个月会有', true],
      ['<b>谢谢</b>', false],
    ]);
    expect((await author.call<Suggestion>('GET', `/suggestion/${ID}`)).body.Replies).toBe(2);
  });

  test('a long reply is told by its beginning, which ends at a whole character', async () => {
    const { ID } = (await make()).body;
    await author.call('POST', `/suggestion/${ID}/conversation`, {
      Content: '🙂'.repeat(500),
    });
    const { body } = await admin.call<List<{ Content: string }>>('GET', '/notification');
    const [told] = body.List;
    expect(told?.Content).toMatch(/🙂…$/u);
    expect(Array.from(told?.Content ?? '')).toHaveLength(250);
  });

  test('a reply to one that was deleted meanwhile is told so', async () => {
    const { ID } = (await make()).body;
    await admin.call('DELETE', `/suggestion/${ID}`);
    const answer = await author.call('POST', `/suggestion/${ID}/conversation`, { Content: '在吗' });
    expect([answer.status, answer.body['Code']]).toEqual([404, 'not_found']);
  });
});

describe('pictures', () => {
  const png = () =>
    sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#c00' } })
      .png()
      .toBuffer();
  const sendFile = (person: Person, content: Buffer | string, name = 'a.png') =>
    person.upload<{ Name: string; Path: string; Code?: string }>('/suggestion/picture', {
      name,
      content,
    });

  test('is made anew: smaller, WebP, without what the file carried', async () => {
    const sent = await sharp(await png())
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .jpeg()
      .toBuffer();
    expect(sent.includes('a secret place')).toBe(true);
    const { body } = await sendFile(author, sent, 'holiday.jpg');
    const answer = await world.system.app.inject({
      url: body.Path,
      headers: { cookie: author.cookie ?? '' },
    });
    expect(answer.headers['content-type']).toBe('image/webp');
    expect(answer.headers['content-security-policy']).toContain('sandbox');
    expect(answer.rawPayload.includes('a secret place')).toBe(false);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({
      format: 'webp',
      width: 1600,
      height: 800,
    });
  });

  test.each([
    ['a program in a picture’s name', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a broken picture', '\x89PNG\r\n\x1A\nno more'],
    ['text', 'hello'],
  ])('%s is refused', async (_name, content) => {
    const answer = await sendFile(author, Buffer.from(content, 'latin1'));
    expect([answer.status, answer.body.Code]).toEqual([415, 'upload_type']);
  });

  test('is seen by whoever sees its suggestion, and nobody can take another’s', async () => {
    const { body } = await sendFile(author, await png());
    const path = `/suggestion/picture/${body.Name}`;
    expect((await other.call('GET', path)).status).toBe(404);
    const theirs = await other.call('POST', '/suggestion', {
      Title: 'x',
      Content: 'x',
      IsPublic: true,
      Pictures: [body.Name],
    });
    expect(theirs.body['Code']).toBe('picture_missing');
    const made = await make({ Pictures: [body.Name] });
    expect(made.body.Pictures).toEqual([body.Path]);
    expect((await other.call('GET', path)).status).toBe(200);
  });

  test('one in no suggestion goes after a day, one in use stays', async () => {
    const loose = (await sendFile(author, await png())).body.Name;
    const used = (await sendFile(author, await png())).body.Name;
    await make({ Pictures: [used] });
    world.clock.advance(25 * 3600);
    await world.system.sweep();
    author = await world.signIn('student');
    expect((await author.call('GET', `/suggestion/picture/${loose}`)).status).toBe(404);
    expect((await author.call('GET', `/suggestion/picture/${used}`)).status).toBe(200);
    other = await world.signIn('student2');
    admin = await world.signIn('admin', 'admin');
  });
});
