/**
 * The first content: what a new installation opens with. Read from the `content` folder, put in
 * place once, and again only when the folder changed.
 */
import { createHash } from 'node:crypto';
import { cp, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { COVER_KINDS, LabType, ResourceType, SessionType, SoftwareType } from '@hypercube/contract';
import { z } from 'zod';
import type { Database, Executor } from '../../platform/database/database.ts';
import { seedCourse } from '../course/course.service.ts';
import { seedDomain, seedTag } from '../domain/domain.service.ts';
import { seedImage } from '../image/image.service.ts';
import { seedLab, setLabFolder, type SeedResource, type SeedTask } from '../lab/lab.seed.ts';
import { seedSoftware } from '../software/software.service.ts';
import { findSetting, writeSetting } from '../setting/setting.service.ts';
import { seedSpecification } from '../specification/specification.service.ts';
import { loadProblems } from './content.problems.ts';

const both = z.object({ 'zh-CN': z.string(), 'en-US': z.string() });
const MEBIBYTE = 1024 * 1024;

const imageFile = z.array(
  z.object({ slug: z.string(), type: z.enum(['desktop', 'notebook', 'ide']), title: both }),
);
const tagEntry = z.object({ slug: z.string(), title: both, color: z.int() });
const tagFile = z.array(tagEntry.extend({ tags: z.array(tagEntry) }));
const specificationFile = z.array(
  z.object({
    slug: z.string(),
    name: both,
    imageType: z.enum(['desktop', 'notebook', 'ide']),
    lifetimeSeconds: z.int(),
    nodes: z.array(
      z.object({
        name: z.string(),
        cpus: z.number(),
        memoryMiB: z.number(),
        diskMiB: z.number(),
        pids: z.int(),
        shmMiB: z.number(),
        image: z.string(),
      }),
    ),
  }),
);
const softwareFile = z.object({
  slug: z.string(),
  type: z.enum(['desktop', 'notebook', 'ide']),
  title: both,
  description: both,
  specification: z.string(),
  domain: z.string(),
  tags: z.array(z.string()),
  sequence: z.int(),
  cover: z.object({ kind: z.enum(COVER_KINDS), seed: z.int() }),
});
const courseFile = z.object({
  slug: z.string(),
  title: both,
  description: both,
  domain: z.string(),
  tags: z.array(z.string()),
  sequence: z.int(),
  cover: z.object({ kind: z.enum(COVER_KINDS), seed: z.int() }),
});
const labFile = z.object({
  slug: z.string(),
  type: z.enum(['desktop', 'notebook']),
  title: both,
  description: both,
  specification: z.string(),
  domain: z.string(),
  tags: z.array(z.string()),
  sequence: z.int(),
  tasks: z.array(z.object({ slug: z.string(), title: both, minutes: z.int() })),
  resources: z.array(
    z.object({ type: z.enum(['code', 'dataset']), path: z.string(), title: both }),
  ),
  cover: z.object({ kind: z.string(), seed: z.int() }),
});

async function readJson<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
  const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** One number for everything that the folders hold, so that nothing is done twice. */
async function hashOf(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of names.toSorted())
      hash
        .update(path.slice(folder.length))
        .update('\0')
        .update(await readFile(path))
        .update('\0');
  }
  return hash.digest('hex');
}

async function loadTags(
  db: Executor,
  folder: string,
): Promise<{ domains: Map<string, number>; tags: Map<string, number> }> {
  const domains = new Map<string, number>();
  const tags = new Map<string, number>();
  const entries = await readJson(join(folder, 'tags.json'), tagFile);
  const seed = (entry: z.output<typeof tagEntry>, index: number) => ({
    slug: entry.slug,
    titleZh: entry.title['zh-CN'],
    titleEn: entry.title['en-US'],
    color: entry.color,
    sequence: (index + 1) * 10,
  });
  for (const [index, entry] of entries.entries()) {
    const domainID = await seedDomain(db, seed(entry, index));
    domains.set(entry.slug, domainID);
    for (const [place, tag] of entry.tags.entries())
      tags.set(tag.slug, await seedTag(db, domainID, seed(tag, place)));
  }
  return { domains, tags };
}

