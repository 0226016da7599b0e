import { ERRORS } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { checkTexts, type CheckInput, type SourceFile } from './check.ts';
import { catalogue as en } from './src/en-US/index.ts';
import { errorText, loadCatalogue } from './src/index.ts';
import { list, number } from './src/values.ts';
import { catalogue as zh } from './src/zh-CN/index.ts';

const source = {
  lab: { title: '实验', count: (n: number) => `${n} 个`, types: { 1: '桌面', 2: '笔记本' } },
  errors: { internal: '出错' },
};
const other = {
  lab: { title: 'Labs', count: (n: number) => `${n} labs`, types: { 1: 'Desktop', 2: 'Notebook' } },
  errors: { internal: 'error' },
};
const page = (text: string, path = 'web/src/x.tsx'): SourceFile => ({ path, text });
const USES_ALL = 'const a = m.lab.title + m.lab.count(2) + m.lab.types[type];';

const check = (change: Partial<CheckInput> = {}): string[] =>
  checkTexts({
    catalogues: { 'zh-CN': source, 'en-US': other },
    sources: [page(USES_ALL)],
    ...change,
  });
const withPage = (text: string, path?: string): string[] =>
  check({ sources: [page(USES_ALL), page(text, path)] });

describe('the check of texts', () => {
  it('is content with what is in order', () => expect(check()).toEqual([]));

  it('finds a missing key, also a nested one', () => {
    const { title: _title, ...rest } = other.lab;
    expect(check({ catalogues: { 'zh-CN': source, 'en-US': { ...other, lab: rest } } })).toEqual([
      'en-US: missing key lab.title',
    ]);
    const types = { 1: 'Desktop' };
    expect(
      check({
        catalogues: { 'zh-CN': source, 'en-US': { ...other, lab: { ...other.lab, types } } },
      }),
    ).toEqual(['en-US: missing key lab.types.2']);
  });
  it('finds a key that the source does not have', () => {
    const extra = { ...other, lab: { ...other.lab, more: 'More' } };
    expect(check({ catalogues: { 'zh-CN': source, 'en-US': extra } })).toEqual([
      'en-US: key lab.more is not in zh-CN',
    ]);
  });
  it('finds a text in the place of a function, and a function of more values', () => {
    for (const count of ['labs', (a: number, b: number) => `${a}${b}`]) {
      const different = { ...other, lab: { ...other.lab, count } };
      expect(check({ catalogues: { 'zh-CN': source, 'en-US': different } })).toEqual([
        'en-US: key lab.count takes other values than in zh-CN',
      ]);
    }
  });

  it('finds an unused key', () => {
    expect(check({ sources: [page('m.lab.count(1); m.lab.types[x];')] })).toEqual([
      'unused key lab.title',
    ]);
  });
  it('does not take a longer or a shorter name for the key', () => {
    const problems = check({
      sources: [page('m.lab.titles; m.label.title; lab; m.lab; m.lab.count(1); m.lab.types[x];')],
    });
    expect(problems).toEqual(['unused key lab.title']);
  });
  it('does not take the whole domain handed on for the use of its keys', () => {
    expect(check({ sources: [page('f(m.lab);')] })).toHaveLength(4);
  });
  it('does not take a mention in a comment or a text for a use', () => {
    const problems = check({
      sources: [page("// m.lab.title\nconst s = 'm.lab.title'; m.lab.count(1); m.lab.types[x];")],
    });
    expect(problems).toEqual(['unused key lab.title']);
  });
  it('follows a name that stands for a part of the catalogue', () => {
    expect(
      check({
        sources: [page('const words = m.lab; words.title; words.count(1); words.types[x];')],
      }),
    ).toEqual([]);
    expect(
      check({ sources: [page('const { title } = m.lab; m.lab.count(1); m.lab.types[x];')] }),
    ).toEqual([]);
  });

  it.each([
    ['JSX text', 'const a = <p>实验</p>;'],
    ['a string', "const a = '实验';"],
    ['a template', 'const a = `共 ${n} 个`;'],
    ['a regular expression', 'const a = /想一想/;'],
    ['punctuation', "const a = '，';"],
    ['an attribute', 'const a = <p title="实验" />;'],
  ])('finds Chinese in %s', (_name, text) => expect(withPage(text)).not.toEqual([]));
  it('finds Chinese in the server as well, but not in comments or tests’ data', () => {
    expect(withPage("throw new Error('没有');", 'server/src/a.ts')).toHaveLength(1);
    expect(withPage('// 注释\n/* 注释 */ const a = 1;', 'server/src/a.ts')).toEqual([]);
    expect(withPage("log('Listening');", 'server/src/a.ts')).toEqual([]);
  });

  it.each([
    ['text', 'const a = <p>Hello there</p>;'],
    ['a literal in braces', "const a = <p>{'Hello'}</p>;"],
    ['one of two literals', "const a = <p>{x ? m.lab.title : 'None'}</p>;"],
    ['a literal after a condition', "const a = <p>{x && 'Some'}</p>;"],
    ['a glued template', 'const a = <p>{`${n} items`}</p>;'],
    ['an aria-label', 'const a = <button aria-label="Close" />;'],
    ['a title in braces', "const a = <p title={'Hello'} />;"],
    ['a placeholder', 'const a = <input placeholder="Search labs" />;'],
    ['an alt', 'const a = <img alt="Ring" />;'],
    ['a label of ours', 'const a = <TextField label="Name" />;'],
  ])('finds English in a page: %s', (_name, text) => {
    expect(withPage(text)).toHaveLength(1);
    expect(withPage(text)[0]).toMatch(/^web\/src\/x\.tsx:1: /);
  });
  it.each([
    ['keys and code', 'const a = <p><kbd>Ctrl</kbd> <code>mpirun</code></p>;'],
    [
      'class names and other attributes',
      'const a = <p className="wide card" id="content" role="status" />;',
    ],
    ['texts of the catalogue', 'const a = <p title={m.lab.title}>{m.lab.title}</p>;'],
    ['signs', "const a = <p>{x ? '—' : '/'} · 1 / 2</p>;"],
    ['empty attributes', 'const a = <img alt="" />;'],
  ])('lets pass: %s', (_name, text) => expect(withPage(text)).toEqual([]));
});

