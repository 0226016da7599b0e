/**
 * Checks the format of the content that a new installation opens with.
 *
 * `node content/validate.ts [folder]` prints what is wrong, one finding a line, and ends with 1 if there
 * is any. The limits are the product's own: what passes here can be stored without being cut.
 */
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** One thing that is wrong, and the file (relative to the content folder) that it is wrong in. */
export interface Finding {
  file: string;
  message: string;
}

const LANGUAGES = ['zh-CN', 'en-US'] as const;
type Language = (typeof LANGUAGES)[number];

const CALLOUT: Record<Language, string> = { 'zh-CN': '想一想', 'en-US': 'Think' };
const TOP_LEVEL = new Set([
  'README.md',
  'courses',
  'labs',
  'problems',
  'software',
  'specifications.json',
  'tags.json',
  'tools',
  'university',
  'map',
  'validate.ts',
]);
const TOOLS = new Set(['.py', '.sh']);
const SOURCES = new Set([
  '.c',
  '.cpp',
  '.csv',
  '.f90',
  '.h',
  '.ipynb',
  '.md',
  '.py',
  '.sh',
  '.txt',
]);
const PICTURES = new Map([
  ['.svg', 100_000],
  ['.png', 400_000],
  ['.jpg', 400_000],
  ['.webm', 400_000],
  ['.mp4', 400_000],
]);

const slug = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'is not a slug');
const count = z.int().positive();

/** A text in both languages. Length is counted in code points, as the database counts characters. */
function texts(limit: number) {
  const text = z
    .string()
    .refine((value) => value.trim() !== '', 'is empty')
    .refine((value) => value === value.trim(), 'has white space around it')
    .refine((value) => Array.from(value).length <= limit, `is longer than ${limit} characters`);
  return z.strictObject({ 'zh-CN': text, 'en-US': text });
}

const color = z.int().min(1).max(11);
/** `[Chinese name, English name, region]`; one of the names may be empty, not both. */
const universitiesSchema = z.array(
  z
    .tuple([z.string(), z.string(), z.string().regex(/^[A-Z]{2}(-[A-Z]{2})?$/)])
    .refine(([zh, en]) => zh !== '' || en !== '', 'has no name'),
);
const tagsSchema = z.array(
  z.strictObject({
    slug,
    title: texts(20),
    color,
    tags: z.array(z.strictObject({ slug, title: texts(20), color })).min(1),
  }),
);

const specificationsSchema = z.array(
  z.strictObject({
    slug,
    name: texts(30),
    imageType: z.enum(['desktop', 'notebook', 'ide']),
    nodes: z
      .array(
        z.strictObject({
          name: slug.max(30),
          cpus: count,
          memoryMiB: count,
          diskMiB: count,
          pids: count,
          shmMiB: count,
          image: slug,
        }),
      )
      .min(1)
      .max(3),
    lifetimeSeconds: z.int().min(60),
  }),
);

const labSchema = z.strictObject({
  slug,
  type: z.enum(['desktop', 'notebook']),
  title: texts(30),
  description: texts(250),
  specification: slug,
  domain: slug,
  tags: z.array(slug).min(1),
  sequence: count,
  tasks: z
    .array(z.strictObject({ slug, title: texts(30), minutes: z.int().min(1).max(600) }))
    .min(1),
  resources: z.array(
    z.strictObject({
      type: z.enum(['code', 'dataset']),
      path: z.string().regex(/^bundle\/[\w./-]+$/, 'does not lie in bundle/'),
      title: texts(50),
    }),
  ),
  cover: z.strictObject({
    kind: z.enum(['torus', 'tree', 'butterfly', 'ring', 'cube']),
    seed: z.int().nonnegative(),
  }),
});

const courseSchema = z.strictObject({
  slug,
  title: texts(30),
  description: texts(250),
  domain: slug,
  tags: z.array(slug).min(1),
  sequence: count,
  cover: z.strictObject({
    kind: z.enum(['torus', 'tree', 'butterfly', 'ring', 'cube']),
    seed: z.int().nonnegative(),
  }),
});

const softwareSchema = z.strictObject({
  slug,
  type: z.enum(['desktop', 'notebook', 'ide']),
  title: texts(30),
  description: texts(250),
  specification: slug,
  domain: slug,
  tags: z.array(slug).min(1),
  sequence: count,
  cover: labSchema.shape.cover,
});

