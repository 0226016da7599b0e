/**
 * A sandbox without machinery: the source says what happens, line by line, in each test.
 *
 * `sum` prints the sum of the input's numbers, `echo` the input, `print …` a text, `warn …` writes to
 * standard error; `exit 3`, `signal 11`, `time`, `memory` and `flood` end it so; `broken` does not
 * compile; `machine` is a failure of the machinery; `wait name` waits until the test opens the
 * latch. `on 2 …` does a thing in the second test only.
 */
import { readFile } from 'node:fs/promises';
import { ProgrammingLanguage } from '@hypercube/contract';
import {
  SandboxError,
  type Sandbox,
  type SandboxHealth,
  type SandboxJob,
  type SandboxReport,
  type SandboxTest,
  type TestReport,
} from '../engines/sandbox/sandbox.ts';

const SHOWN = 64;

const tokensOf = (text: string): string[] => text.split(/\s+/).filter((token) => token !== '');

export class ScriptedSandbox implements Sandbox {
  /** What it says of itself; a test sets it. */
  condition: SandboxHealth = { isReady: true, languages: Object.values(ProgrammingLanguage) };
  /** Jobs that were begun, in order. */
  readonly begun: SandboxJob[] = [];
  #running = 0;
  /** The most jobs that ran side by side. */
  mostRunning = 0;
  readonly #latches = new Map<string, PromiseWithResolvers<void>>();

  health(): Promise<SandboxHealth> {
    return Promise.resolve(this.condition);
  }

  #latch(name: string): PromiseWithResolvers<void> {
    let latch = this.#latches.get(name);
    if (!latch) this.#latches.set(name, (latch = Promise.withResolvers<void>()));
    return latch;
  }

  /** Lets all go on that wait at a latch, or will. */
  open(name: string): void {
    this.#latch(name).resolve();
  }

  async *judge(job: SandboxJob, signal: AbortSignal): AsyncIterable<SandboxReport> {
    this.begun.push(job);
    this.#running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.#running);
    try {
      signal.throwIfAborted();
      const lines = job.source.split('\n').map((line) => line.trim());
      if (lines.includes('machine')) throw new SandboxError('the machine is out of order');
      if (lines.includes('broken')) {
        yield { kind: 'compileError', output: 'main.c:1: <b>error</b>', cpuMs: 5, wallMs: 5 };
        return;
      }
      yield { kind: 'compiled', output: '', cpuMs: 5, wallMs: 5 };
      for (const [index, test] of job.tests.entries()) {
        const report = await this.#run(lines, index + 1, test, signal);
        yield report;
        if (job.stopsAtFailure && report.verdict !== 'accepted') return;
      }
    } finally {
      this.#running -= 1;
    }
  }

  async #run(
    lines: readonly string[],
    number: number,
    test: SandboxTest,
    signal: AbortSignal,
  ): Promise<TestReport> {
    const input = await readFile(test.inputPath, 'utf8');
    let printed = '';
    let errorOutput = '';
    const report = (
      verdict: TestReport['verdict'],
      rest: Partial<TestReport> = {},
    ): TestReport => ({
      kind: 'test',
      number,
      verdict,
      cpuMs: 10 * number,
      wallMs: 12 * number,
      memoryBytes: 1_000_000 * number,
      exitCode: 0,
      signal: null,
      difference: null,
      output: test.expectedPath === undefined ? printed : null,
      errorOutput,
      ...rest,
    });
    for (const line of lines) {
      const [, only, told = ''] = /^(?:on (\d+) )?(.*)$/.exec(line) ?? [];
      if (only !== undefined && Number(only) !== number) continue;
      const [word = '', ...more] = told.split(' ');
      const text = more.join(' ');
      signal.throwIfAborted();
      switch (word) {
        case 'sum':
          printed += `${tokensOf(input).reduce((sum, token) => sum + Number(token), 0)}\n`;
          break;
        case 'echo':
          printed += input;
          break;
        case 'print':
          printed += `${text}\n`;
          break;
        case 'warn':
          errorOutput += `${text}\n`;
          break;
        case 'wait':
          await this.#wait(text, signal);
          break;
        case 'exit':
          return report('runtimeError', { exitCode: Number(text) });
        case 'signal':
          return report('runtimeError', { exitCode: null, signal: Number(text) });
        case 'time':
          return report('timeLimit', { exitCode: null, signal: 9 });
        case 'memory':
          return report('memoryLimit', { exitCode: null, signal: 9 });
        case 'flood':
          return report('outputLimit', { exitCode: null, signal: 9 });
        default:
          break;
      }
    }
    if (test.expectedPath === undefined) return report('finished');
    const expected = tokensOf(await readFile(test.expectedPath, 'utf8'));
    const found = tokensOf(printed);
    for (let index = 0; index < Math.max(expected.length, found.length); index += 1) {
      if (expected[index] === found[index]) continue;
      return report('wrongAnswer', {
        difference: {
          token: index + 1,
          expected: expected[index]?.slice(0, SHOWN) ?? null,
          found: found[index]?.slice(0, SHOWN) ?? null,
        },
      });
    }
    return report('accepted');
  }

  async #wait(name: string, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([this.#latch(name).promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