describe('error texts', () => {
  it('exist for every code in both languages', async () => {
    for (const language of ['zh-CN', 'en-US'] as const) {
      const catalogue = await loadCatalogue(language);
      expect(Object.keys(catalogue.errors).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
    }
  });
  it.each([
    ['without any values', {}],
    [
      'with values of other types',
      Object.fromEntries(
        Object.values(ERRORS).flatMap((error) => error.params.map((name) => [name, { a: [null] }])),
      ),
    ],
    [
      'with nulls',
      Object.fromEntries(
        Object.values(ERRORS).flatMap((error) => error.params.map((name) => [name, null])),
      ),
    ],
  ])('never show a broken value: %s', (_name, params) => {
    for (const catalogue of [zh, en]) {
      for (const code of Object.keys(ERRORS)) {
        const text = errorText(catalogue, code, params);
        expect(text.length).toBeGreaterThan(3);
        expect(`${code}: ${text}`).not.toMatch(/undefined|null|NaN|\[object|Infinity/);
      }
    }
  });
  it('tell their values', () => {
    expect(errorText(zh, 'too_many_guesses', { RetryAfterSeconds: 46.2 })).toContain('47 秒');
    expect(errorText(en, 'copy_conflict', { Names: ['a.c', 'b.c'] })).toContain('a.c, b.c');
    expect(errorText(en, 'usage_too_large', { Cpus: 8, MemoryBytes: 17_179_869_184 })).toContain(
      '8 cores and 16.0 GiB',
    );
  });
  it('of an unknown code say that the server has a problem', () => {
    for (const code of ['made_up', 'toString', '__proto__', '']) {
      expect(errorText(zh, code)).toBe(zh.errors.internal);
    }
  });
});

describe('values from the wire', () => {
  it.each([
    [5, 5],
    ['5', 5],
    ['', null],
    ['x', null],
    [NaN, null],
    [Infinity, null],
    [null, null],
    [undefined, null],
    [[5], null],
    [{}, null],
    [true, null],
  ])('%j as a number is %s', (value, expected) => expect(number(value)).toBe(expected));
  it.each([
    [['a', 'b'], 'a+b'],
    ['a', 'a'],
    [[1, {}, null, 'b'], '1+b'],
    [undefined, ''],
    [{}, ''],
  ])('%j as names is “%s”', (value, expected) => expect(list(value, '+')).toBe(expected));
});

it.each([
  [60, '请在 60 秒后再试', 'try again in 60 seconds'],
  [897, '请在 15 分钟后再试', 'try again in 15 minutes'],
])('a wait of %d seconds is told as people say it', (RetryAfterSeconds, zhText, enText) => {
  expect(errorText(zh, 'too_many_guesses', { RetryAfterSeconds })).toContain(zhText);
  expect(errorText(en, 'too_many_guesses', { RetryAfterSeconds })).toContain(enText);
});