async function loadSpecifications(
  db: Executor,
  folder: string,
  imageFolders: readonly string[],
): Promise<Map<string, number>> {
  const images = new Map<string, number>();
  const lists = imageFolders.map((one) => readJson(join(one, 'images.json'), imageFile));
  for (const image of (await Promise.all(lists)).flat()) {
    images.set(
      image.slug,
      await seedImage(db, {
        slug: image.slug,
        type: SessionType[image.type],
        titleZh: image.title['zh-CN'],
        titleEn: image.title['en-US'],
      }),
    );
  }
  const specifications = new Map<string, number>();
  for (const entry of await readJson(join(folder, 'specifications.json'), specificationFile)) {
    const nodes = entry.nodes.map((node) => ({
      name: node.name,
      cpus: node.cpus,
      memoryBytes: node.memoryMiB * MEBIBYTE,
      diskBytes: node.diskMiB * MEBIBYTE,
      shmBytes: node.shmMiB * MEBIBYTE,
      pids: node.pids,
      imageID: must(images, node.image, 'image'),
    }));
    const values = {
      slug: entry.slug,
      nameZh: entry.name['zh-CN'],
      nameEn: entry.name['en-US'],
      imageType: SessionType[entry.imageType],
      lifetimeSeconds: entry.lifetimeSeconds,
    };
    specifications.set(entry.slug, await seedSpecification(db, values, nodes));
  }
  return specifications;
}

interface Names {
  readonly domains: ReadonlyMap<string, number>;
  readonly tags: ReadonlyMap<string, number>;
  readonly specifications: ReadonlyMap<string, number>;
}

/** @returns how many were read */
async function loadSoftware(db: Executor, folder: string, names: Names): Promise<number> {
  if (!(await exists(folder))) return 0;
  const slugs = (await readdir(folder)).toSorted();
  for (const slug of slugs) {
    const entry = await readJson(join(folder, slug, 'software.json'), softwareFile);
    const text = (language: string): Promise<string> =>
      readFile(join(folder, slug, `intro.${language}.md`), 'utf8');
    await seedSoftware(
      db,
      {
        slug: entry.slug,
        type: SoftwareType[entry.type],
        titleZh: entry.title['zh-CN'],
        titleEn: entry.title['en-US'],
        descriptionZh: entry.description['zh-CN'],
        descriptionEn: entry.description['en-US'],
        contentZh: await text('zh-CN'),
        contentEn: await text('en-US'),
        coverKind: entry.cover.kind,
        coverSeed: entry.cover.seed,
        domainID: must(names.domains, entry.domain, 'domain'),
        specificationID: must(names.specifications, entry.specification, 'specification'),
        sequence: entry.sequence,
      },
      entry.tags.map((tag) => must(names.tags, tag, 'tag')),
    );
  }
  return slugs.length;
}

/** A link of a course's text to a lab: its number is the installation's own. */
const LAB_LINK = /\]\(lab:([a-z0-9-]+)\)/g;

/** @param labs numbers of the labs, to which the texts link */
async function loadCourses(
  db: Executor,
  folder: string,
  { domains, tags }: Pick<Names, 'domains' | 'tags'>,
  labs: ReadonlyMap<string, number>,
): Promise<void> {
  if (!(await exists(folder))) return;
  for (const slug of (await readdir(folder)).toSorted()) {
    const entry = await readJson(join(folder, slug, 'course.json'), courseFile);
    const text = async (language: string): Promise<string> =>
      (await readFile(join(folder, slug, `intro.${language}.md`), 'utf8')).replaceAll(
        LAB_LINK,
        (_link, lab: string) => `](/lab/${must(labs, lab, 'lab')})`,
      );
    await seedCourse(
      db,
      {
        slug: entry.slug,
        titleZh: entry.title['zh-CN'],
        titleEn: entry.title['en-US'],
        descriptionZh: entry.description['zh-CN'],
        descriptionEn: entry.description['en-US'],
        contentZh: await text('zh-CN'),
        contentEn: await text('en-US'),
        coverKind: entry.cover.kind,
        coverSeed: entry.cover.seed,
        domainID: must(domains, entry.domain, 'domain'),
        sequence: entry.sequence,
      },
      entry.tags.map((tag) => must(tags, tag, 'tag')),
    );
  }
}