const sourceEndings = {
  c: 'c',
  cpp: 'cpp',
  python: 'py',
  java: 'java',
  openmp: 'openmp.c',
  mpi: 'mpi.c',
  cuda: 'cu',
  pthread: 'pthread.c',
} as const;
const TESTS_MAX = 100;
const problemSchema = z.strictObject({
  slug,
  title: texts(30),
  difficulty: z.enum(['easy', 'middle', 'hard']),
  languages: z
    .array(
      z.enum(
        Object.keys(sourceEndings) as [keyof typeof sourceEndings, keyof typeof sourceEndings],
      ),
    )
    .min(1),
  domain: slug,
  tags: z.array(slug).min(1),
  sequence: count,
  limits: z.strictObject({
    cpuMs: z.int().min(100).max(60_000),
    memoryMiB: z.int().min(16).max(4096),
    parallelism: z.int().min(1).max(16),
  }),
  samples: z.int().min(0).max(5),
});

const cellSchema = z.looseObject({
  id: z.string().regex(/^[\w-]{1,64}$/, 'is not a cell id'),
  cell_type: z.enum(['code', 'markdown']),
  source: z.union([z.string(), z.array(z.string())]),
  outputs: z.array(z.unknown()).max(0, 'holds outputs: clear them').optional(),
  execution_count: z.null('is set: clear the outputs').optional(),
});
const notebookSchema = z.looseObject({
  nbformat: z.literal(4),
  nbformat_minor: z.int().min(5),
  metadata: z.looseObject({ kernelspec: z.looseObject({ name: z.literal('python3') }) }),
  cells: z.array(cellSchema).min(1),
});

/** Finds everything that is wrong with the content in `root`; an empty list means that it is fit to load. */
export function validateContent(root: string): Finding[] {
  return new Validation(root).run();
}

