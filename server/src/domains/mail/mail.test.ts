/** The outbox and its mailer: kept here by default, sent by a real SMTP server where one is set. */
import type { Mail, MailRow, MailTemplate } from '@hypercube/contract';
import { MAIL_TEMPLATES } from '@hypercube/contract';
import { mailBrands, mailTexts } from '@hypercube/messages/mails';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layOutMail } from '../../platform/mail/layout.ts';
import { Postman, type Received } from '../../testing/postman.ts';
import { World, until, type Person } from '../../testing/world.ts';
import { queueMail } from './mail.service.ts';

let world: World | undefined;
let postman: Postman;
let admin: Person;
beforeEach(async () => {
  postman = await Postman.open();
});
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
  await postman[Symbol.asyncDispose]();
});

async function open(environment: Record<string, string>): Promise<World> {
  world = await World.create({ environment });
  admin = await world.signIn('admin', 'admin');
  return world;
}
const smtp = () => ({
  HC_SMTP_URL: `smtp://127.0.0.1:${postman.port}`,
  HC_MAIL_FROM: 'Hypercube <no-reply@hpc.example.edu>',
});

const queue = (target: World, to = 'someone@example.edu', name = '林同学') =>
  target.system.handle.database.transaction((tx) =>
    queueMail(tx, { to, language: 'zh-CN', template: 'passwordChanged', values: { name } }),
  );

const list = async (query = ''): Promise<MailRow[]> =>
  (await admin.call<{ List: MailRow[] }>('GET', `/mail${query}`)).body.List;
const settled = (state: MailRow['State'], attempts: number): Promise<MailRow[]> =>
  until(list, ([row]) => row?.State === state && row.Attempts === attempts);

/** Time has passed, and the mailer looks. */
async function later(target: World, seconds: number): Promise<void> {
  target.clock.advance(seconds);
  await target.sql(sql`select pg_notify('hc_mail', '')`);
}

describe('without a mail server', () => {
  test('mails stay here, and an admin reads them', async () => {
    await queue(await open({}));
    const [row] = await settled('captured', 1);
    expect(row).toMatchObject({
      To: 'someone@example.edu',
      Subject: '您的超立方密码已修改',
      Template: 'passwordChanged',
      Error: null,
      NextTryAt: null,
    });
    expect(row).not.toHaveProperty('Text');
    const { body } = await admin.call<Mail>('GET', `/mail/${row?.ID}`);
    expect(body.Text).toContain('林同学，您好，');
    expect(body.HTML).toContain('color-scheme');
    expect(postman.received).toEqual([]);
  });

  test('nobody else does, whatever the role', async () => {
    await queue(await open({}));
    const [row] = await settled('captured', 1);
    for (const [name, role] of [
      ['teacher', 'teacher'],
      ['manager', 'machine_admin'],
      ['student', 'student'],
      ['admin', 'teacher'],
    ] as const) {
      const person = await world?.signIn(name, role);
      for (const [method, path] of [
        ['GET', '/mail'],
        ['GET', `/mail/${row?.ID}`],
        ['POST', `/mail/${row?.ID}/retry`],
      ] as const)
        expect((await person?.call(method, path))?.status).toBe(403);
    }
  });

  test('the list is searched, filtered, sorted and paged', async () => {
    const target = await open({});
    for (const name of ['a_1', 'b%2', 'c3']) await queue(target, `${name}@example.edu`);
    await until(list, (rows) => rows.length === 3 && rows.every((row) => row.State === 'captured'));
    const found = async (query: string) =>
      (await list(query)).map(({ To }) => To.replace('@example.edu', ''));
    expect(await found('')).toEqual(['c3', 'b%2', 'a_1']);
    expect(await found('?sort=oldest&pageSize=2')).toEqual(['a_1', 'b%2']);
    expect(await found('?sort=oldest&pageSize=2&page=2')).toEqual(['c3']);
    expect(await found('?keyword=b%252')).toEqual(['b%2']);
    expect(await found('?keyword=_1')).toEqual(['a_1']);
    expect(await found('?keyword=%E5%AF%86%E7%A0%81&pageSize=1')).toEqual(['c3']);
    expect(await found('?state=failed')).toEqual([]);
    expect(await found('?template=passwordReset')).toEqual([]);
  });

  test('what is done for a month goes', async () => {
    const target = await open({});
    await queue(target);
    await settled('captured', 1);
    await target.sql(
      sql`update mail set created_at = ${new Date(target.clock.now().getTime() - 31 * 86_400_000)}`,
    );
    await target.system.sweep();
    expect(await list()).toEqual([]);
  });
});