function must(map: ReadonlyMap<string, number>, slug: string, kind: string): number {
  const id = map.get(slug);
  if (id === undefined) throw new Error(`the content names ${kind} ${slug}, which does not exist`);
  return id;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Puts the first content in place.
 * @returns how many labs were read; 0 when nothing had changed
 */
export async function loadContent(
  database: Database,
  {
    contentFolder,
    imageFolders,
    dataFolder,
  }: { contentFolder: string; imageFolders: readonly string[]; dataFolder: string },
): Promise<number> {
  const hash = await hashOf([contentFolder, ...imageFolders]);
  if ((await findSetting(database, 'content')) === hash) return 0;
  return database.transaction(async (tx) => {
    const { domains, tags } = await loadTags(tx, contentFolder);
    const specifications = await loadSpecifications(tx, contentFolder, imageFolders);
    await loadSoftware(tx, join(contentFolder, 'software'), { domains, tags, specifications });
    const names = await readdir(join(contentFolder, 'labs'));
    const labs = new Map<string, number>();
    for (const name of names.toSorted()) {
      const folder = join(contentFolder, 'labs', name);
      const lab = await readJson(join(folder, 'lab.json'), labFile);
      const text = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
      const tasks: SeedTask[] = await Promise.all(
        lab.tasks.map(async (task, index) => ({
          slug: task.slug,
          sequence: index + 1,
          titleZh: task.title['zh-CN'],
          titleEn: task.title['en-US'],
          contentZh: await text(`tasks/${task.slug}.zh-CN.md`),
          contentEn: await text(`tasks/${task.slug}.en-US.md`),
          minutes: task.minutes,
        })),
      );
      const resources: SeedResource[] = await Promise.all(
        lab.resources.map(async (resource, index) => ({
          type: ResourceType[resource.type],
          titleZh: resource.title['zh-CN'],
          titleEn: resource.title['en-US'],
          path: resource.path.replace(/^bundle\//, ''),
          sizeBytes: (await stat(join(folder, resource.path))).size,
          sequence: index + 1,
        })),
      );
      const labID = await seedLab(
        tx,
        {
          slug: lab.slug,
          type: LabType[lab.type],
          titleZh: lab.title['zh-CN'],
          titleEn: lab.title['en-US'],
          descriptionZh: lab.description['zh-CN'],
          descriptionEn: lab.description['en-US'],
          contentZh: await text('intro.zh-CN.md'),
          contentEn: await text('intro.en-US.md'),
          coverKind: lab.cover.kind,
          coverSeed: lab.cover.seed,
          domainID: must(domains, lab.domain, 'domain'),
          specificationID: must(specifications, lab.specification, 'specification'),
          sequence: lab.sequence,
        },
        lab.tags.map((tag) => must(tags, tag, 'tag')),
        tasks,
        resources,
      );
      // A folder of its own for each edition: a running environment keeps the one that it mounted.
      const target = join('labs', `${labID}-${hash.slice(0, 8)}`);
      for (const part of ['bundle', 'media']) {
        if (await exists(join(folder, part)))
          await cp(join(folder, part), join(dataFolder, target, part), { recursive: true });
      }
      await setLabFolder(tx, labID, target);
      labs.set(lab.slug, labID);
    }
    await loadCourses(tx, join(contentFolder, 'courses'), { domains, tags }, labs);
    const problems = join(contentFolder, 'problems');
    if (await exists(problems))
      await loadProblems(
        tx,
        problems,
        dataFolder,
        (slug) => must(domains, slug, 'domain'),
        (slug) => must(tags, slug, 'tag'),
      );
    await writeSetting(tx, 'content', hash);
    return names.length;
  });
}
