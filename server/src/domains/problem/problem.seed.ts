/** Putting a problem of the first content in place; what learners submitted stays. */
import { readdir, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Executor } from '../../platform/database/database.ts';
import { seedProblemRow, seedTests, type CodeValues, type SeedProblem } from './problem.queries.ts';
import { ProblemTests, countTests } from './problem.tests.ts';

export interface SeedParts {
  readonly tagIDs: readonly number[];
  readonly codes: readonly CodeValues[];
  /** Folder of the content with `inputN.txt` and `outputN.txt`. */
  readonly testsFolder: string;
  /** Names the edition of the tests: the same one is not put in place twice. */
  readonly testsHash: string;
  /** Absolute. */
  readonly dataFolder: string;
}

/** @returns its id */
export async function seedProblem(
  db: Executor,
  problem: SeedProblem,
  { tagIDs, codes, testsFolder, testsHash, dataFolder }: SeedParts,
): Promise<number> {
  const row = await seedProblemRow(db, problem, tagIDs, codes);
  const names = await readdir(testsFolder);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(testsFolder, name))).size),
  );
  const values = {
    testsFolder: posix.join('problems', `${row.id}-${testsHash.slice(0, 8)}`),
    testCount: countTests(names),
    testsBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
  if (row.testsFolder !== values.testsFolder)
    await new ProblemTests(dataFolder).copy(testsFolder, values.testsFolder);
  await seedTests(db, row, values);
  return row.id;
}
