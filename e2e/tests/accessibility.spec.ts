/** WCAG 2.2 AA by axe on every page, in both languages and both themes; no page is wider than its window. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PAGES, pageOf, type PageName } from '../../web/src/app/pages.ts';
import { PASSWORD } from '../support/platform.ts';
import { findSoftware, openSoftware } from '../support/sessions.ts';
import { endUsage, expect, findLab, test } from '../support/test.ts';

const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['zh-CN', 'en-US'] as const;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Pages that are not walked, and why. */
const EXCUSED: Readonly<Partial<Record<PageName, string>>> = {
  loginArose: 'on the way back from another site: one sentence, shown for a moment',
  loginScnet: 'on the way back from another site: one sentence, shown for a moment',
  authorize: 'on the way to another site: one sentence, shown for a moment',
  selectPage: 'needs a sign-on at another site; sso.spec.ts examines it',
  adminImageEdit:
    'the form and the workspace of adminImageCreation, which are walked; it needs an image that somebody has committed',
};

/** Addresses that show another face of a page. */
const FACES: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  labIndex: ['/lab?keyword=zzzz'],
  courseIndex: ['/course?keyword=zzzz', '/course?joined=true'],
  courseDetail: [
    '/course/$courseID?tab=homework',
    '/course/$courseID?tab=notice',
    '/course/$courseID?tab=member',
  ],
  softwareIndex: ['/software?keyword=zzzz'],
  programmingProblemList: ['/problem/programming?keyword=zzzz'],
  adminLabs: ['/admin/lab?keyword=zzzz'],
  adminCourses: ['/admin/course?keyword=zzzz'],
};

/** What must be done on a page before it shows what it is for. */
const STEPS: Readonly<Partial<Record<PageName, (page: Page) => Promise<void>>>> = {
  adminEnvironments: (page) => page.getByRole('row').getByRole('checkbox').nth(1).check(),
  adminCourseMembers: (page) => page.getByRole('row').getByRole('checkbox').nth(1).check(),
  adminCourseNotices: (page) => page.getByRole('button', { name: /^(?:写|Write)/ }).click(),
  adminCoursePermission: (page) =>
    page.getByRole('checkbox', { name: /^(?:私有课程|Private)/ }).check(),
  adminImageCreation: (page) => page.getByRole('button', { name: /^(?:打开|Open)$/ }).click(),
  adminSettings: (page) => page.getByRole('spinbutton').nth(1).fill('0'),
};

const NAMES = Object.keys(PAGES) as PageName[];
/** Pages of the admin area are walked by an administrator, the others by a student. */
const walked = (area: 'admin' | undefined): PageName[] =>
  NAMES.filter(
    (name) => pageOf(name).area === area && name !== 'login' && EXCUSED[name] === undefined,
  );

type Values = Readonly<Record<string, string | number>>;

/** A homework that the student handed in and got points for; a second walk goes on with the first one's. */
async function gradeHomework(
  page: Page,
  courseID: number,
): Promise<{ homeworkID: number; userID: number }> {
  // Whoever walks stays who they are.
  const { origin } = new URL((await page.request.get('/api/v1/user/auth')).url());
  const context = await page.context().browser()?.newContext({ baseURL: origin });
  if (!context) throw new Error('there is no browser');
  const { request } = context;
  const signIn = async (Username: string): Promise<number> => {
    const data = { Username, Password: PASSWORD };
    const answer = await request.post('/api/v1/user/auth', { data });
    return ((await answer.json()) as { ID: number }).ID;
  };
  const path = `/api/v1/course/${courseID}/homework`;
  const userID = await signIn('student');
  const known = (await (await request.get(path)).json()) as { List: { ID: number }[] };
  let homeworkID = known.List[0]?.ID;
  if (homeworkID === undefined) {
    await signIn('teacher');
    const set = await request.post(`${path}?role=teacher`, {
      data: {
        TitleZh: '环形通信',
        ContentZh: '写一个环。',
        DueAt: new Date(Date.now() + 86_400_000).toISOString(),
        IsPublished: true,
      },
    });
    homeworkID = ((await set.json()) as { ID: number }).ID;
    await signIn('student');
    await request.post(`${path}/${homeworkID}/submission`, { data: { Text: '**答案**' } });
    await signIn('teacher');
    await request.put(`${path}/${homeworkID}/score/${userID}?role=teacher`, {
      data: { Score: 87.5, Comment: '很好', Version: 1 },
    });
  }
  await context.close();
  return { homeworkID, userID };
}