class Validation {
  private readonly findings: Finding[] = [];
  private readonly files: string[];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
    this.files = this.listFiles(root);
  }

  run(): Finding[] {
    for (const name of readdirSync(this.root)) {
      if (!TOP_LEVEL.has(name) && !name.endsWith('.test.ts')) this.report(name, 'is a stray file');
    }
    const tags = this.readJson('tags.json', tagsSchema) ?? [];
    // A deployment may bring its own list; a selection of the content has none.
    if (existsSync(join(this.root, 'university')))
      this.readJson('university/universities.json', universitiesSchema);
    const specifications = this.readJson('specifications.json', specificationsSchema) ?? [];
    const domains = tags.map((domain) => domain.slug);
    const tagSlugs = tags.flatMap((domain) => domain.tags.map((tag) => tag.slug));
    this.reportRepeated('tags.json', 'domain', domains);
    this.reportRepeated('tags.json', 'tag', tagSlugs);
    this.reportRepeated(
      'specifications.json',
      'specification',
      specifications.map((specification) => specification.slug),
    );
    for (const { slug: name, nodes } of specifications) {
      this.reportRepeated(
        'specifications.json',
        `node of ${name}`,
        nodes.map((node) => node.name),
      );
    }
    for (const file of this.files) {
      if (file.startsWith('tools/') && !TOOLS.has(extname(file)))
        this.report(file, 'is a stray file');
    }

    const known: Known = {
      domains: new Set(domains),
      tags: new Set(tagSlugs),
      imageTypes: new Map(specifications.map((one) => [one.slug, one.imageType])),
    };
    const folders = new Set(
      this.files.filter((file) => file.startsWith('labs/')).map((file) => file.split('/')[1] ?? ''),
    );
    this.checkSoftware(known);
    this.checkCourses(known);
    this.checkProblems(known);
    const sequences: string[] = [];
    for (const folder of folders) {
      const lab = this.checkLab(folder, known);
      if (lab) sequences.push(String(lab.sequence));
    }
    this.reportRepeated('labs', 'sequence', sequences);
    return this.findings;
  }

  private checkSoftware(known: Known): void {
    const files = this.files.filter((file) => file.startsWith('software/'));
    const sequences: string[] = [];
    for (const folder of new Set(files.map((file) => file.split('/')[1] ?? ''))) {
      const base = `software/${folder}`;
      const file = `${base}/software.json`;
      const software = this.readJson(file, softwareSchema);
      if (!software) continue;
      sequences.push(String(software.sequence));
      if (software.slug !== folder)
        this.report(file, `slug is ${software.slug}, but the folder is ${folder}`);
      this.checkPlace(file, software, known);
      this.checkDocuments(base, ['intro']);
      const expected = [file, ...LANGUAGES.map((language) => `${base}/intro.${language}.md`)];
      for (const other of files.filter((one) => one.startsWith(`${base}/`)))
        if (!expected.includes(other)) this.report(other, 'is a stray file');
    }
    this.reportRepeated('software', 'sequence', sequences);
  }

  private checkCourses(known: Known): void {
    const files = this.files.filter((file) => file.startsWith('courses/'));
    const sequences: string[] = [];
    for (const folder of new Set(files.map((file) => file.split('/')[1] ?? ''))) {
      const base = `courses/${folder}`;
      const file = `${base}/course.json`;
      const course = this.readJson(file, courseSchema);
      if (!course) continue;
      sequences.push(String(course.sequence));
      if (course.slug !== folder)
        this.report(file, `slug is ${course.slug}, but the folder is ${folder}`);
      this.checkMarks(file, course, known);
      this.checkDocuments(base, ['intro']);
      const expected = [file, ...LANGUAGES.map((language) => `${base}/intro.${language}.md`)];
      for (const other of files.filter((one) => one.startsWith(`${base}/`)))
        if (!expected.includes(other)) this.report(other, 'is a stray file');
    }
    this.reportRepeated('courses', 'sequence', sequences);
  }

  private checkProblems(known: Known): void {
    const files = this.files.filter((file) => file.startsWith('problems/'));
    const sequences: string[] = [];
    for (const folder of new Set(files.map((file) => file.split('/')[1] ?? ''))) {
      const base = `problems/${folder}`;
      const file = `${base}/problem.json`;
      const problem = this.readJson(file, problemSchema);
      if (!problem) continue;
      sequences.push(String(problem.sequence));
      if (problem.slug !== folder)
        this.report(file, `slug is ${problem.slug}, but the folder is ${folder}`);
      this.checkMarks(file, problem, known);
      this.reportRepeated(file, 'language', problem.languages);
      this.checkDocuments(base, ['statement']);
      const tests = files.filter((one) => /\/tests\/input\d+\.txt$/.test(one) && one.startsWith(base));
      if (tests.length === 0 || tests.length > TESTS_MAX)
        this.report(`${base}/tests`, `has ${tests.length} tests`);
      if (problem.samples > tests.length)
        this.report(file, `shows ${problem.samples} examples out of ${tests.length} tests`);
      const expected = [
        file,
        ...LANGUAGES.map((language) => `${base}/statement.${language}.md`),
        ...problem.languages.flatMap((language) =>
          ['default', 'reference'].map((name) => `${base}/${name}.${sourceEndings[language]}`),
        ),
        ...tests.flatMap((_unused, index) =>
          ['input', 'output'].map((name) => `${base}/tests/${name}${index + 1}.txt`),
        ),
      ];
      for (const one of expected) if (!files.includes(one)) this.report(one, 'does not exist');
      for (const other of files.filter((one) => one.startsWith(`${base}/`)))
        if (!expected.includes(other)) this.report(other, 'is a stray file');
    }
    this.reportRepeated('problems', 'sequence', sequences);
  }

  /** Checks where something stands in the catalogue. */
  private checkMarks(
    file: string,
    item: Pick<z.infer<typeof labSchema>, 'domain' | 'tags'>,
    known: Known,
  ): void {
    if (!known.domains.has(item.domain))
      this.report(file, `domain ${item.domain} is not in tags.json`);
    for (const tag of item.tags) {
      if (!known.tags.has(tag)) this.report(file, `tag ${tag} is not in tags.json`);
    }
    this.reportRepeated(file, 'tag', item.tags);
  }

  /** Checks where something stands in the catalogue, and what it runs on. */
  private checkPlace(
    file: string,
    item: Pick<z.infer<typeof labSchema>, 'domain' | 'tags' | 'specification'> & { type: string },
    known: Known,
  ): void {
    this.checkMarks(file, item, known);
    const imageType = known.imageTypes.get(item.specification);
    if (imageType === undefined) {
      this.report(file, `specification ${item.specification} is not in specifications.json`);
    } else if (imageType !== item.type) {
      this.report(file, `is a ${item.type} on a ${imageType} specification`);
    }
  }

  private checkLab(folder: string, known: Known): z.infer<typeof labSchema> | undefined {
    const base = `labs/${folder}`;
    const file = `${base}/lab.json`;
    const lab = this.readJson(file, labSchema);
    if (!lab) return undefined;

    if (lab.slug !== folder) this.report(file, `slug is ${lab.slug}, but the folder is ${folder}`);
    this.checkPlace(file, lab, known);
    this.reportRepeated(
      file,
      'task',
      lab.tasks.map((task) => task.slug),
    );
    for (const { path } of lab.resources) {
      if (!this.files.includes(`${base}/${path}`))
        this.report(file, `resource ${path} does not exist`);
    }

    const documents = ['intro', ...lab.tasks.map((task) => `tasks/${task.slug}`)];
    const media = this.checkDocuments(base, documents);
    this.checkFiles(base, documents, media);
    if (lab.type === 'notebook' && !this.files.some((one) => isNotebookOf(base, one))) {
      this.report(base, 'has no notebook in bundle/');
    }
    if (!this.files.includes(`${base}/solution/check.sh`))
      this.report(base, 'has no solution/check.sh');
    return lab;
  }

  /** Checks the texts in both languages; returns the media files that they show. */
  private checkDocuments(base: string, documents: readonly string[]): Set<string> {
    const media = new Set<string>();
    for (const document of documents) {
      const shapes = LANGUAGES.map((language) => {
        const file = `${base}/${document}.${language}.md`;
        if (!this.files.includes(file)) {
          this.report(file, 'does not exist');
          return undefined;
        }
        return this.checkMarkdown(base, file, language, media);
      });
      const [chinese, english] = shapes;
      if (chinese && english && chinese !== english) {
        this.report(
          `${base}/${document}.en-US.md`,
          `has ${english}, while the Chinese text has ${chinese}`,
        );
      }
    }
    return media;
  }

  /** Checks one text; returns a description of its shape, which must be the same in both languages. */
  private checkMarkdown(
    base: string,
    file: string,
    language: Language,
    media: Set<string>,
  ): string {
    const text = this.readText(file);
    if (text.trim() === '') this.report(file, 'is empty');
    const fences = [...text.matchAll(/^```/gm)].length;
    if (fences % 2 !== 0) this.report(file, 'has a code fence that is not closed');
    // What a program or a formula looks like is not a matter of typography.
    const prose = text
      .replace(/^```[^]*?^```/gm, '')
      .replace(/\$\$[^]*?\$\$/g, '⨍⨍')
      .replace(/`[^`\n]*`|\$[^$\n]*\$/g, '⨍');

    // Squeezed into one line, the renderer would take it for a formula within the text.
    if (/^\$\$.|[^$\n]\$\$$/m.test(text)) this.report(file, 'has $$ that shares its line');
    if (/^# /m.test(prose))
      this.report(file, 'has a first-level heading: the page shows the title');
    if (/<\/?[a-z]/i.test(prose)) this.report(file, 'holds HTML');
    if (language === 'zh-CN') {
      if (!/\p{Script=Han}/u.test(prose)) this.report(file, 'is not written in Chinese');
      const half = /\p{Script=Han}[,:;?!]/u.exec(prose);
      if (half) this.report(file, `has half-width punctuation: ${half[0]}`);
    } else if (/\p{Script=Han}/u.test(prose)) {
      this.report(file, 'holds Chinese');
    }

    let callouts = 0;
    for (const [, title] of prose.matchAll(/^(?<!^>.*\n)> \*\*([^*]+)\*\*[ \t]*$/gm)) {
      callouts++;
      if (title !== CALLOUT[language]) this.report(file, `has a callout called ${title}`);
    }
    let pictures = 0;
    for (const [, mark, label, target] of prose.matchAll(/(!?)\[([^\]]*)\]\(([^)\s]*)\)/g)) {
      const address = target ?? '';
      if (mark === '!') {
        pictures++;
        media.add(`${base}/${address}`);
        if (!label?.trim()) this.report(file, `shows ${address} without a description`);
        if (!address.startsWith('media/') || !this.files.includes(`${base}/${address}`)) {
          this.report(file, `shows ${address}, which is not in media/`);
        }
      } else if (base.startsWith('courses/') && address.startsWith('lab:')) {
        if (!this.files.includes(`labs/${address.slice(4)}/lab.json`))
          this.report(file, `links to ${address}, which is not in labs/`);
      } else if (!address.startsWith('https://')) {
        this.report(file, `links to ${address}, which is not an https address`);
      }
    }
    const headings = [...prose.matchAll(/^(#+) /gm)].map(([, marks]) => marks?.length).join('');
    const formulas = prose.split('⨍⨍').length - 1;
    return (
      `headings ${headings || 'none'}, ${fences / 2} code blocks, ${formulas} formulas, ` +
      `${pictures} pictures, ${callouts} callouts`
    );
  }

  /** Checks that every file of a lab is one that the format knows, and looks into those it can read. */
  private checkFiles(base: string, documents: readonly string[], media: ReadonlySet<string>): void {
    const expected = new Set([
      `${base}/lab.json`,
      ...documents.flatMap((one) => LANGUAGES.map((language) => `${base}/${one}.${language}.md`)),
    ]);
    for (const file of this.files) {
      if (!file.startsWith(`${base}/`) || expected.has(file)) continue;
      const kind = file.slice(base.length + 1).split('/')[0];
      if (kind === 'media') {
        this.checkPicture(file);
        if (!media.has(file)) this.report(file, 'is shown nowhere');
      } else if ((kind === 'bundle' || kind === 'solution') && SOURCES.has(extname(file))) {
        if (extname(file) === '.ipynb') this.checkNotebook(file);
        if (extname(file) === '.sh' && !this.readText(file).startsWith('#!/bin/')) {
          this.report(file, 'does not begin with #!/bin/…');
        }
      } else {
        this.report(file, 'is a stray file');
      }
    }
  }

  private checkPicture(file: string): void {
    const limit = PICTURES.get(extname(file));
    if (limit === undefined)
      return this.report(file, 'is not a picture or video that pages can show');
    const { size } = lstatSync(join(this.root, file));
    if (size > limit) this.report(file, `has ${size} bytes, more than ${limit}`);
    if (extname(file) !== '.svg') return undefined;
    const svg = this.readText(file);
    if (!/<svg[^>]* viewBox="/.test(svg)) this.report(file, 'has no viewBox');
    if (!/<title>[^<]+<\/title>/.test(svg)) this.report(file, 'has no title');
    if (/<script|<foreignObject|\son\w+\s*=|javascript:|href\s*=\s*["'](?!#)/i.test(svg)) {
      this.report(file, 'holds a script or refers to something outside');
    }
    return undefined;
  }

  private checkNotebook(file: string): void {
    const notebook = this.readJson(file, notebookSchema);
    if (!notebook) return;
    this.reportRepeated(
      file,
      'cell id',
      notebook.cells.map((cell) => cell.id),
    );
    for (const cell of notebook.cells) {
      const text = [cell.source].flat().join('');
      if (text.trim() === '') this.report(file, `cell ${cell.id} is empty`);
      if (
        cell.cell_type === 'code' &&
        (cell.outputs === undefined || cell.execution_count === undefined)
      ) {
        this.report(file, `cell ${cell.id} lacks outputs or execution_count`);
      }
      if (
        cell.cell_type === 'markdown' &&
        !(/\p{Script=Han}/u.test(text) && /[a-z]{3}/i.test(text))
      ) {
        this.report(file, `cell ${cell.id} is not in both languages`);
      }
    }
  }

  private readText(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  private readJson<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
  ): z.infer<Schema> | undefined {
    let value: unknown;
    try {
      value = JSON.parse(this.readText(file));
    } catch (error) {
      this.report(file, error instanceof SyntaxError ? 'is not valid JSON' : 'does not exist');
      return undefined;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      this.report(file, `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    }
    return undefined;
  }

  /** All files below a folder. Whatever is neither file nor folder, or is hidden, is reported. */
  private listFiles(folder: string): string[] {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const file = relative(this.root, path).replaceAll('\\', '/');
      const status = lstatSync(path);
      if (status.isSymbolicLink() || name.startsWith('.') || name === '__pycache__') {
        this.report(file, 'is a stray file');
        return [];
      }
      return status.isDirectory() ? this.listFiles(path) : [file];
    });
  }

  private reportRepeated(file: string, what: string, values: readonly string[]): void {
    const repeated = values.filter((value, index) => values.indexOf(value) !== index);
    for (const value of new Set(repeated)) this.report(file, `${what} ${value} is there twice`);
  }

  private report(file: string, message: string): void {
    this.findings.push({ file, message });
  }
}

interface Known {
  domains: ReadonlySet<string>;
  tags: ReadonlySet<string>;
  imageTypes: ReadonlyMap<string, string>;
}

function isNotebookOf(base: string, file: string): boolean {
  return file.startsWith(`${base}/bundle/`) && basename(file).endsWith('.ipynb');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const findings = validateContent(process.argv[2] ?? import.meta.dirname);
  for (const { file, message } of findings) console.log(`${file}: ${message}`);
  console.log(
    findings.length === 0 ? 'content: nothing to complain about' : `${findings.length} findings`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
}