describe('with a mail server', () => {
  test('a mail is delivered, once, as text and HTML', async () => {
    await queue(await open(smtp()));
    await settled('sent', 1);
    expect(postman.received).toHaveLength(1);
    const [{ from, to, source }] = postman.received as [Received];
    expect([from, to]).toEqual(['no-reply@hpc.example.edu', ['someone@example.edu']]);
    expect(source).toMatch(/^From: Hypercube <no-reply@hpc\.example\.edu>/m);
    expect(source).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(source).toContain('text/plain');
    expect(source).toContain('text/html');
    expect(source).toMatch(/^Auto-Submitted: auto-generated/m);
  });

  test('an undone transaction sends nothing', async () => {
    const target = await open(smtp());
    await expect(
      target.system.handle.database.transaction(async (tx) => {
        await queueMail(tx, {
          to: 'someone@example.edu',
          language: 'en-US',
          template: 'passwordChanged',
          values: { name: 'x' },
        });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await queue(target, 'other@example.edu');
    await settled('sent', 1);
    expect(postman.received.map(({ to }) => to)).toEqual([['other@example.edu']]);
  });

  test('a refused mail is visible with its reason, and is tried again later', async () => {
    postman.refusals = 2;
    const target = await open(smtp());
    await queue(target);
    const [failed] = await settled('failed', 1);
    expect(failed?.Error).toContain('mailbox is busy');
    expect(Date.parse(failed?.NextTryAt ?? '')).toBe(target.clock.now().getTime() + 60_000);
    await later(target, 61);
    const [again] = await settled('failed', 2);
    expect(Date.parse(again?.NextTryAt ?? '')).toBe(target.clock.now().getTime() + 300_000);
    await later(target, 301);
    const [sent] = await settled('sent', 3);
    expect([sent?.Error, sent?.NextTryAt]).toEqual([null, null]);
    expect(postman.received).toHaveLength(1);
  });

  test('a server that is down loses nothing; an admin need not wait', async () => {
    const { port } = postman;
    const target = await open(smtp());
    await postman[Symbol.asyncDispose]();
    await queue(target, 'one@example.edu');
    const [failed] = await settled('failed', 1);
    expect(failed?.Error).toMatch(/ECONNREFUSED/);
    postman = await Postman.open(port);
    const retried = await admin.call<MailRow>('POST', `/mail/${failed?.ID}/retry`);
    expect(retried.status).toBe(200);
    await settled('sent', 2);
    expect(postman.received.map(({ to }) => to)).toEqual([['one@example.edu']]);
    const again = await admin.call('POST', `/mail/${failed?.ID}/retry`);
    expect([again.status, again.body['Code']]).toEqual([409, 'mail_not_failed']);
  });

  test('after the last try it stays, as failed, until somebody asks', async () => {
    const target = await open(smtp());
    await target.sql(sql`
      insert into mail (recipient, language, template, subject, text, html, message_id, state, attempts, next_try_at)
      values ('x@example.edu', 'zh-CN', 'passwordChanged', 's', 't', 'h', '<1@x>', 'failed', 8, ${target.clock.now()})`);
    postman.refusals = 1;
    await later(target, 0);
    const [over] = await settled('failed', 9);
    expect(over?.NextTryAt).toBeNull();
    await admin.call('POST', `/mail/${over?.ID}/retry`);
    await settled('sent', 10);
  });

  test('what a mailer had in hand when it died is sent by the next one', async () => {
    const target = await open(smtp());
    await target.sql(sql`
      insert into mail (recipient, language, template, subject, text, html, message_id, state, attempts, next_try_at)
      values ('x@example.edu', 'zh-CN', 'passwordChanged', 's', 't', 'h', '<1@x>', 'waiting', 1,
              ${new Date(target.clock.now().getTime() + 180_000)})`);
    await later(target, 179);
    await queue(target, 'first@example.edu');
    await until(list, ([row]) => row?.State === 'sent');
    expect(postman.received.map(({ to }) => to)).toEqual([['first@example.edu']]);
    await later(target, 2);
    await until(list, (rows) => rows.every(({ State }) => State === 'sent'));
    expect(postman.received).toHaveLength(2);
  });

  test('two mailers send each mail once', async () => {
    const target = await open(smtp());
    const second = await target.second();
    await second.startWorker({ engine: target.engine, reason: null });
    try {
      await Promise.all(Array.from({ length: 30 }, (_, n) => queue(target, `p${n}@example.edu`)));
      await until(
        () => list('?pageSize=100'),
        (rows) => rows.length === 30 && rows.every(({ State }) => State === 'sent'),
      );
      expect(new Set(postman.received.map(({ to }) => to[0])).size).toBe(30);
      expect(postman.received).toHaveLength(30);
    } finally {
      await second.close();
    }
  });

  test('a name cannot add a header, a recipient or markup', async () => {
    const target = await open(smtp());
    await queue(target, 'someone@example.edu', 'a\r\nBcc: victim@example.edu\r\n\r\n<b>hi</b>');
    await settled('sent', 1);
    const [{ to, source }] = postman.received as [Received];
    expect(to).toEqual(['someone@example.edu']);
    expect(source).not.toMatch(/^Bcc:/im);
    const [row] = await target.sql<{ html: string }>(sql`select html from mail`);
    expect(row?.html).not.toContain('<b>hi</b>');
    expect(row?.html).toContain('&lt;b&gt;hi&lt;/b&gt;');
  });

  test.each([
    'a@example.edu\r\nBcc: b@example.edu',
    'a@example.edu, b@example.edu',
    'A <a@example.edu>',
    'a@example.edu;b@example.edu',
    '',
  ])('%j is no recipient', async (to) => {
    const target = await open(smtp());
    await expect(queue(target, to)).rejects.toThrow('one plain address');
    expect(await list()).toEqual([]);
  });
});

describe('every template', () => {
  const values = new Proxy<Record<string, string>>(
    {},
    {
      get: (_target, name) =>
        String(name).toLowerCase() === 'url'
          ? 'https://x.example/\r\nX: 1'
          : `<i>\r\n${String(name)}`,
    },
  );
  const cases = MAIL_TEMPLATES.flatMap((template): [MailTemplate, 'zh-CN' | 'en-US'][] => [
    [template, 'zh-CN'],
    [template, 'en-US'],
  ]);
  test.each(cases)(
    '%s in %s has its subject in one line and escapes what it tells',
    (name, language) => {
      const { subject, text, html } = layOutMail(
        language,
        mailBrands[language],
        mailTexts[language][name](values),
      );
      expect(subject).not.toMatch(/[\r\n]/);
      expect(subject.length).toBeGreaterThan(4);
      expect(html).not.toContain('<i>');
      expect(html).toContain('prefers-color-scheme: dark');
      expect(text).not.toContain('undefined');
      expect(text).not.toContain('\r');
    },
  );
});
