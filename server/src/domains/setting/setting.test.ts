/** Settings in the browser: they hold at once, on every process, and for what already runs. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type {
  AnswerOf,
  MailRow,
  SettingGroup,
  SettingGroups,
  Usage,
  routes,
} from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { startDemoProvider, type DemoProvider } from '../../testing/oidc-provider.ts';
import { Postman } from '../../testing/postman.ts';
import { World, until, type Answer, type Person, type WorldOptions } from '../../testing/world.ts';

type Site = AnswerOf<typeof routes.getSite>;
type Outcome<T> = Answer<T & { Code?: string; Params?: Record<string, unknown> }>;
type Group = SettingGroups[SettingGroup];

let world: World;
let admin: Person;
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await World.create(options);
  admin = await world.signIn('admin', 'admin');
}
afterEach(() => world[Symbol.asyncDispose]());

const read = async (): Promise<SettingGroups> =>
  (await admin.call<{ Groups: SettingGroups }>('GET', '/setting')).body.Groups;
const set = <G extends SettingGroup>(
  group: G,
  Version: number,
  Values: object,
  more: { Secret?: string | null } = {},
  by = admin,
): Promise<Outcome<SettingGroups[G]>> =>
  by.call('PUT', `/setting/${group}`, { Version, Values, ...more });
const setLimits = (Version: number, Values: object, by = admin): Promise<Outcome<Group>> =>
  set('limits', Version, Values, {}, by);
const site = async (): Promise<Site['Site']> =>
  (await world.visitor().call<Site>('GET', '/site')).body.Site;
const open = (by: Person, changes: object = {}): Promise<Outcome<Usage>> =>
  by.call('POST', '/usage', {
    RouteName: 'x',
    RoutePath: '/x',
    ImageIDList: [notebookID],
    ...changes,
  });
let notebookID: number;
async function findNotebook(): Promise<void> {
  const [image] = await world.sql<{ id: number }>(sql`select id from image where type = 2`);
  notebookID = image?.id ?? 0;
}

const SITE = {
  NameZh: '并行学堂',
  NameEn: 'Parallel Academy',
  TaglineZh: '动手学并行',
  TaglineEn: 'Parallel by hand',
  IntroZh: '某大学的并行计算课程',
  IntroEn: 'Courses of a university',
  Supporters: [{ NameZh: '某大学', NameEn: '', URL: 'https://example.edu/', Logo: null }],
  FooterZh: '某大学超算中心',
  FooterEn: 'HPC centre',
  Links: [{ TitleZh: '隐私', TitleEn: 'Privacy', URL: 'https://example.edu/privacy' }],
  Record: '京ICP备12345678号-1',
};
const MAIL = {
  IsOn: true,
  Host: '127.0.0.1',
  Port: 2525,
  Security: 'auto',
  User: '',
  SenderName: '并行学堂',
  SenderAddress: 'no-reply@hpc.example.edu',
};
const SIGN_ON = {
  IsOn: true,
  Issuer: '',
  ClientID: 'hypercube',
  NameZh: '校园账号',
  NameEn: 'Campus',
};
const CAPTCHA = { Provider: 'aliyun', AppKey: 'app', AccessKeyID: 'key-id' };
const REGISTRATION = { Mode: 'open', Domains: [] as string[], Identities: [2, 3, 4] };
const SECRET = 'a-secret-that-nobody-reads';

describe('settings', () => {
  beforeEach(() => begin({ hasWorker: false }));

  test('are the configuration’s until they are set, and remember who set them', async () => {
    const { limits: before, ...others } = await read();
    for (const group of [before, ...Object.values(others)]) {
      expect(group).toMatchObject({ Version: 0, IsSet: false, UpdatedAt: null, UpdatedBy: null });
      expect(group.Values).toEqual(group.Defaults);
    }
    expect(before.Defaults).toMatchObject({
      MaxSessions: null,
      QueueLimit: 500,
      HoldSeconds: 7200,
    });
    const { status, body } = await setLimits(0, { MaxSessions: 7, HoldSeconds: 600 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Version: 1,
      IsSet: true,
      UpdatedBy: '管理员',
      UpdatedAt: world.clock.now().toISOString(),
      Values: { ...before.Defaults, MaxSessions: 7, HoldSeconds: 600 },
      Defaults: before.Defaults,
    });
    // Those left out stay; null takes a limit away.
    expect((await setLimits(1, { MaxSessions: null })).body.Values).toEqual({
      ...before.Defaults,
      HoldSeconds: 600,
    });
    await world.restart();
    admin = await world.signIn('admin', 'admin');
    expect((await read()).limits).toMatchObject({ Version: 2, Values: { HoldSeconds: 600 } });
  });

  test.each<[SettingGroup, object]>([
    ['site', SITE],
    ['registration', { ...REGISTRATION, Mode: 'byDomain', Domains: ['*.edu.cn'] }],
    ['limits', { QueueLimit: 30 }],
    ['mail', MAIL],
    ['captcha', { Provider: 'slider', AppKey: '', AccessKeyID: '' }],
    ['retention', { TrackDays: 30, MailDays: 7 }],
  ])(
    '%s: one section is saved alone, and goes back to the configuration',
    async (group, values) => {
      const before = await read();
      const { status, body } = await set(group, 0, values);
      expect([status, body.IsSet, body.Values]).toEqual([
        200,
        true,
        expect.objectContaining(values),
      ]);
      const after = await read();
      expect({ ...after, [group]: null }).toEqual({ ...before, [group]: null });
      expect((await set(group, 0, values)).body.Code).toBe('changed_meanwhile');
      const stale = await admin.call('DELETE', `/setting/${group}?version=0`);
      expect([stale.status, stale.body['Code']]).toEqual([409, 'changed_meanwhile']);
      expect((await admin.call('DELETE', `/setting/${group}?version=1`)).status).toBe(200);
      expect((await read())[group]).toMatchObject({
        IsSet: false,
        Values: before[group].Defaults,
        // A page from before must not find its number again.
        Version: 2,
      });
    },
  );

  test('of somebody who has not seen the last change are not written', async () => {
    for (const version of [0, 1]) {
      const outcomes = await Promise.all([
        setLimits(version, { QueueLimit: 10 }),
        setLimits(version, { QueueLimit: 20 }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const winner = outcomes[0].status === 200 ? 10 : 20;
      expect((await read()).limits).toMatchObject({
        Version: version + 1,
        Values: { QueueLimit: winner },
      });
    }
    expect((await setLimits(7, { QueueLimit: 30 })).body.Code).toBe('changed_meanwhile');
  });

  test.each<[SettingGroup, object]>([
    ['limits', { MaxSessions: 0 }],
    ['limits', { MaxSessions: 1.5 }],
    ['limits', { QueueLimit: 0 }],
    ['limits', { QueueLimit: null }],
    ['limits', { LifetimeSeconds: 599 }],
    ['limits', { HoldSeconds: 59 }],
    ['limits', { KeepSeconds: 3599 }],
    ['limits', { PersonalQuotaBytes: 1 }],
    ['limits', { UploadBytes: 1024 }],
    ['limits', { Nonsense: 1 }],
    ['site', { ...SITE, NameZh: '' }],
    ['site', { ...SITE, NameEn: 'x'.repeat(31) }],
    ['site', { ...SITE, NameZh: '两\n行' }],
    ['site', { ...SITE, Links: [{ TitleZh: '坏', TitleEn: '', URL: 'javascript:alert(1)' }] }],
    ['site', { ...SITE, Supporters: [{ ...SITE.Supporters[0], URL: 'data:text/html,x' }] }],
    ['site', { ...SITE, Supporters: [{ ...SITE.Supporters[0], Logo: '../../secret.key' }] }],
    ['registration', { ...REGISTRATION, Mode: 'byDomain' }],
    ['registration', { ...REGISTRATION, Domains: ['*.cn.*'] }],
    ['registration', { ...REGISTRATION, Domains: ['a@b.edu'] }],
    ['registration', { ...REGISTRATION, Identities: [] }],
    ['registration', { ...REGISTRATION, Identities: [1] }],
    ['mail', { ...MAIL, Host: '' }],
    ['mail', { ...MAIL, Host: 'host\r\nX: y' }],
    ['mail', { ...MAIL, Port: 0 }],
    ['mail', { ...MAIL, SenderAddress: '' }],
    ['mail', { ...MAIL, SenderName: 'a\r\nBcc: b' }],
    ['arose', { ...SIGN_ON, Issuer: 'http://elsewhere.example' }],
    ['arose', { ...SIGN_ON, ClientID: '' }],
    // Nothing says where to go.
    ['scnet', SIGN_ON],
    ['captcha', { ...CAPTCHA, AppKey: '' }],
    ['retention', { TrackDays: 1, MailDays: 7 }],
    ['retention', { TrackDays: 30, MailDays: 7, AuditDays: 1 }],
  ])('%s %j is refused', async (group, values) => {
    const before = await read();
    const more = group === 'arose' || group === 'scnet' ? { Secret: SECRET } : {};
    const answer = await set(group, 0, values, more);
    expect([answer.status, answer.body.Code]).toEqual([400, 'invalid_input']);
    expect(await read()).toEqual(before);
  });

  test('are the admins’', async () => {
    const teacher = await world.signIn('teacher', 'teacher');
    expect((await teacher.call('GET', '/setting')).status).toBe(403);
    expect((await setLimits(0, { QueueLimit: 1 }, teacher)).status).toBe(403);
    expect((await teacher.call('DELETE', '/setting/limits?version=0')).status).toBe(403);
    expect((await teacher.call('POST', '/setting/mail/test')).status).toBe(403);
    expect((await read()).limits.Version).toBe(0);
  });

  test('what an older release left there, or nobody may set, does not hold', async () => {
    await world.sql(sql`
      insert into setting (key, value) values
        ('settings', '{"QueueLimit": 0, "Old": true, "HoldSeconds": 900}'),
        ('settings.mail', '{"IsOn": true, "Host": "mail.example.edu"}')`);
    const { limits, mail } = await read();
    expect(limits.Values).toEqual({ ...limits.Defaults, HoldSeconds: 900 });
    // Half a mail server is none.
    expect(mail).toMatchObject({ IsSet: false, Values: mail.Defaults });
  });

  test('are recorded with before and after', async () => {
    await set('retention', 0, { TrackDays: 30, MailDays: 30 });
    const { body } = await admin.call<{ List: { ID: number; Things: { Title: string }[] }[] }>(
      'GET',
      '/audit',
    );
    expect(body.List[0]?.Things).toMatchObject([{ Title: 'retention' }]);
    const detail = await admin.call<{ Changes: object[] }>('GET', `/audit/${body.List[0]?.ID}`);
    expect(detail.body.Changes).toEqual([
      { Kind: 'setting', ID: null, Field: 'TrackDays', Before: '180', After: '30' },
    ]);
  });
});

describe('on every process', () => {
  beforeEach(() => begin());

  test('they hold at once, and after a lost connection too', async () => {
    const second = await world.second();
    const seen = async () => {
      const response = await second.app.inject({
        url: '/api/v1/environment/capacity?role=admin',
        headers: { cookie: admin.cookie ?? '' },
      });
      return (JSON.parse(response.body) as { MaxSessions: number | null }).MaxSessions;
    };
    const name = async () => {
      const response = await second.app.inject({ url: '/api/v1/site' });
      return (JSON.parse(response.body) as Site).Site.NameZh;
    };
    try {
      expect([await seen(), await name()]).toEqual([null, '超立方']);
      await setLimits(0, { MaxSessions: 3 });
      await set('site', 0, SITE);
      await until(seen, (value) => value === 3);
      await until(name, (value) => value === SITE.NameZh);
      // Changed while nobody could be told.
      await world.sql(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'listen%'`);
      await world.sql(sql`update setting set value = '{"MaxSessions": 4}' where key = 'settings'`);
      await until(seen, (value) => value === 4);
      // A secret that one process sealed is the other's as well.
      await set('mail', 0, { ...MAIL, User: 'hpc' }, { Secret: SECRET });
      const other = await until(
        async () => {
          const response = await second.app.inject({
            url: '/api/v1/setting?role=admin',
            headers: { cookie: admin.cookie ?? '' },
          });
          return (JSON.parse(response.body) as { Groups: SettingGroups }).Groups.mail;
        },
        ({ IsSet }) => IsSet,
      );
      expect(other.Secret).toBe('set');
    } finally {
      await second.close();
    }
  });
});

describe('secrets', () => {
  let lines = '';
  const logger = {
    level: 'trace',
    stream: new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines += chunk.toString();
        done();
      },
    }),
  };
  beforeEach(async () => {
    lines = '';
    await begin({ hasWorker: false, logger });
  });

  test('are never answered, logged, recorded or written as they are', async () => {
    const answers = [
      await set('mail', 0, { ...MAIL, User: 'hpc' }, { Secret: SECRET }),
      await set('arose', 0, { ...SIGN_ON, Issuer: 'https://sso.example.edu' }, { Secret: SECRET }),
      await set('scnet', 0, { ...SIGN_ON, Issuer: 'https://sso.example.edu' }, { Secret: SECRET }),
      await set('mail', 1, { ...MAIL, User: 'hpc', Port: 1 }, { Secret: `${SECRET}-2` }),
      await admin.call('GET', '/setting'),
      // Refused, and told.
      await set('mail', 1, MAIL, { Secret: SECRET }),
      await set('mail', 2, { ...MAIL, Port: -1 }, { Secret: SECRET }),
      await admin.call('POST', '/setting/mail/test'),
      await admin.call('DELETE', '/setting/arose?version=1'),
      await admin.call('GET', '/site'),
      await admin.call('GET', '/audit?pageSize=100'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 409, 400, 200, 200, 200, 200,
    ]);
    const tables = await world.sql(sql`
      select (select jsonb_agg(to_jsonb(a)) from audit_record a)::text as audit,
             (select jsonb_agg(to_jsonb(s)) from setting s)::text as setting`);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(SECRET);
    expect(JSON.stringify(tables)).not.toContain(SECRET);
    expect(lines).not.toContain(SECRET);
    expect(lines).not.toBe('');
    expect((await read()).mail).toMatchObject({ Secret: 'set', Values: { User: 'hpc' } });
    // That it was changed is told.
    const { body } = await admin.call<{ List: { ID: number; Action: string }[] }>(
      'GET',
      '/audit?pageSize=100',
    );
    const record = body.List.find(({ Action }) => Action === 'updateMailSettings');
    const detail = await admin.call<{ Changes: object[] }>('GET', `/audit/${record?.ID}`);
    expect(JSON.stringify(detail.body)).toContain('"Field":"Secret"');
  });

  test('stay when they are left out, go with null, and never to somebody else', async () => {
    await set('mail', 0, { ...MAIL, User: 'hpc' }, { Secret: SECRET });
    expect((await set('mail', 1, { ...MAIL, User: 'hpc', Port: 26 })).body.Secret).toBe('set');
    // The password of one server is not another's.
    for (const change of [{ Host: 'mail.elsewhere.example' }, { User: 'other' }]) {
      const moved = await set('mail', 2, { ...MAIL, User: 'hpc', Port: 26, ...change });
      expect([moved.status, moved.body.Code]).toEqual([400, 'secret_needed']);
    }
    expect((await set('mail', 2, { ...MAIL, User: 'hpc' }, { Secret: null })).body.Code).toBe(
      'secret_needed',
    );
    const gone = await set('mail', 2, MAIL, { Secret: null });
    expect([gone.status, gone.body.Secret]).toEqual([200, 'none']);
  });

  test('are kept with a key beside the database, and said to be lost without it', async () => {
    await set('mail', 0, { ...MAIL, User: 'hpc' }, { Secret: SECRET });
    const path = join(world.folder, 'secret.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const key = await readFile(path, 'utf8');
    await rm(path);
    await world.restart();
    admin = await world.signIn('admin', 'admin');
    expect((await read()).mail).toMatchObject({ Secret: 'lost', IsSet: true });
    await writeFile(path, 'no key');
    await expect(world.second()).rejects.toThrow('holds no key');
    await writeFile(path, key);
    await world.restart();
    admin = await world.signIn('admin', 'admin');
    expect((await read()).mail.Secret).toBe('set');
  });
});

describe('the configuration', () => {
  test('may bring the key of the secrets, for servers without a common folder', async () => {
    const key = randomBytes(32).toString('base64');
    await begin({ hasWorker: false, environment: { HC_SECRET_KEY: key } });
    expect((await set('mail', 0, { ...MAIL, User: 'hpc' }, { Secret: SECRET })).status).toBe(200);
    await expect(stat(join(world.folder, 'secret.key'))).rejects.toThrow('ENOENT');
    await world.restart();
    admin = await world.signIn('admin', 'admin');
    expect((await read()).mail.Secret).toBe('set');
    for (const wrong of ['short', `${key}${key}`, randomBytes(16).toString('base64')])
      expect(() => readConfig({ HC_SECRET_KEY: wrong })).toThrow('32 bytes');
  });

  test('is shown part by part without its secrets, and a way back for the locked out', async () => {
    await begin({
      hasWorker: false,
      environment: {
        HC_SMTP_URL: `smtps://hpc%40example.edu:${SECRET}@mail.example.edu`,
        HC_MAIL_FROM: '超立方 <no-reply@hpc.example.edu>',
        HC_SETTINGS_IGNORED: 'site, captcha',
      },
    });
    const { mail } = await read();
    expect(JSON.stringify(await read())).not.toContain(SECRET);
    expect(mail).toMatchObject({ Secret: 'set', IsSet: false });
    expect(mail.Values).toEqual({
      IsOn: true,
      Host: 'mail.example.edu',
      Port: 465,
      Security: 'tls',
      User: 'hpc@example.edu',
      SenderName: '超立方',
      SenderAddress: 'no-reply@hpc.example.edu',
    });
    // The password of the configuration goes on while the account is the same.
    const kept = await set('mail', 0, { ...mail.Values, Port: 466 });
    expect([kept.status, kept.body.Secret]).toEqual([200, 'set']);
    await set('site', 0, SITE);
    expect((await site()).NameZh).toBe('超立方');
    expect((await read()).site).toMatchObject({ IsIgnored: true, IsSet: false });
  });
});

describe('the site', () => {
  beforeEach(() => begin());

  test('is called what it is set to: for visitors, in mails', async () => {
    expect(await site()).toMatchObject({ NameZh: '超立方', NameEn: 'Hypercube', Supporters: [] });
    await set('site', 0, SITE);
    expect(await site()).toMatchObject(SITE);
    for (const [language, subject, signature] of [
      ['zh-CN', '并行学堂注册验证码', '-- \n并行学堂 Parallel Academy'],
      ['en-US', 'Your Parallel Academy registration code', '-- \nParallel Academy'],
    ] as const) {
      const Email = `${language}@example.edu`;
      await world.visitor().call('POST', `/user/captcha?lang=${language}`, { Email });
      const { body } = await admin.call<{ List: MailRow[] }>('GET', `/mail?keyword=${Email}`);
      expect(body.List[0]?.Subject).toBe(subject);
      const mail = await admin.call<{ Text: string; HTML: string }>(
        'GET',
        `/mail/${body.List[0]?.ID}`,
      );
      expect(mail.body.Text).toContain(signature);
      expect(mail.body.Text + mail.body.HTML).not.toMatch(/超立方|Hypercube/);
    }
  });

  test('shows pictures of supporters, made anew', async () => {
    const picture = await sharp({
      create: { width: 900, height: 300, channels: 3, background: '#3b5bdb' },
    })
      .withExif({ IFD0: { Copyright: 'somebody in particular' } })
      .png()
      .toBuffer();
    const { status, body } = await admin.upload<{ Name: string; Path: string }>(
      '/setting/site/logo',
      {
        name: 'logo.png',
        content: picture,
      },
    );
    expect(status).toBe(201);
    const [supporter] = SITE.Supporters;
    await set('site', 0, { ...SITE, Supporters: [{ ...supporter, Logo: body.Name }] });
    expect((await site()).Supporters).toMatchObject([{ NameZh: '某大学', Logo: body.Path }]);
    const shown = await world.system.app.inject({ url: body.Path });
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
    const { width, exif } = await sharp(shown.rawPayload).metadata();
    expect([width, exif]).toEqual([480, undefined]);
    // One that nobody sent, one that is none, and one that somebody else's page would send.
    const missing = await set('site', 1, {
      ...SITE,
      Supporters: [{ ...supporter, Logo: '00000000-0000-4000-8000-000000000000.webp' }],
    });
    expect([missing.status, missing.body.Code]).toEqual([400, 'picture_missing']);
    const drawing = await admin.upload('/setting/site/logo', { name: 'a.svg', content: '<svg/>' });
    expect([drawing.status, drawing.body['Code']]).toEqual([415, 'upload_type']);
    const teacher = await world.signIn('teacher', 'teacher');
    const foreign = await teacher.upload('/setting/site/logo', { name: 'a.png', content: picture });
    expect(foreign.status).toBe(403);
  });
});

describe('registration', () => {
  beforeEach(() => begin({ hasWorker: false }));
  const newcomer = (change: object = {}) => ({
    Username: 'newcomer',
    Email: 'newcomer@stu.example.edu',
    EmailCode: '000000',
    Password: 'new-pass-1',
    Nickname: '新同学们',
    Phone: '13800138000',
    Gender: 1,
    Organisation: '清华大学',
    Type: 4,
    ...change,
  });
  const register = async (change: object = {}) =>
    (await world.visitor().call('POST', '/user', newcomer(change))).body['Code'];
  const sendCode = (Email: string) => world.visitor().call('POST', '/user/captcha', { Email });

  test('closed: neither code nor account, and everybody is told before', async () => {
    await set('registration', 0, { ...REGISTRATION, Mode: 'closed' });
    expect((await site()).Registration).toEqual({ ...REGISTRATION, Mode: 'closed' });
    expect(await register()).toBe('registration_closed');
    // Whether an address has an account is not told by it.
    for (const email of ['student@hypercube.local', 'nobody@example.edu']) {
      const sent = await sendCode(email);
      expect([sent.status, sent.body['Code']]).toEqual([403, 'registration_closed']);
    }
    expect(await world.sql(sql`select id from mail`)).toEqual([]);
    // Staff go on making accounts.
    const made = await admin.call<{ Made: number }>('POST', '/user/import', {
      Rows: [
        {
          Row: 2,
          Username: 'classmate',
          Email: 'classmate@elsewhere.example',
          Nickname: '',
          RealName: '同学',
          StudentID: '',
          Organisation: '',
          Type: 4,
        },
      ],
    });
    expect(made.status).toBe(201);
    expect(await world.sql(sql`select id from mail where template = 'invitation'`)).toHaveLength(1);
  });

  test.each([
    ['a@example.edu', true],
    ['a@EXAMPLE.edu', true],
    ['a@stu.example.edu', false],
    ['a@pku.edu.cn', true],
    ['a@mail.stu.pku.edu.cn', true],
    ['a@edu.cn', false],
    ['a@notedu.cn', false],
    ['a@example.edu.evil.org', false],
    ['a@evil-example.edu', false],
  ])('by domain: %s %s', async (email, isIn) => {
    const Domains = ['example.edu', '*.edu.cn'];
    await set('registration', 0, { ...REGISTRATION, Mode: 'byDomain', Domains });
    const sent = await sendCode(email);
    expect(sent.body['Code']).toBe(isIn ? undefined : 'registration_domain');
    expect(sent.body['Params']).toEqual(isIn ? undefined : { Domains });
    // In: the wrong code is the next thing that is asked about.
    expect(await register({ Email: email })).toBe(isIn ? 'wrong_code' : 'registration_domain');
  });

  test('of identities that may not register on their own is refused', async () => {
    await set('registration', 0, { ...REGISTRATION, Identities: [3, 4] });
    expect(await register({ Type: 2 })).toBe('registration_identity');
    expect(await register({ Type: 3 })).toBe('wrong_code');
  });
});

describe('single sign-on', () => {
  const ORIGIN = 'http://hypercube.test';
  let provider: DemoProvider;
  beforeEach(async () => {
    provider = await startDemoProvider({
      port: 0,
      clientID: 'hypercube',
      clientSecret: SECRET,
      callbacks: [`${ORIGIN}/login/arose`],
      people: [
        {
          sub: 'ada',
          preferred_username: 'ada-l',
          name: 'Ada',
          email: 'ada@grid.example',
          email_verified: true,
          type: 'learner',
        },
      ],
      title: 'grid',
    });
    await begin({ hasWorker: false, environment: { HC_PUBLIC_URL: ORIGIN } });
  });
  afterEach(() => provider[Symbol.asyncDispose]());

  const providers = async () =>
    (await world.visitor().call<{ List: object[] }>('GET', '/oauth2')).body.List;

  test('begins and ends with its settings; a new account follows the rules of registration', async () => {
    expect(await providers()).toEqual([]);
    const values = { ...SIGN_ON, Issuer: provider.issuer };
    expect((await set('arose', 0, values)).body.Code).toBe('secret_needed');
    expect((await set('arose', 0, values, { Secret: SECRET })).status).toBe(200);
    expect(await providers()).toEqual([{ Provider: 'arose' }]);
    expect((await site()).Providers[0]).toEqual({
      Provider: 'arose',
      NameZh: '校园账号',
      NameEn: 'Campus',
    });

    await set('registration', 0, { ...REGISTRATION, Mode: 'closed' });
    const visitor = world.visitor();
    const begun = await visitor.call<{ Address: string }>(
      'POST',
      '/oauth2/arose/authorization',
      {},
    );
    const callback = await provider.signOn(begun.body.Address, 'ada');
    const back = await visitor.call('POST', '/oauth2/arose/auth', { Query: callback.search });
    expect(back.body['Outcome']).toBe('select');
    const create = () =>
      visitor.call('POST', '/oauth2/identity/account', {
        Username: 'ada-l',
        Nickname: 'Ada-L',
        Email: 'ada@grid.example',
      });
    expect((await create()).body['Code']).toBe('registration_closed');
    await set('registration', 1, { ...REGISTRATION, Mode: 'byDomain', Domains: ['example.edu'] });
    expect((await create()).body['Code']).toBe('registration_domain');
    await set('registration', 2, { ...REGISTRATION, Identities: [2] });
    expect((await create()).body['Code']).toBe('registration_identity');
    await set('registration', 3, REGISTRATION);
    expect((await create()).body).toMatchObject({ Outcome: 'signed-in' });

    await set('arose', 1, { ...values, IsOn: false });
    expect(await providers()).toEqual([]);
    const off = await visitor.call('POST', '/oauth2/arose/authorization', {});
    expect(off.status).toBe(404);
  });
});

describe('the human check', () => {
  const KEY = 'key-id';
  /** What the external provider was asked, and how it answers: it does not know this proof, but it knows our key. */
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = new URLSearchParams(Buffer.concat(parts).toString());
      asked.push(body.get('AccessKeyId') ?? '');
      const answer =
        body.get('AccessKeyId') === KEY ? { Code: 900 } : { Code: 'InvalidAccessKeyId.NotFound' };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  beforeEach(async () => {
    asked.length = 0;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await begin({
      hasWorker: false,
      environment: { HC_CAPTCHA_ENDPOINT: `http://127.0.0.1:${port}/` },
    });
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });
  const policy = async () =>
    (await world.system.app.inject({ url: '/api/v1/site' })).headers['content-security-policy'];

  test('is another one at once, with the sources that it needs', async () => {
    expect(await policy()).not.toContain('alicdn');
    expect((await set('captcha', 0, CAPTCHA)).body.Code).toBe('secret_needed');
    // Keys that fail would keep everybody out, so they are tried first.
    const wrong = await set('captcha', 0, { ...CAPTCHA, AccessKeyID: 'wrong' }, { Secret: SECRET });
    expect([wrong.status, wrong.body.Code]).toEqual([502, 'captcha_unavailable']);
    expect((await set('captcha', 0, CAPTCHA, { Secret: SECRET })).status).toBe(200);
    expect(asked).toEqual(['wrong', KEY]);
    expect((await world.visitor().call('GET', '/captcha')).body).toMatchObject({
      Provider: 'aliyun',
      AppKey: 'app',
    });
    expect(await policy()).toContain('https://g.alicdn.com');
    await set('captcha', 1, { Provider: 'slider', AppKey: '', AccessKeyID: KEY });
    expect(await policy()).not.toContain('alicdn');
    const refused = await world.visitor().call('POST', '/user/auth', {
      Username: 'admin',
      Password: 'demo-pass-1',
    });
    expect(refused.body['Code']).toBe('captcha_failed');
  });
});