/** What the parameters of a page's path stand for, so that there is something to see. */
async function readValues(page: Page): Promise<(name: PageName) => Values> {
  const [notebook, desktop, ...software] = await Promise.all([
    findLab(page, '第一个 MPI 程序'),
    findLab(page, '用 gdb 调试 MPI 程序'),
    findSoftware(page, 'Linux 桌面'),
    findSoftware(page, 'JupyterLab 笔记本'),
    findSoftware(page, '网页 IDE'),
  ]);
  // Public, so that staff see it as well, and a list to see.
  const suggested = await page.request.post('/api/v1/suggestion', {
    data: { Title: '希望有更多 GPU 实验', Content: '现在都是 CPU 的', IsPublic: true },
  });
  const suggestion = (await suggested.json()) as { ID: number };
  // The student is in it, so that its parts show.
  const courses = await page.request.get('/api/v1/course?pageSize=100');
  const { List } = (await courses.json()) as { List: { ID: number; Title: string }[] };
  const centres = (await (await page.request.get('/api/v1/resource/centre')).json()) as {
    List: { ID: number }[];
  };
  // One waits at a centre: a second walk goes on with the first one's.
  await page.request.post('/api/v1/resource', {
    data: {
      ApplicantName: '林同学',
      Organisation: '清华大学',
      Phone: '13800138000',
      Email: 'lin@example.edu',
      Project: '槽道湍流的直接数值模拟',
      CentreID: centres.List[0]?.ID,
      CpuHours: 128_000,
      Purpose: '在 512 个核上计算槽道流',
    },
  });
  const applied = (await (await page.request.get('/api/v1/resource')).json()) as {
    List: { ID: number }[];
  };
  const problems = (await (await page.request.get('/api/v1/problem?keyword=向量求和')).json()) as {
    List: { ID: number }[];
  };
  const programmingProblemID = problems.List[0]?.ID ?? 0;
  // There is one to see; whoever judges it, or does not yet, is told of in its words.
  await page.request.post(`/api/v1/problem/${programmingProblemID}/submission`, {
    data: { Language: 1, Source: 'int main(void) { return 0; }' },
  });
  const courseID = List.find(({ Title }) => Title === '并行程序设计入门')?.ID ?? 0;
  const graded = await gradeHomework(page, courseID);
  const usual: Values = {
    ...graded,
    programmingProblemID,
    applyID: applied.List[0]?.ID ?? 0,
    applyStatus: 'pending',
    suggestionID: suggestion.ID,
    labID: notebook.id,
    taskID: notebook.tasks[1] ?? 0,
    softwareID: software[0].id,
    courseID,
    imageID: 1,
    domainID: 1,
    specificationID: 2,
    kind: 'desktop',
  };
  const own: Readonly<Partial<Record<PageName, Values>>> = {
    desktopLabTaskDetail: { labID: desktop.id, taskID: desktop.tasks[0] ?? 0 },
    softwareDetailNotebook: { softwareID: software[1].id },
    softwareDetailWebIDE: { softwareID: software[2].id },
  };
  return (name) => ({ ...usual, ...own[name] });
}

/** A page's address; a parameter that nobody gave a value fails the test. */
const addressOf = (name: PageName, values: Values, path: string = pageOf(name).path): string =>
  path.replaceAll(/\$(\w+)/g, (_whole, parameter: string) => {
    const value = values[parameter];
    if (value === undefined) throw new Error(`${name}: no value for ${parameter}`);
    return String(value);
  });

