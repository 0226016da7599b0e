import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DatabaseClock } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { hasNullByte, isSameOrigin } from './http/safety.ts';
import { InstanceRunningError, takeDataFolder } from './instance-lock.ts';
import { inLanguage } from './language.ts';
import { loggedPath } from './log.ts';
import { cutWords, likePattern } from './search.ts';

describe('configuration', () => {
  test('has working defaults', () => {
    const config = readConfig({ PATH: '/bin' });
    expect(config).toMatchObject({
      HC_HOST: '127.0.0.1',
      HC_PORT: 8080,
      HC_ROLES: ['web', 'worker'],
      HC_CAPTCHA: 'slider',
      HC_TRUST_PROXY: false,
    });
    expect(config.HC_DATA).toMatch(/^\/.*\/data$/);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ HC_PROT: '80' }, /HC_PROT is not a setting; did you mean HC_PORT\?/],
    [{ HC_PORT: 'eighty' }, /HC_PORT: /],
    [{ HC_PORT: '70000' }, /HC_PORT: /],
    [{ HC_ROLES: 'web,cook' }, /HC_ROLES/],
    [{ HC_ROLES: 'gateway' }, /DATABASE_URL: HC_ROLES=gateway needs it/],
    [{ HC_ROLES: 'web,gateway' }, /HC_ROLES: gateway stands alone/],
    [{ HC_ROLES: '', HC_CAPTCHA: 'maybe' }, /HC_CAPTCHA/],
    [
      { HC_CAPTCHA: 'aliyun', HC_CAPTCHA_APP_KEY: 'x' },
      /^HC_CAPTCHA_ACCESS_KEY_ID[^]*HC_CAPTCHA_ACCESS_KEY_SECRET[^]*$/,
    ],
    [{ HC_SMTP_URL: 'http://mail.example.edu' }, /HC_SMTP_URL/],
    [{ HC_PUBLIC_URL: 'https://a.example/path' }, /without a path/],
    [{ HC_PUBLIC_URL: 'ftp://a.example' }, /HC_PUBLIC_URL/],
    [{ HC_PUBLIC_URL: 'https://a.example', HC_SESSION_ORIGIN: 'https://a.example' }, /must differ/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
    [{ CONTAINER_HOST: '/run/podman.sock' }, /unix:\/\/ or tcp:\/\//],
    [{ HC_DEMO_PASSWORD: 'short' }, /HC_DEMO_PASSWORD/],
  ])('%j is refused with a sentence', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  test('every fault is named at once', () => {
    expect(() => readConfig({ HC_PORT: 'x', HC_CAPTCHA: 'y', HC_NONSENSE: '1' })).toThrow(
      /HC_NONSENSE[^]*HC_PORT[^]*HC_CAPTCHA/,
    );
  });

  test('an empty value counts as not set', () => {
    expect(readConfig({ HC_PORT: '' }).HC_PORT).toBe(8080);
  });
});

test('the clock follows the database, not the machine', async () => {
  const clock = new DatabaseClock();
  const ahead = Date.now() + 86_400_000;
  await clock.synchronise(async () => ahead);
  expect(Math.abs(clock.now().getTime() - ahead)).toBeLessThan(1000);
});

test.each([
  [{}, undefined, true],
  [{ origin: 'http://a.example' }, undefined, true],
  [{ origin: 'http://b.example' }, undefined, false],
  [{ origin: 'null' }, undefined, false],
  [{ origin: 'https://public.example' }, 'https://public.example', true],
  [{ origin: 'http://a.example' }, 'https://public.example', false],
  [{ 'sec-fetch-site': 'same-origin' }, undefined, true],
  [{ 'sec-fetch-site': 'cross-site' }, undefined, false],
  [{ 'sec-fetch-site': 'same-site' }, undefined, false],
])('headers %j with the public origin %s: same origin %s', (headers, origin, isSame) => {
  expect(isSameOrigin({ headers, host: 'a.example', protocol: 'http' }, origin)).toBe(isSame);
});

test.each([
  [{ a: ['x', { b: 'y\0' }] }, true],
  [{ 'a\0': 1 }, true],
  [{ a: ['x', { b: 'y' }] }, false],
  [null, false],
])('null byte in %j: %s', (value, has) => {
  expect(hasNullByte(value)).toBe(has);
});

test('what is logged of an address has no query', () => {
  expect(loggedPath('/proxy/enter?ticket=secret')).toBe('/proxy/enter');
});

test('Chinese and English words are found by their parts', () => {
  expect(cutWords('OpenMP 归约与数据竞争')).toEqual(
    expect.arrayContaining(['openmp', '归约', '数据', '竞争']),
  );
  expect(cutWords('，。 !')).toEqual([]);
});

test('signs of a pattern are searched as themselves', () => {
  expect(likePattern(String.raw`50%_\ `)).toBe(String.raw`%50\%\_\\ %`);
});

test.each([
  ['zh-CN', '中', 'E', '中'],
  ['zh-CN', '', 'E', 'E'],
  ['en-US', '中', '', '中'],
] as const)('a text in %s from %j and %j is %j', (language, zh, en, text) => {
  expect(inLanguage(language, zh, en)).toBe(text);
});

test('a data folder belongs to one process; what a dead one left is taken over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hypercube-lock-'));
  const path = join(folder, 'hypercube.pid');
  // Process 1 always runs; only the start time tells that the lock is not its.
  await writeFile(path, '1 0');
  const release = await takeDataFolder(folder);
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  await release();
  const stat = await readFile('/proc/1/stat', 'utf8');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  await writeFile(path, `1 ${startedAt}`);
  await expect(takeDataFolder(folder)).rejects.toThrow(InstanceRunningError);
  await rm(folder, { recursive: true });
});

test('a data folder of a dead process that nobody collected is taken over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hypercube-lock-'));
  // What the shell becomes does not wait for the shell's child: a zombie, as under a container's first process.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let pid = '';
    for await (const [part] of on(parent.stdout, 'data')) {
      pid += String(part);
      if (pid.includes('\n')) break;
    }
    pid = pid.trim();
    const fields = async (): Promise<string[]> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    };
    // The shell itself would collect the child: it ends only when the shell is there no more.
    const command = (): Promise<string> => readFile(`/proc/${parent.pid}/cmdline`, 'utf8');
    await expect.poll(command, { timeout: 4000 }).toBe('sleep\u000061\u0000');
    process.kill(Number(pid), 'SIGKILL');
    await expect.poll(async () => (await fields())[0], { timeout: 4000 }).toBe('Z');
    await writeFile(join(folder, 'hypercube.pid'), `${pid} ${(await fields())[19]}`);
    const release = await takeDataFolder(folder);
    await release();
  } finally {
    parent.kill();
    await rm(folder, { recursive: true });
  }
});
