import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { HomeworkDetail, HomeworkFile, ManagedHomework } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HomeworkClass, PDF, outcome } from '../../testing/homework-class.ts';
import type { Person } from '../../testing/world.ts';

let group: HomeworkClass;

beforeAll(async () => {
  group = await HomeworkClass.create();
});
afterAll(() => group[Symbol.asyncDispose]());

const FILM = Buffer.concat([Buffer.from('\0\0\0\u0018ftypmp42'), Buffer.alloc(1000, 7)]);

async function get(path: string, person: Person, headers: Record<string, string> = {}) {
  const response = await group.world.system.app.inject({
    method: 'GET',
    url: `${path}?role=${person.role}`,
    headers: { cookie: person.cookie ?? '', ...headers },
  });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

/** Names in the folder of homework files. */
const stored = (): Promise<string[]> =>
  readdir(join(group.world.folder, 'homework')).catch(() => []);

const attach = async (file: { name: string; content: Buffer }): Promise<HomeworkFile> =>
  (await group.teacher.upload<HomeworkFile>(`/course/${group.course.ID}/homework/file`, file)).body;

describe('what is sent', () => {
  test.each([
    ['../../etc/passwd.pdf', 'a/b', [201, undefined]],
    ['a\u202Egnp.pdf', PDF, [400, 'file_name_invalid']],
    ['report.exe', PDF, [415, 'upload_type']],
    ['report', PDF, [415, 'upload_type']],
    ['report.pdf', '<script>alert(1)</script>', [415, 'upload_type']],
    ['report.docx', PDF, [415, 'upload_type']],
    ['report.docx', 'PK\u0003\u0004', [201, undefined]],
    ['REPORT.PDF', PDF, [201, undefined]],
  ] as const)('%s', async (name, content, expected) => {
    const homework = await group.set();
    const answer = await group.student.upload<HomeworkFile>(
      group.path(homework, '/submission/file'),
      { name, content: content === 'a/b' ? PDF : content },
    );
    expect(outcome(answer)).toEqual(expected);
    // Folders of a name are the browser's and never ours.
    expect(answer.body.Name ?? '').not.toContain('/');
  });

  test('too much is refused and leaves nothing behind', async () => {
    const homework = await group.set();
    const before = (await stored()).length;
    const large = await group.student.upload(group.path(homework, '/submission/file'), {
      name: 'a.pdf',
      content: Buffer.concat([PDF, Buffer.alloc(51 * 1024 * 1024)]),
    });
    expect(outcome(large)).toEqual([413, 'upload_too_large']);
    const uploads = await readdir(join(group.world.folder, 'uploads')).catch(() => []);
    expect([(await stored()).length, uploads]).toEqual([before, []]);
  });

  test('what is never handed in does not heap up, and goes after a day', async () => {
    const homework = await group.set();
    const count = async (): Promise<number | undefined> =>
      (
        await group.world.sql<{ count: number }>(
          sql`select count(*)::int as count from homework_file where user_id = ${group.ids['student2']}`,
        )
      )[0]?.count;
    for (let sent = 0; sent < 22; sent += 1) await group.send(homework, group.student2);
    expect(await count()).toBe(20);
    const kept = await group.send(homework, group.student2);
    await group.submit(homework, group.student2, { Text: '', FileIDList: [kept.ID] });
    group.world.clock.advance(25 * 3600);
    await group.world.system.sweep();
    expect(await count()).toBe(1);
    // The bytes of what is forgotten go once nobody can be on the way with them any more.
    const long = new Date(Date.now() - 2 * 3600 * 1000);
    for (const name of await stored())
      await utimes(join(group.world.folder, 'homework', name), long, long);
    group.world.clock.advance(3600);
    await group.world.system.sweep();
    const known = await group.world.sql<{ stored: string }>(sql`select stored from homework_file`);
    expect((await stored()).toSorted()).toEqual(known.map((row) => row.stored).toSorted());
  });
});

describe('what is served', () => {
  test('attachments keep their order, and those that are left out go', async () => {
    const [pdf, film] = [
      await attach({ name: '题目.pdf', content: PDF }),
      await attach({ name: 'ring.mp4', content: FILM }),
    ];
    const homework = await group.set({ AttachmentIDList: [film.ID, pdf.ID] });
    expect(homework.Attachments.map(({ Name }) => Name)).toEqual(['ring.mp4', '题目.pdf']);
    // Another homework cannot take them, nor can a learner.
    const other = await group.teacher.call('POST', `/course/${group.course.ID}/homework`, {
      ...group.fields(),
      AttachmentIDList: [pdf.ID],
    });
    expect(other.status).toBe(404);
    const changed = await group.teacher.call<ManagedHomework>('PUT', group.path(homework), {
      ...group.fields(),
      AttachmentIDList: [pdf.ID],
      Version: homework.Version,
    });
    expect(changed.body.Attachments.map(({ Name }) => Name)).toEqual(['题目.pdf']);
    expect((await get(homework.Attachments[0]?.Path ?? '', group.teacher)).status).toBe(404);
  });

  test('a PDF is a download that can do nothing; a film is shown in parts', async () => {
    const [pdf, film] = [
      await attach({ name: '题目.pdf', content: PDF }),
      await attach({ name: 'ring.mp4', content: FILM }),
    ];
    const homework = await group.set({ AttachmentIDList: [pdf.ID, film.ID] });
    const { body } = await group.student.call<HomeworkDetail>('GET', group.path(homework));
    const [pdfPath = '', filmPath = ''] = body.Attachments.map(({ Path }) => Path ?? '');
    const whole = await get(pdfPath, group.student);
    expect(whole.bytes).toEqual(PDF);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="__.pdf"; filename*=UTF-8''${encodeURIComponent('题目.pdf')}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const part = await get(filmPath, group.student, { range: 'bytes=4-7' });
    expect([part.status, part.bytes.toString()]).toEqual([206, 'ftyp']);
    expect(part.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-range': `bytes 4-7/${FILM.length}`,
      'content-length': '4',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await get(filmPath, group.student, { range: 'bytes=5000-' })).status).toBe(416);
    expect((await get(filmPath, group.graduate)).status).toBe(404);
  });
});