/** A theme changes colours and nothing else: the second one is asked about these alone. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** What axe finds on what is shown now, in both themes. What runs in a frame is not ours. */
async function examine(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    // The new colours come as transitions, from the outer elements to the inner ones.
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    );
    // In one go: otherwise every question opens a page of its own to put the frames' answers together.
    const builder = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .exclude('iframe');
    const isFirst = theme === THEMES[0];
    const { violations } = await (
      isFirst ? builder.withTags(RULES) : builder.withRules(RULES_OF_COLOUR)
    ).analyze();
    for (const { id, nodes } of violations)
      found.push(
        `${name}, ${theme}, ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      );
  }
  return found;
}

/** From the narrowest phones to small laptops. */
const WIDTHS = [360, 768, 1024];

/** Widths at which a page must be scrolled sideways, which only what is in it may ask for. */
async function wideAt(page: Page, name: string): Promise<string[]> {
  const usual = page.viewportSize() ?? { width: 1280, height: 720 };
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...usual, width });
    const excess = (): Promise<number> =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
    // A page that is made anew for a width is wide for a moment.
    await expect
      .poll(excess, { timeout: 2000 })
      .toBeLessThanOrEqual(0)
      .catch(async () => found.push(`${name}: ${await excess()} px too wide at ${width} px`));
  }
  await page.setViewportSize(usual);
  return found;
}

/** Opens an address and waits until everything has come. */
async function arrive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
  await expect(page.locator('[aria-busy=true]'), address).toHaveCount(0);
}

async function walk(page: Page, area: 'admin' | undefined): Promise<string[]> {
  const valuesOf = await readValues(page);
  const found: string[] = [];
  for (const name of walked(area)) {
    const values = valuesOf(name);
    const faces = (FACES[name] ?? []).map((face) => addressOf(name, values, face));
    for (const address of [addressOf(name, values), ...faces]) {
      await arrive(page, address);
      await STEPS[name]?.(page);
      found.push(...(await examine(page, address)), ...(await wideAt(page, address)));
    }
  }
  return found;
}

test('what is not walked has a reason, and is a page', () => {
  for (const [name, reason] of Object.entries(EXCUSED)) {
    expect(NAMES).toContain(name);
    expect(reason.length).toBeGreaterThan(20);
  }
  expect(
    [...walked(undefined), ...walked('admin'), ...Object.keys(EXCUSED), 'login'].toSorted(),
  ).toEqual(NAMES.toSorted());
});

for (const language of LANGUAGES) {
  // With an environment of another page open, a workspace starts none: it asks.
  test(`every page of learners, ${language}`, async ({ signIn, consoleErrors }) => {
    test.setTimeout(300_000);
    const page = await signIn('student', { language });
    await openSoftware(page, 'JupyterLab 笔记本');
    expect(await walk(page, undefined)).toEqual([]);
    await endUsage(page);
    await page.context().clearCookies({ name: 'hc_login' });
    await page.goto('/login');
    await expect(page.getByRole('button', { name: /登录|Log in/ }).first()).toBeVisible();
    expect(await examine(page, '/login')).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test(`every page of the admin area, ${language}`, async ({ signIn, consoleErrors }) => {
    test.setTimeout(300_000);
    const page = await signIn('admin', { language });
    await openSoftware(page, 'JupyterLab 笔记本');
    expect(await walk(page, 'admin')).toEqual([]);
    await endUsage(page);
    expect(consoleErrors).toEqual([]);
  });

  test(`a desktop, its command line and a web IDE that run, ${language}`, async ({ signIn }) => {
    test.setTimeout(300_000);
    const page = await signIn('student', { language });
    const words = {
      'zh-CN': ['命令行', '连接良好'],
      'en-US': ['Command line', 'Connected'],
    } as const;
    const [commandLine, connected] = words[language];
    await openSoftware(page, 'Linux 桌面');
    await expect(page.getByText(connected).first()).toBeVisible({ timeout: 90_000 });
    const found = await examine(page, 'desktop');
    await page.getByText(commandLine, { exact: true }).click();
    await expect(page.locator('.terminal-panel:not([hidden]) .xterm-rows')).toContainText(/[$#]/, {
      timeout: 30_000,
    });
    found.push(...(await examine(page, 'command line')));
    await openSoftware(page, '网页 IDE');
    await expect(page.getByText(connected).first()).toBeVisible({ timeout: 90_000 });
    found.push(...(await examine(page, 'web IDE')));
    expect(found).toEqual([]);
    await endUsage(page);
  });
}
