import { TIMES, routes, type LoginSession } from '@hypercube/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, addressOf, call, configureApi } from './api.ts';
import { ChunkError, loadChunk, type ChunkSurroundings } from './chunks.ts';
import { formatBytes, formatCount, formatCountdown, formatDuration } from './format.ts';
import { languageOfCookie } from './language.tsx';
import { may, usableSession } from './login.ts';
import { readID } from './paths.ts';
import { choiceOf, themeOf } from './theme.ts';
import { ToastList } from './toasts.ts';

const common = { role: 'student', lang: 'zh-CN' } as const;

describe('the address of a call', () => {
  it('carries role and language, and what was asked', () => {
    expect(addressOf(routes.listLabs, {}, { page: 2, tags: '1,2' }, common)).toBe(
      '/api/v1/lab?role=student&lang=zh-CN&page=2&tags=1%2C2',
    );
  });
  it('leaves out what was not given', () => {
    expect(addressOf(routes.listLabs, {}, { keyword: '', type: undefined, tags: [] }, common)).toBe(
      '/api/v1/lab?role=student&lang=zh-CN',
    );
  });
  it('encodes path values', () => {
    const address = addressOf(routes.getLabMedia, { labID: 3, name: '../a b?c' }, {}, common);
    expect(address).toBe('/api/v1/lab/3/media/..%2Fa%20b%3Fc?role=student&lang=zh-CN');
  });
  it('refuses a missing path value', () => {
    expect(() => addressOf(routes.getLab, {}, {}, common)).toThrow('labID');
  });
});

describe('a call', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    configureApi({ onUnauthorized: () => undefined });
  });
  const answer = (response: Response): void => {
    vi.stubGlobal('fetch', () => Promise.resolve(response));
  };
  const failure = (status: number, body: unknown): Response =>
    new Response(JSON.stringify(body), { status });

  it('gives the answer', async () => {
    answer(new Response(JSON.stringify({ List: [], Total: 0 })));
    await expect(call(routes.listDomains, {})).resolves.toEqual({ List: [], Total: 0 });
  });
  it('gives null for an answer without a body', async () => {
    answer(new Response(null, { status: 204 }));
    await expect(call(routes.logout, {})).resolves.toBeNull();
  });
  it('turns a coded failure into its code and values', async () => {
    answer(
      failure(429, { Code: 'too_many_guesses', Params: { RetryAfterSeconds: 9 }, RequestID: 'r1' }),
    );
    await expect(call(routes.getSite, {})).rejects.toMatchObject({
      code: 'too_many_guesses',
      status: 429,
      params: { RetryAfterSeconds: 9 },
      requestID: 'r1',
    });
  });
  it('ends the login session at a 401, and only then', async () => {
    const onUnauthorized = vi.fn<() => void>();
    configureApi({ onUnauthorized });
    answer(failure(403, { Code: 'forbidden', Params: {}, RequestID: 'r' }));
    await expect(call(routes.getUsage, {})).rejects.toBeInstanceOf(ApiError);
    expect(onUnauthorized).not.toHaveBeenCalled();
    answer(failure(401, { Code: 'not_signed_in', Params: {}, RequestID: 'r' }));
    await expect(call(routes.getUsage, {})).rejects.toMatchObject({ status: 401 });
    expect(onUnauthorized).toHaveBeenCalledOnce();
  });
  it.each([
    [502, 'offline'],
    [404, 'not_found'],
    [418, 'internal'],
  ])('understands a proxy that answers %i in its own words', async (status, code) => {
    answer(new Response('<html>', { status }));
    await expect(call(routes.getSite, {})).rejects.toMatchObject({ code, status });
  });
  it('calls a page in the place of data a failure', async () => {
    answer(new Response('<!doctype html>'));
    await expect(call(routes.getSite, {})).rejects.toMatchObject({ code: 'internal' });
  });
  it('says offline when there is no answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(call(routes.getSite, {})).rejects.toMatchObject({ code: 'offline', status: 0 });
  });
  it('does not call a cancelled call a failure', async () => {
    const abort = new AbortController();
    abort.abort();
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('', 'AbortError')));
    await expect(call(routes.getSite, { signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('a piece of the program that cannot be loaded', () => {
  const lost = (): Promise<never> => Promise.reject(new Error('404'));
  const around = (
    mark: string | null,
  ): ChunkSurroundings & { reloads: number; marks: string[] } => ({
    reloads: 0,
    marks: [],
    now: () => 1_000_000,
    readMark: () => mark,
    writeMark(value) {
      this.marks.push(value);
    },
    reload() {
      this.reloads += 1;
    },
    wait: () => new Promise(() => undefined),
    isServerThere: () => Promise.resolve(true),
  });
  it('reloads the page once', async () => {
    const first = around(null);
    void loadChunk(lost, first);
    await vi.waitFor(() => expect(first.reloads).toBe(1));
    expect(first.marks).toEqual(['1000000']);
  });
  it('tells when the reload did not help', async () => {
    const second = around('999000');
    await expect(loadChunk(lost, second)).rejects.toBeInstanceOf(ChunkError);
    expect(second.reloads).toBe(0);
  });
  it('reloads again after a later deploy', async () => {
    const later = around(String(1_000_000 - 3_600_000));
    void loadChunk(lost, later);
    await vi.waitFor(() => expect(later.reloads).toBe(1));
  });
  it('does not reload for ever where nothing can be kept', async () => {
    const locked = {
      ...around(null),
      writeMark: () => {
        throw new Error('locked');
      },
    };
    await expect(loadChunk(lost, locked)).rejects.toBeInstanceOf(ChunkError);
  });
  it('gives up after the time-out', async () => {
    const wait = vi.fn<ChunkSurroundings['wait']>(() => Promise.resolve('timeout' as const));
    const slow = { ...around('999999'), wait };
    await expect(loadChunk(() => new Promise(() => undefined), slow)).rejects.toBeInstanceOf(
      ChunkError,
    );
    expect(wait).toHaveBeenCalledWith(TIMES.chunkLoadTimeoutMs);
  });
  it('waits for a server that is away instead of leaving the page, and goes on by itself', async () => {
    const answers = [false, false, true];
    const waits: number[] = [];
    const away = {
      ...around(null),
      wait: (ms: number) => {
        // The first is the time-out of the try itself.
        waits.push(ms);
        return ms === TIMES.chunkLoadTimeoutMs
          ? new Promise<never>(() => undefined)
          : Promise.resolve('timeout' as const);
      },
      isServerThere: () => Promise.resolve(answers.shift() ?? true),
    };
    const load = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('refused'));
    load.mockResolvedValue(7);
    await expect(loadChunk(load, away)).resolves.toBe(7);
    expect([load.mock.calls.length, away.reloads]).toEqual([2, 0]);
    expect(waits.filter((ms) => ms !== TIMES.chunkLoadTimeoutMs)).toHaveLength(2);
  });
  it('hands on what was loaded', async () => {
    await expect(loadChunk(() => Promise.resolve(7), around(null))).resolves.toBe(7);
  });
});

describe('numbers as people read them', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1K'],
    [1234, '1.2K'],
    [999_999, '999.9K'],
    [1_000_000, '1M'],
    [2_560_000, '2.5M'],
  ])('%i is %s', (count, text) => expect(formatCount(count)).toBe(text));
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [432_013_312, '412 MiB'],
    [2_147_483_648, '2 GiB'],
  ])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
  it.each([
    [0, '00:00'],
    [59.9, '00:59'],
    [292, '04:52'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [-5, '00:00'],
  ])('%d seconds left are %s', (seconds, text) => expect(formatCountdown(seconds)).toBe(text));
  it.each([
    [840, '0.8 s'],
    [12_400, '12 s'],
    [185_000, '03:05'],
  ])('%i ms took %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe('the language of a visitor', () => {
  it.each([
    ['', 'zh-CN'],
    ['language=en-US', 'en-US'],
    ['a=b; language=en-US; c=d', 'en-US'],
    ['language=zh-CN', 'zh-CN'],
    ['language=fr-FR', 'zh-CN'],
    ['xlanguage=en-US', 'zh-CN'],
    ['language', 'zh-CN'],
  ])('of the cookies “%s” is %s', (cookie, language) =>
    expect(languageOfCookie(cookie)).toBe(language),
  );
});

