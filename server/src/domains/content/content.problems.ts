/** The problems of the first content: their statements, their code in each language, their tests. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Difficulty, ProgrammingLanguage } from '@hypercube/contract';
import { z } from 'zod';
import type { Executor } from '../../platform/database/database.ts';
import { seedProblem, type CodeValues } from '../problem/problem.service.ts';

const both = z.object({ 'zh-CN': z.string(), 'en-US': z.string() });
const MEBIBYTE = 1024 * 1024;

/** How the file of a language ends: `reference.openmp.c`, `default.py`. */
export const SOURCE_ENDINGS = {
  c: 'c',
  cpp: 'cpp',
  python: 'py',
  java: 'java',
  openmp: 'openmp.c',
  mpi: 'mpi.c',
  cuda: 'cu',
  pthread: 'pthread.c',
} as const satisfies Record<keyof typeof ProgrammingLanguage, string>;

const problemFile = z.object({
  slug: z.string(),
  title: both,
  difficulty: z.enum(['easy', 'middle', 'hard']),
  languages: z.array(
    z.enum(
      Object.keys(SOURCE_ENDINGS) as [keyof typeof SOURCE_ENDINGS, keyof typeof SOURCE_ENDINGS],
    ),
  ),
  domain: z.string(),
  tags: z.array(z.string()),
  sequence: z.int(),
  limits: z.object({ cpuMs: z.int(), memoryMiB: z.int(), parallelism: z.int() }),
  samples: z.int(),
});

/** One number for the tests of a problem: as long as it is the same, they are not put in place again. */
async function hashOfTests(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).toSorted())
    hash
      .update(name)
      .update('\0')
      .update(await readFile(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}

/** Reads a problem's folder. */
export async function readProblem(folder: string) {
  const entry = problemFile.parse(JSON.parse(await readFile(join(folder, 'problem.json'), 'utf8')));
  const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const codes: CodeValues[] = await Promise.all(
    entry.languages.map(async (name) => ({
      language: ProgrammingLanguage[name],
      defaultCode: await text(`default.${SOURCE_ENDINGS[name]}`),
      referenceCode: await text(`reference.${SOURCE_ENDINGS[name]}`),
    })),
  );
  return {
    entry,
    codes,
    values: {
      slug: entry.slug,
      titleZh: entry.title['zh-CN'],
      titleEn: entry.title['en-US'],
      contentZh: await text('statement.zh-CN.md'),
      contentEn: await text('statement.en-US.md'),
      difficulty: Difficulty[entry.difficulty],
      cpuMs: entry.limits.cpuMs,
      memoryBytes: entry.limits.memoryMiB * MEBIBYTE,
      parallelism: entry.limits.parallelism,
      samples: entry.samples,
      sequence: entry.sequence,
    },
    testsFolder: join(folder, 'tests'),
  };
}

/**
 * Puts the problems in place.
 * @param domainOf number of a domain by its name in the content
 * @param tagOf the same of a tag
 */
export async function loadProblems(
  db: Executor,
  folder: string,
  dataFolder: string,
  domainOf: (slug: string) => number,
  tagOf: (slug: string) => number,
): Promise<void> {
  for (const slug of (await readdir(folder)).toSorted()) {
    const { entry, codes, values, testsFolder } = await readProblem(join(folder, slug));
    await seedProblem(
      db,
      { ...values, domainID: domainOf(entry.domain) },
      {
        tagIDs: entry.tags.map(tagOf),
        codes,
        testsFolder,
        testsHash: await hashOfTests(testsFolder),
        dataFolder,
      },
    );
  }
}
