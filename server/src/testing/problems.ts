/** Problems for tests: the sum of two numbers, with three tests of which the first is an example. */
import type { ManagedProblem, ProblemSubmission } from '@hypercube/contract';
import { until, type Person } from './world.ts';
import { zipOf } from './zips.ts';

export const PAIRS = {
  'input1.txt': '1 2',
  'output1.txt': '3',
  'input2.txt': '10 20',
  'output2.txt': '30',
  'input3.txt': '0 0',
  'output3.txt': '0',
} as const;

/** What a teacher sends to make one. */
export const problemFields = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  TitleZh: '两数之和',
  TitleEn: 'A plus B',
  ContentZh: '求和 $a+b$',
  Difficulty: 1,
  Codes: [
    { Language: 1, DefaultCode: '// C', ReferenceCode: 'sum' },
    { Language: 3, DefaultCode: '# Python', ReferenceCode: '' },
  ],
  CpuMs: 1000,
  MemoryBytes: 64 * 1024 * 1024,
  Parallelism: 1,
  SampleCount: 1,
  ...changes,
});

/** A package of tests as a browser sends it. */
export const tests = async (
  files: Readonly<Record<string, string>> = PAIRS,
): Promise<{ name: string; content: Buffer }> => ({
  name: 'tests.zip',
  content: await zipOf(files),
});

/** Makes a problem with tests, and publishes it. */
export async function makeProblem(
  staff: Person,
  changes: Record<string, unknown> = {},
  files: Readonly<Record<string, string>> = PAIRS,
): Promise<ManagedProblem> {
  const made = await staff.call<ManagedProblem>('POST', '/problem', problemFields(changes));
  const address = `/problem/${made.body.ID}`;
  await staff.upload(`${address}/tests`, await tests(files));
  const published = await staff.call<ManagedProblem>('PUT', `${address}/publish`, {
    IsPublished: true,
  });
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
  return published.body;
}

/** Submits, without waiting for the judge. */
export async function submit(
  person: Person,
  problemID: number,
  source: string,
  language = 1,
): Promise<ProblemSubmission> {
  const answer = await person.call<ProblemSubmission>('POST', `/problem/${problemID}/submission`, {
    Language: language,
    Source: source,
  });
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export const read = async (
  person: Person,
  { ID, ProblemID }: Pick<ProblemSubmission, 'ID' | 'ProblemID'>,
): Promise<ProblemSubmission> =>
  (await person.call<ProblemSubmission>('GET', `/problem/${ProblemID}/submission/${ID}`)).body;

/** Waits until it is judged. */
export const judged = (
  person: Person,
  submission: Pick<ProblemSubmission, 'ID' | 'ProblemID'>,
): Promise<ProblemSubmission> =>
  until(
    () => read(person, submission),
    ({ State }) => State === 2,
  );

/** Submits and waits for the verdict. */
export const send = async (
  person: Person,
  problemID: number,
  source: string,
  language = 1,
): Promise<ProblemSubmission> => judged(person, await submit(person, problemID, source, language));