describe('the mail server', () => {
  const ACCOUNT = { user: 'hpc', password: SECRET };
  let postman: Postman;
  beforeEach(async () => {
    postman = await Postman.open(0, ACCOUNT);
    await begin();
  });
  afterEach(() => postman[Symbol.asyncDispose]());
  const tryIt = async () =>
    (
      await admin.call<AnswerOf<typeof routes.sendTestMail> & { Code?: string }>(
        'POST',
        '/setting/mail/test?lang=zh-CN',
      )
    ).body;

  test('is tried with a real mail, and its own answer is told', async () => {
    expect((await tryIt()).Code).toBe('mail_off');
    const values = { ...MAIL, User: 'hpc', Port: postman.port };
    expect((await set('mail', 0, values)).body.Code).toBe('secret_needed');
    await set('mail', 0, values, { Secret: 'wrong-one' });
    expect(await tryIt()).toMatchObject({
      IsSent: false,
      Answer: expect.stringContaining('535') as string,
    });
    await set('mail', 1, values, { Secret: SECRET });
    expect(await tryIt()).toMatchObject({
      To: 'admin@hypercube.local',
      IsSent: true,
      Answer: expect.stringContaining('250') as string,
    });
    expect(postman.received).toMatchObject([
      { from: 'no-reply@hpc.example.edu', to: ['admin@hypercube.local'] },
    ]);
    // Past the outbox.
    expect(await world.sql(sql`select id from mail`)).toEqual([]);
  });

  test('that is wrong breaks nothing, and one that is right is used at once', async () => {
    await set('mail', 0, { ...MAIL, Port: 1 });
    const wrong = await tryIt();
    expect(wrong.IsSent).toBe(false);
    expect(wrong.Answer).toContain('ECONNREFUSED');
    const sent = await world.visitor().call('POST', '/user/captcha', { Email: 'a@example.edu' });
    expect(sent.status).toBe(202);
    const states = async () =>
      (await world.sql<{ state: string }>(sql`select state from mail order by id`)).map(
        ({ state }) => state,
      );
    await until(states, ([state]) => state === 'failed');
    await set('mail', 1, { ...MAIL, User: 'hpc', Port: postman.port }, { Secret: SECRET });
    await world.visitor().call('POST', '/user/captcha', { Email: 'b@example.edu' });
    await until(states, ([, state]) => state === 'sent');
    expect(postman.received.map(({ to }) => to)).toEqual([['b@example.edu']]);
    // Off again: mails stay here.
    await set('mail', 2, { ...MAIL, IsOn: false }, { Secret: null });
    await world.visitor().call('POST', '/user/captcha', { Email: 'c@example.edu' });
    await until(states, ([, , state]) => state === 'captured');
  });
});

