/**
 * A submission of a hundred tests in C, its compilation included, through the judge's driver,
 * against the same by one call of bubblewrap for each test, from a shell script that does nothing
 * else: no limits, no figures, the comparison by `cmp`. The two take turns. Then two at once.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProgrammingLanguage } from '@hypercube/contract';
import { findContainerHost } from '../../../server/src/engines/containers/container-host.ts';
import { openJudgeRoot } from '../../../server/src/engines/sandbox/judge-root.ts';
import { NativeSandbox } from '../../../server/src/engines/sandbox/native-sandbox.ts';
import type { SandboxJob, TestReport } from '../../../server/src/engines/sandbox/sandbox.ts';
import { removeInstallation } from '../kit/installation.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';

const run = promisify(execFile);

const TESTS = 100;
const ROUNDS = 9;
/** Submissions of each of the two that come at once. */
const TOGETHER = 6;
const LIMIT = 0.6;
/** DMOJ's judge, warm, with two workers, measured once on two cores. */
const LEAST_PER_SECOND = 1.15;
const SOURCE = `#include <stdio.h>
int main(void) {
  long sum = 0, number;
  while (scanf("%ld", &number) == 1) sum += number;
  printf("%ld\\n", sum);
}
`;

/** Input and output of every test, as files. */
async function writeTests(folder: string): Promise<SandboxJob['tests']> {
  return Promise.all(
    Array.from({ length: TESTS }, async (_, index) => {
      const [inputPath, expectedPath] = [
        join(folder, `input${index + 1}.txt`),
        join(folder, `output${index + 1}.txt`),
      ];
      const numbers = Array.from({ length: 100 }, (__, place) => place * (index + 1));
      await writeFile(inputPath, `${numbers.join(' ')}\n`);
      await writeFile(expectedPath, `${numbers.reduce((sum, number) => sum + number, 0)}\n`);
      return { inputPath, expectedPath };
    }),
  );
}

/** What somebody would write who has bubblewrap and an afternoon. */
function rivalScript(root: string, folder: string): string {
  const box = `bwrap --unshare-all --die-with-parent --ro-bind ${root} / --proc /proc --dev /dev --tmpfs /tmp --chdir /box`;
  return `set -e
mkdir -p ${folder}/box
cp ${folder}/main.c ${folder}/box/
${box} --bind ${folder}/box /box /usr/bin/gcc -O2 -std=gnu17 -pipe -o main main.c -lm
for i in $(seq ${TESTS}); do
  ${box} --ro-bind ${folder}/box /box /box/main < ${folder}/input$i.txt > ${folder}/found
  cmp -s ${folder}/found ${folder}/output$i.txt
done`;
}

export async function benchJudge(): Promise<Result> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hypercube-bench-judge-'));
  const host = await findContainerHost({ dataDir: dataFolder });
  if (host.kind === 'none') throw new Error(host.reason);
  const sandbox = new NativeSandbox({ findRoot: (signal) => openJudgeRoot(host, { signal }) });
  try {
    await sandbox.prepare();
    const health = await sandbox.health();
    if (!health.isReady) throw new Error(health.reason);
    const root = await openJudgeRoot(host);
    const tests = await writeTests(dataFolder);
    await writeFile(join(dataFolder, 'main.c'), SOURCE);
    const job: SandboxJob = {
      language: ProgrammingLanguage.c,
      source: SOURCE,
      limits: {
        cpuMs: 1000,
        wallMs: 3000,
        memoryBytes: 256 * 1024 * 1024,
        outputBytes: 1024 * 1024,
        parallelism: 1,
      },
      tests,
      stopsAtFailure: false,
    };

    const ours = async (): Promise<number> => {
      const began = performance.now();
      const reports: TestReport[] = [];
      for await (const report of sandbox.judge(job, new AbortController().signal))
        if (report.kind === 'test') reports.push(report);
      if (reports.filter(({ verdict }) => verdict === 'accepted').length !== TESTS)
        throw new Error('not every test was accepted');
      return performance.now() - began;
    };
    const script = rivalScript(root, dataFolder);
    const rival = async (): Promise<number> => {
      const began = performance.now();
      await run('/bin/sh', ['-c', script]);
      return performance.now() - began;
    };

    const series = { ours: [] as number[], rival: [] as number[] };
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      const order = turn % 2 === 0 ? (['ours', 'rival'] as const) : (['rival', 'ours'] as const);
      for (const party of order) {
        const elapsed = party === 'ours' ? await ours() : await rival();
        // The first turn fills the page cache.
        if (turn > 0) series[party].push(elapsed);
      }
    }
    const [p50, rivalP50] = [median(series.ours), median(series.rival)];
    progress(`judge: ${p50.toFixed(0)} ms, bubblewrap ${rivalP50.toFixed(0)} ms`);

    const began = performance.now();
    await Promise.all(
      [0, 1].map(async () => {
        for (let count = 0; count < TOGETHER; count += 1) await ours();
      }),
    );
    const perSecond = (2 * TOGETHER * 1000) / (performance.now() - began);
    const ratio = median(series.ours.map((one, turn) => one / (series.rival[turn] ?? Number.NaN)));
    return {
      rows: [
        {
          bench: 'judge',
          what: `C, compilation and ${TESTS} tests, p50 of ${ROUNDS}`,
          measured: `${p50.toFixed(0)} ms`,
          against: `bubblewrap ${rivalP50.toFixed(0)} ms: ${round(ratio)} ×`,
          target: `≤ ${LIMIT} ×`,
          isMet: ratio <= LIMIT,
        },
        {
          bench: 'judge',
          what: 'the same, two at once',
          measured: `${round(perSecond)}/s`,
          against: 'limit',
          target: `≥ ${LEAST_PER_SECOND}/s`,
          isMet: perSecond >= LEAST_PER_SECOND,
        },
      ],
      figures: { ...series, perSecond },
    };
  } finally {
    await sandbox.close();
    await host.close();
    await removeInstallation(dataFolder);
  }
}