describe('the theme', () => {
  it.each([
    [null, true, 'dark'],
    [null, false, 'light'],
    ['light', true, 'light'],
    ['dark', false, 'dark'],
    ['purple', true, 'dark'],
  ] as const)('stored %s on a dark system %s shows %s', (stored, isDark, theme) =>
    expect(themeOf(choiceOf(stored), isDark)).toBe(theme),
  );
});

const session = (change: Partial<LoginSession> = {}): LoginSession => ({
  ID: 1,
  Username: 'stu2301',
  Nickname: '林',
  Roles: [{ Name: 'student' }],
  Type: 4,
  Status: 0,
  Avatar: null,
  Language: null,
  Theme: null,
  Exp: 10_000,
  ...change,
});

describe('a login session', () => {
  it('counts as ended within 300 s of its end', () => {
    expect(usableSession(session(), (10_000 - 301) * 1000)).not.toBeNull();
    expect(usableSession(session(), (10_000 - 300) * 1000)).toBeNull();
    expect(usableSession(session(), 20_000 * 1000)).toBeNull();
    expect(usableSession(null, 0)).toBeNull();
  });
  it('acts as a student on the site, whatever more it has', () => {
    expect(may(null, ['lab.list'])).toBe(true);
    expect(may(null, ['lab.detail'])).toBe(false);
    expect(may(session(), ['lab.detail', 'usage.create'])).toBe(true);
    expect(may(session({ Roles: [{ Name: 'admin' }] }), ['lab.detail'])).toBe(true);
    expect(may(session({ Roles: [{ Name: 'admin' }] }), ['lab.delete'])).toBe(false);
    expect(may(session({ Roles: [] }), ['lab.detail'])).toBe(false);
  });
});

describe('an id in an address', () => {
  it.each([
    ['1', 1],
    ['2147483647', 2_147_483_647],
    ['2147483648', null],
    ['0', null],
    ['01', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['abc', null],
    ['', null],
    [undefined, null],
  ])('%s is %s', (text, id) => expect(readID(text)).toBe(id));
});

describe('toasts', () => {
  it('are at most three, the newest last', () => {
    const list = new ToastList();
    for (const text of ['a', 'b', 'c', 'd']) list.add('info', text, 1);
    expect(list.current().map((toast) => toast.text)).toEqual(['b', 'c', 'd']);
  });
  it('do not repeat the same text', () => {
    const list = new ToastList();
    for (const text of ['a', 'b', 'a']) list.add('error', text, 1);
    expect(list.current().map((toast) => toast.text)).toEqual(['b', 'a']);
  });
  it('tell their readers of every change, and of no other', () => {
    const list = new ToastList();
    const listener = vi.fn<() => void>();
    list.subscribe(listener);
    const id = list.add('info', 'a', 1);
    list.remove(id);
    list.remove(id);
    list.clear();
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