describe('retention', () => {
  test('of mails follows the setting', async () => {
    await begin();
    await world.visitor().call('POST', '/user/captcha', { Email: 'a@example.edu' });
    const count = async () => (await world.sql(sql`select id from mail`)).length;
    await until(
      () => world.sql(sql`select id from mail where state = 'captured'`),
      (rows) => rows.length === 1,
    );
    await world.sql(
      sql`update mail set created_at = ${world.clock.now()}::timestamptz - interval '10 days'`,
    );
    await world.system.sweep();
    expect(await count()).toBe(1);
    await set('retention', 0, { TrackDays: 30, MailDays: 9 });
    await world.system.sweep();
    expect(await count()).toBe(0);
  });
});

describe('what they limit', () => {
  beforeEach(async () => {
    await begin();
    await findNotebook();
  });

  test('environments at once, whatever races; paused ones count, one’s own does not', async () => {
    await setLimits(0, { MaxSessions: 2 });
    const people = await Promise.all(
      ['student', 'student2', 'graduate', 'assistant', 'manager'].map((name) => world.signIn(name)),
    );
    const answers = await Promise.all(people.map((person) => open(person)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const { status, body } of refused)
      expect([status, body.Code, body.Params]).toEqual([429, 'usage_sessions_full', { Limit: 2 }]);
    const inside = people.filter((_person, index) => answers[index]?.status === 200);
    const outside = people.find((_person, index) => answers[index]?.status !== 200);
    const [first] = inside;
    if (!first || !outside) throw new Error('nobody was let in');
    const own = answers.find(({ status }) => status === 200)?.body;
    await first.call('PUT', `/usage/${own?.ID}`, { Action: 'stop' });
    expect((await open(outside)).body.Code).toBe('usage_sessions_full');
    expect((await open(first, { Replace: true })).status).toBe(200);
    // Fewer than are open now: nobody is thrown out, and nobody loses what they have.
    await setLimits(1, { MaxSessions: 1 });
    const kept = await first.call<Usage>('GET', '/usage');
    expect((await open(first, { Replace: true })).body.Code).toBe('usage_sessions_full');
    expect((await first.call<Usage>('GET', '/usage')).body).toMatchObject({
      ID: kept.body.ID,
      Phase: 'ready',
    });
  });

  test('how long a paused environment stays frozen', async () => {
    const student = await world.signIn('student');
    const { body } = await open(student);
    await student.call('PUT', `/usage/${body.ID}`, { Action: 'stop' });
    await setLimits(0, { HoldSeconds: 60 });
    world.clock.advance(61);
    const held = await until(
      () => student.call<Usage>('GET', '/usage'),
      ({ body: now }) => now.IsHeld,
    );
    expect(held.body.Status).toBe(2);
  });

  test('how many may wait', async () => {
    await setLimits(0, { QueueLimit: 1 });
    await world.sql(sql`update image set reference = null, build_state = 'building'`);
    const [one, two] = [await world.signIn('student'), await world.signIn('student2')];
    const waiting = await one.call<Usage>('POST', '/usage?wait=false', {
      RouteName: 'x',
      RoutePath: '/x',
      ImageIDList: [notebookID],
    });
    expect(waiting.body.Phase).toBe('queued');
    const refused = await open(two);
    expect([refused.body.Code, refused.body.Params]).toEqual(['usage_queue_full', { Limit: 1 }]);
  });
});
