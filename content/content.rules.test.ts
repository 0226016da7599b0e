import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateContent } from './validate.ts';

const lab = {
  slug: 'small-lab',
  type: 'notebook',
  title: { 'zh-CN': '小实验', 'en-US': 'Small lab' },
  description: { 'zh-CN': '一个例子。', 'en-US': 'An example.' },
  specification: 'small',
  domain: 'parallel',
  tags: ['mpi'],
  sequence: 1,
  tasks: [{ slug: 'first', title: { 'zh-CN': '第一步', 'en-US': 'First' }, minutes: 10 }],
  resources: [
    { type: 'code', path: 'bundle/lab.ipynb', title: { 'zh-CN': '笔记本', 'en-US': 'Notebook' } },
  ],
  cover: { kind: 'ring', seed: 1 },
};

const notebook = {
  cells: [
    { cell_type: 'markdown', id: 'a', metadata: {}, source: ['你好。\n', '\n', '*Hello.*'] },
    { cell_type: 'code', id: 'b', metadata: {}, outputs: [], execution_count: null, source: ['1'] },
  ],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** The smallest content that is right in every respect; each mistake below is made in a copy of it. */
const sound: Record<string, string> = {
  'tags.json': JSON.stringify([
    {
      slug: 'parallel',
      title: { 'zh-CN': '并行', 'en-US': 'Parallel' },
      color: 1,
      tags: [{ slug: 'mpi', title: { 'zh-CN': 'MPI', 'en-US': 'MPI' }, color: 11 }],
    },
  ]),
  'specifications.json': JSON.stringify(
    ['notebook', 'desktop'].map((imageType) => ({
      slug: imageType === 'notebook' ? 'small' : 'small-desktop',
      name: { 'zh-CN': '小', 'en-US': 'Small' },
      imageType,
      nodes: [
        {
          name: 'node1',
          cpus: 2,
          memoryMiB: 1536,
          diskMiB: 2048,
          pids: 512,
          shmMiB: 256,
          image: imageType,
        },
      ],
      lifetimeSeconds: 3600,
    })),
  ),
  'labs/small-lab/lab.json': JSON.stringify(lab),
  'labs/small-lab/intro.zh-CN.md': '开头。\n\n## 目标\n\n![环](media/ring.svg)\n\n$$\na^2\n$$\n',
  'labs/small-lab/intro.en-US.md': 'Start.\n\n## Aim\n\n![Ring](media/ring.svg)\n\n$$\na^2\n$$\n',
  'labs/small-lab/tasks/first.zh-CN.md': '做完 `a,b` 就好。\n\n> **想一想**\n>\n> 为什么？\n',
  'labs/small-lab/tasks/first.en-US.md': 'Do `a,b`.\n\n> **Think**\n>\n> Why?\n',
  'labs/small-lab/media/ring.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>Ring</title></svg>',
  'labs/small-lab/bundle/lab.ipynb': JSON.stringify(notebook),
  'labs/small-lab/solution/check.sh': '#!/bin/bash\nexit 0\n',
};

let workshop: string;
let made = 0;
beforeAll(() => {
  workshop = mkdtempSync(join(tmpdir(), 'content-rules-'));
});
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

/** Writes content to a folder of its own: the sound one, with some files changed, added or (null) left out. */
function content(changes: Record<string, string | null> = {}): string {
  const root = join(workshop, String(made++));
  for (const [file, text] of Object.entries({ ...sound, ...changes })) {
    if (text === null) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

function findingsOf(root: string): string[] {
  return validateContent(root).map(({ file, message }) => `${file}: ${message}`);
}

/** The sound file with one piece of its text replaced; a piece that is not there is a mistake of the test. */
function edited(file: string, from: string, to: string): Record<string, string> {
  const text = sound[file] ?? '';
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  // A function, since a replacement text gives $ a meaning of its own.
  return { [file]: text.replace(from, () => to) };
}

const SOFTWARE = 'software/small-desk';
/** A sound software; the mistakes are made in it. */
const softwareFiles = (changes: Record<string, unknown> = {}): Record<string, string> => ({
  [`${SOFTWARE}/software.json`]: JSON.stringify({
    slug: 'small-desk',
    type: 'desktop',
    title: { 'zh-CN': '桌面', 'en-US': 'Desk' },
    description: { 'zh-CN': '一个桌面。', 'en-US': 'A desk.' },
    specification: 'small-desktop',
    domain: 'parallel',
    tags: ['mpi'],
    sequence: 1,
    cover: { kind: 'cube', seed: 1 },
    ...changes,
  }),
  [`${SOFTWARE}/intro.zh-CN.md`]: '## 桌面\n',
  [`${SOFTWARE}/intro.en-US.md`]: '## Desk\n',
});

const PROBLEM = 'problems/small-sum';
/** A sound problem; the mistakes are made in it. */
const problemFiles = (changes: Record<string, unknown> = {}): Record<string, string> => ({
  [`${PROBLEM}/problem.json`]: JSON.stringify({
    slug: 'small-sum',
    title: { 'zh-CN': '求和', 'en-US': 'Sum' },
    difficulty: 'easy',
    languages: ['c', 'openmp'],
    domain: 'parallel',
    tags: ['mpi'],
    sequence: 1,
    limits: { cpuMs: 1000, memoryMiB: 64, parallelism: 2 },
    samples: 1,
    ...changes,
  }),
  [`${PROBLEM}/statement.zh-CN.md`]: '求 $a+b$。\n',
  [`${PROBLEM}/statement.en-US.md`]: 'Compute $a+b$.\n',
  ...Object.fromEntries(
    ['default.c', 'reference.c', 'default.openmp.c', 'reference.openmp.c'].map((name) => [
      `${PROBLEM}/${name}`,
      'int main(void) { return 0; }\n',
    ]),
  ),
  [`${PROBLEM}/tests/input1.txt`]: '1 2\n',
  [`${PROBLEM}/tests/output1.txt`]: '3\n',
});

const LAB = 'labs/small-lab';
const JSON_FILE = `${LAB}/lab.json`;
const NOTEBOOK = `${LAB}/bundle/lab.ipynb`;

const mistakes: [string, Record<string, string | null>, RegExp][] = [
  [
    'a problem of an unknown tag',
    problemFiles({ tags: ['nothing'] }),
    /problem\.json: tag nothing is not in tags\.json/,
  ],
  [
    'a problem without a solution in one of its languages',
    { ...problemFiles(), [`${PROBLEM}/reference.openmp.c`]: null },
    /reference\.openmp\.c: does not exist/,
  ],
  [
    'a problem with code in a language that it does not take',
    { ...problemFiles(), [`${PROBLEM}/default.py`]: 'pass\n' },
    /default\.py: is a stray file/,
  ],
  [
    'a test without its output',
    { ...problemFiles(), [`${PROBLEM}/tests/output1.txt`]: null },
    /tests\/output1\.txt: does not exist/,
  ],
  [
    'a gap in the tests',
    {
      ...problemFiles(),
      [`${PROBLEM}/tests/input3.txt`]: '1\n',
      [`${PROBLEM}/tests/output3.txt`]: '1\n',
    },
    /tests\/input2\.txt: does not exist/,
  ],
  ['more examples than tests', problemFiles({ samples: 2 }), /shows 2 examples out of 1 tests/],
  [
    'software on a specification of another type',
    softwareFiles({ type: 'notebook' }),
    /software\.json: is a notebook on a desktop specification/,
  ],
  [
    'software of an unknown domain',
    softwareFiles({ domain: 'nowhere' }),
    /software\.json: domain nowhere is not in tags\.json/,
  ],
  [
    'software without its English text',
    { ...softwareFiles(), [`${SOFTWARE}/intro.en-US.md`]: null },
    /intro\.en-US\.md: does not exist/,
  ],
  [
    'a stray file beside software',
    { ...softwareFiles(), [`${SOFTWARE}/notes.txt`]: 'x' },
    /notes\.txt: is a stray file/,
  ],
  ['tags are missing', { 'tags.json': null }, /^tags\.json: does not exist$/],
  ['tags are not JSON', { 'tags.json': '[' }, /^tags\.json: is not valid JSON$/],
  [
    'a colour outside the palette',
    edited('tags.json', '"color":11', '"color":12'),
    /tags\.0\.color/,
  ],
  [
    'a tag name of 21 characters',
    edited('tags.json', '"并行"', `"${'并'.repeat(21)}"`),
    /title\.zh-CN: is longer than 20/,
  ],
  ['a domain without English', edited('tags.json', ',"en-US":"Parallel"', ''), /title\.en-US/],
  [
    'a tag twice',
    edited(
      'tags.json',
      '"tags":[',
      '"tags":[{"slug":"mpi","title":{"zh-CN":"乙","en-US":"B"},"color":1},',
    ),
    /tag mpi is there twice/,
  ],
  ['a node without memory', edited('specifications.json', '"memoryMiB":1536,', ''), /memoryMiB/],
  [
    'an unknown kind of image',
    edited('specifications.json', '"imageType":"notebook"', '"imageType":"laptop"'),
    /imageType/,
  ],
  ['a lab without lab.json', { [JSON_FILE]: null }, /lab\.json: does not exist/],
  [
    'a slug unlike the folder',
    edited(JSON_FILE, '"small-lab"', '"other-lab"'),
    /the folder is small-lab/,
  ],
  ['a slug with a capital', edited(JSON_FILE, '"slug":"first"', '"slug":"First"'), /is not a slug/],
  [
    'a title of 31 characters',
    edited(JSON_FILE, '"Small lab"', `"${'x'.repeat(31)}"`),
    /title\.en-US: is longer than 30/,
  ],
  ['an empty title', edited(JSON_FILE, '"小实验"', '" "'), /title\.zh-CN: is empty/],
  [
    'a description of 251 characters',
    edited(JSON_FILE, '一个例子。', '字'.repeat(251)),
    /description\.zh-CN: is longer than 250/,
  ],
  ['a key nobody knows', edited(JSON_FILE, '"sequence":1', '"sequence":1,"author":"me"'), /author/],
  ['a tag nobody knows', edited(JSON_FILE, '["mpi"]', '["cuda"]'), /tag cuda is not in tags\.json/],
  [
    'a domain nobody knows',
    edited(JSON_FILE, '"domain":"parallel"', '"domain":"mpi"'),
    /domain mpi is not in tags\.json/,
  ],
  [
    'a specification nobody knows',
    edited(JSON_FILE, '"specification":"small"', '"specification":"large"'),
    /specification large is not/,
  ],
  [
    'a notebook lab on a desktop',
    edited(JSON_FILE, '"specification":"small"', '"specification":"small-desktop"'),
    /is a notebook on a desktop specification/,
  ],
  ['a lab without tasks', edited(JSON_FILE, JSON.stringify(lab.tasks), '[]'), /tasks/],
  ['a task of no length', edited(JSON_FILE, '"minutes":10', '"minutes":0'), /minutes/],
  [
    'a resource that does not exist',
    edited(JSON_FILE, 'bundle/lab.ipynb', 'bundle/nothing.c'),
    /resource bundle\/nothing\.c does not exist/,
  ],
  [
    'a resource outside the bundle',
    edited(JSON_FILE, 'bundle/lab.ipynb', 'solution/check.sh'),
    /does not lie in bundle/,
  ],
  ['an unknown cover', edited(JSON_FILE, '"ring"', '"star"'), /cover\.kind/],
  [
    'two labs in the same place',
    Object.fromEntries(
      Object.entries(sound)
        .filter(([file]) => file.startsWith(LAB))
        .map(([file, text]) => [
          file.replace('small-lab', 'twin-lab'),
          text.replace('small-lab', 'twin-lab'),
        ]),
    ),
    /^labs: sequence 1 is there twice$/,
  ],
  [
    'no English introduction',
    { [`${LAB}/intro.en-US.md`]: null },
    /intro\.en-US\.md: does not exist/,
  ],
  [
    'no Chinese task',
    { [`${LAB}/tasks/first.zh-CN.md`]: null },
    /first\.zh-CN\.md: does not exist/,
  ],
  ['an empty text', { [`${LAB}/tasks/first.en-US.md`]: ' \n' }, /first\.en-US\.md: is empty/],
  [
    'an English text that was never translated',
    edited(`${LAB}/intro.en-US.md`, 'Start.', '开头。'),
    /intro\.en-US\.md: holds Chinese/,
  ],
  [
    'half-width punctuation in Chinese',
    edited(`${LAB}/intro.zh-CN.md`, '开头。', '开头,'),
    /half-width punctuation: 头,/,
  ],
  [
    'a first-level heading',
    edited(`${LAB}/intro.zh-CN.md`, '## 目标', '# 目标'),
    /has a first-level heading/,
  ],
  [
    'a formula lost in translation',
    edited(`${LAB}/intro.en-US.md`, '$$\na^2\n$$', ''),
    /0 formulas.*while the Chinese text has .*1 formulas/,
  ],
  [
    'a formula squeezed into one line',
    edited(`${LAB}/intro.en-US.md`, '$$\na^2\n$$', '$$a^2$$'),
    /has \$\$ that shares its line/,
  ],
  [
    'a callout lost in translation',
    { [`${LAB}/tasks/first.en-US.md`]: 'Do it.\n' },
    /0 callouts, while the Chinese text has .*1 callouts/,
  ],
  [
    'a callout in the wrong language',
    edited(`${LAB}/tasks/first.zh-CN.md`, '想一想', 'Think'),
    /has a callout called Think/,
  ],
  [
    'a picture that does not exist',
    edited(`${LAB}/intro.zh-CN.md`, 'ring.svg', 'tree.svg'),
    /shows media\/tree\.svg, which is not in media/,
  ],
  [
    'a picture without a description',
    edited(`${LAB}/intro.en-US.md`, '![Ring]', '![]'),
    /without a description/,
  ],
  [
    'a picture from elsewhere',
    edited(`${LAB}/intro.zh-CN.md`, 'media/', 'https://x/'),
    /not in media/,
  ],
  [
    'a link that is no address',
    edited(`${LAB}/intro.zh-CN.md`, '开头。', '[开头](javascript:1)'),
    /is not an https address/,
  ],
  ['HTML in a text', edited(`${LAB}/intro.en-US.md`, 'Start.', '<b>Start.</b>'), /holds HTML/],
  [
    'a fence that stays open',
    edited(`${LAB}/intro.en-US.md`, 'Start.', '```c\nStart.'),
    /code fence that is not closed/,
  ],
  [
    'a picture that is shown nowhere',
    { [`${LAB}/media/b.svg`]: '<svg/>' },
    /b\.svg: is shown nowhere/,
  ],
  [
    'a picture with a script',
    edited(`${LAB}/media/ring.svg`, '</svg>', '<script>1</script></svg>'),
    /holds a script/,
  ],
  [
    'a picture with a handler',
    edited(`${LAB}/media/ring.svg`, '<svg', '<svg onload="x()"'),
    /holds a script/,
  ],
  [
    'a picture that loads another',
    edited(`${LAB}/media/ring.svg`, '</svg>', '<image href="https://x/y.png"/></svg>'),
    /refers to something outside/,
  ],
  [
    'a picture without a title',
    edited(`${LAB}/media/ring.svg`, '<title>Ring</title>', ''),
    /has no title/,
  ],
  [
    'a picture that is too large',
    edited(`${LAB}/media/ring.svg`, '</svg>', `${' '.repeat(100_000)}</svg>`),
    /more than 100000/,
  ],
  ['no notebook', { [NOTEBOOK]: null }, /has no notebook in bundle/],
  ['a notebook that is not JSON', { [NOTEBOOK]: '{' }, /lab\.ipynb: is not valid JSON/],
  [
    'an old notebook',
    edited(NOTEBOOK, '"nbformat_minor":5', '"nbformat_minor":4'),
    /nbformat_minor/,
  ],
  ['another kernel', edited(NOTEBOOK, '"name":"python3"', '"name":"ir"'), /kernelspec\.name/],
  ['a cell without id', edited(NOTEBOOK, '"id":"b",', ''), /cells\.1\.id/],
  ['two cells with one id', edited(NOTEBOOK, '"id":"b"', '"id":"a"'), /cell id a is there twice/],
  ['outputs', edited(NOTEBOOK, '"outputs":[]', '"outputs":[{}]'), /holds outputs: clear them/],
  [
    'an execution count',
    edited(NOTEBOOK, '"execution_count":null', '"execution_count":3'),
    /clear the outputs/,
  ],
  ['a cell in one language', edited(NOTEBOOK, '*Hello.*', ''), /cell a is not in both languages/],
  ['an empty cell', edited(NOTEBOOK, '["1"]', '[]'), /cell b is empty/],
  ['no check', { [`${LAB}/solution/check.sh`]: null }, /has no solution\/check\.sh/],
  [
    'a check that no shell is named for',
    { [`${LAB}/solution/check.sh`]: 'exit 0\n' },
    /does not begin with #!/,
  ],
  ['a stray file on top', { 'notes.txt': 'x' }, /^notes\.txt: is a stray file$/],
  ['a stray file in a lab', { [`${LAB}/notes.txt`]: 'x' }, /notes\.txt: is a stray file/],
  [
    'a text of no task',
    { [`${LAB}/tasks/second.zh-CN.md`]: '多' },
    /second\.zh-CN\.md: is a stray/,
  ],
  ['a compiled program', { [`${LAB}/bundle/hello`]: 'ELF' }, /hello: is a stray file/],
  ['a hidden file', { [`${LAB}/bundle/.DS_Store`]: 'x' }, /\.DS_Store: is a stray file/],
  ['a stray file among the tools', { 'tools/frames.png': 'x' }, /frames\.png: is a stray file/],
];

describe('the content', () => {
  test('that we ship is in order', () => {
    expect(findingsOf(import.meta.dirname)).toEqual([]);
  });

  test('that is smallest is in order, so that a finding below comes from its mistake', () => {
    expect(findingsOf(content())).toEqual([]);
  });

  test('with a problem is in order as well', () => {
    expect(findingsOf(content(problemFiles()))).toEqual([]);
  });

  test.each(mistakes)('is refused for %s', (_, changes, expected) => {
    expect(findingsOf(content(changes))).toContainEqual(expect.stringMatching(expected));
  });

  test('is refused for a link that leads out of it', () => {
    const root = content();
    symlinkSync('/etc/passwd', join(root, LAB, 'bundle', 'secrets.txt'));
    expect(findingsOf(root)).toContainEqual(`${LAB}/bundle/secrets.txt: is a stray file`);
  });

  test('that we ship is refused as soon as one of its texts goes missing', () => {
    const root = join(workshop, String(made++));
    cpSync(import.meta.dirname, root, { recursive: true });
    const text = join(root, 'labs/first-mpi/tasks/pi.en-US.md');
    const shorter = readFileSync(text, 'utf8').replaceAll('$$', '');
    writeFileSync(text, shorter);
    expect(findingsOf(root)).toHaveLength(1);
    rmSync(text);
    expect(findingsOf(root)).toEqual(['labs/first-mpi/tasks/pi.en-US.md: does not exist']);
  });
});
