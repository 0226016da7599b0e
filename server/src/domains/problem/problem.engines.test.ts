/** The problems of the first content on the real judge: every reference solution, and a wrong one. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dismantle,
  findContainerHost,
  type ContainerHost,
} from '../../engines/containers/container-host.ts';
import { openJudgeRoot } from '../../engines/sandbox/judge-root.ts';
import { NativeSandbox } from '../../engines/sandbox/native-sandbox.ts';
import type { SandboxJob, SandboxReport } from '../../engines/sandbox/sandbox.ts';
import { readProblem } from '../content/content.problems.ts';
import { runLimitsOf } from './problem.limits.ts';
import { countTests, inputName, outputName } from './problem.tests.ts';

const FOLDER = fileURLToPath(new URL('../../../../content/problems', import.meta.url));
const problems = await Promise.all(
  readdirSync(FOLDER).map((slug) => readProblem(join(FOLDER, slug))),
);
type Problem = (typeof problems)[number];
type Language = SandboxJob['language'];

let dataDir: string;
let host: ContainerHost | undefined;
let sandbox: NativeSandbox | undefined;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypercube-problems-'));
  const opened = await findContainerHost({
    dataDir,
    dockerSocket: '/nonexistent/docker.sock',
    containerHost: '',
  });
  if (opened.kind === 'none') throw new Error(opened.reason);
  host = opened;
  sandbox = new NativeSandbox({ findRoot: () => openJudgeRoot(opened) });
  await sandbox.prepare();
}, 600_000);
afterAll(async () => {
  await sandbox?.close();
  if (host) await dismantle(host);
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the judge says of a source, test by test. */
async function judge(problem: Problem, language: Language, source: string): Promise<string[]> {
  if (!sandbox) throw new Error('there is no sandbox');
  const tests = countTests(readdirSync(problem.testsFolder));
  const reports: SandboxReport[] = [];
  const job: SandboxJob = {
    language,
    source,
    limits: runLimitsOf(problem.values),
    tests: Array.from({ length: tests }, (_unused, index) => ({
      inputPath: join(problem.testsFolder, inputName(index + 1)),
      expectedPath: join(problem.testsFolder, outputName(index + 1)),
    })),
    stopsAtFailure: false,
  };
  for await (const report of sandbox.judge(job, AbortSignal.timeout(120_000))) reports.push(report);
  return reports.map((report) => (report.kind === 'test' ? report.verdict : report.kind));
}

describe.each(problems.map((problem) => [problem.entry.slug, problem] as const))(
  '%s',
  (_slug, problem) => {
    test.each(problem.codes.map((code) => [code.language as Language, code] as const))(
      'its solution in language %d passes every test, and the default code does not',
      async (language, code) => {
        const solved = await judge(problem, language, code.referenceCode);
        expect(solved[0]).toBe('compiled');
        expect(new Set(solved.slice(1))).toEqual(new Set(['accepted']));
        expect(solved.length - 1).toBe(countTests(readdirSync(problem.testsFolder)));
        const begun = await judge(problem, language, code.defaultCode);
        // What the editor opens with compiles, so that nobody begins with an error of ours.
        expect(begun[0]).toBe('compiled');
        expect(begun).not.toContain('accepted');
      },
      120_000,
    );
  },
);
