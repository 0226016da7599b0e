/** Judges programs on this machine, in boxes that our own helper makes (images/judge/native). */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgrammingLanguage } from '@hypercube/contract';
import { Helper, type HelperLine } from './helper.ts';
import { HELPER } from './judge-root.ts';
import { LANGUAGES, type BoxLimits, type Recipe } from './languages.ts';
import {
  SandboxError,
  type CompileReport,
  type Sandbox,
  type SandboxHealth,
  type SandboxJob,
  type SandboxReport,
  type TestReport,
  type TestVerdict,
} from './sandbox.ts';

export interface NativeSandboxOptions {
  /** Finds the root file system of the judge image, and makes it if it is missing. */
  readonly findRoot: (signal: AbortSignal) => Promise<string>;
  readonly log?: (line: string) => void;
}

const DIFFERENCE_CHARACTERS = 64;
/** What a compiler that was stopped could not say itself; in the language of compilers. */
const STOPPED: Readonly<Record<string, (limits: BoxLimits) => string>> = {
  time: ({ cpuMs, wallMs }) =>
    `compilation stopped: more than ${cpuMs / 1000} s of processor time or ${wallMs / 1000} s altogether`,
  memory: ({ memoryBytes }) =>
    `compilation stopped: more than ${memoryBytes / 1024 / 1024} MiB of memory`,
  signal: () => 'compilation stopped: the compiler was ended by a signal',
};

type RootState =
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'ready'; readonly root: string; readonly languages: ProgrammingLanguage[] };

/** Why no box can be made on this machine; null when one can. */
function obstacle(): string | null {
  if (process.platform !== 'linux') return 'programs are judged on Linux only';
  if (process.getuid?.() !== 0)
    return 'the judge needs root: control groups and namespaces of its own';
  return null;
}

/** Links count: those of the image lead to places inside it. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const text = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';

const token = (value: unknown): string | null =>
  typeof value === 'string'
    ? Array.from(text(value)).slice(0, DIFFERENCE_CHARACTERS).join('')
    : null;

const whole = (value: unknown): number => Math.round(typeof value === 'number' ? value : 0);

const optional = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function compileReport(line: HelperLine, recipe: Recipe): CompileReport {
  const stopped =
    typeof line['stopped'] === 'string' ? STOPPED[line['stopped']]?.(recipe.compiling) : undefined;
  return {
    kind: line.kind as CompileReport['kind'],
    output: [text(line['output']).trimEnd(), stopped].filter(Boolean).join('\n'),
    cpuMs: whole(line['cpuMs']),
    wallMs: whole(line['wallMs']),
  };
}

function testReport(line: HelperLine, { outOfMemory }: Recipe): TestReport {
  const difference = line['difference'] as Record<string, unknown> | undefined;
  const exitCode = optional(line['exitCode']);
  const errorOutput = text(line['errorOutput']);
  const verdict = line['verdict'] as TestVerdict;
  const saysMemory =
    verdict === 'runtimeError' &&
    outOfMemory !== undefined &&
    exitCode === outOfMemory.exitCode &&
    errorOutput.includes(outOfMemory.text);
  return {
    kind: 'test',
    number: whole(line['number']),
    verdict: saysMemory ? 'memoryLimit' : verdict,
    cpuMs: whole(line['cpuMs']),
    wallMs: whole(line['wallMs']),
    memoryBytes: whole(line['memoryBytes']),
    exitCode,
    signal: optional(line['signal']),
    difference: difference
      ? {
          token: whole(difference['token']),
          expected: token(difference['expected']),
          found: token(difference['found']),
        }
      : null,
    output: line['output'] === undefined ? null : text(line['output']),
    errorOutput,
  };
}

function limitFields(stage: string, limits: BoxLimits): [string, string][] {
  return [
    [`${stage}.cpu`, String(Math.ceil(limits.cpuMs))],
    [`${stage}.wall`, String(Math.ceil(limits.wallMs))],
    [`${stage}.memory`, String(Math.ceil(limits.memoryBytes))],
    [`${stage}.output`, String(Math.ceil(limits.outputBytes))],
    [`${stage}.pids`, String(limits.processes)],
  ];
}

function jobFields(id: number, root: string, job: SandboxJob, recipe: Recipe): [string, string][] {
  return [
    ['id', String(id)],
    ['root', root],
    ['sourceName', recipe.sourceName],
    ['source', job.source],
    ...recipe.compile.map((word): [string, string] => ['compile', word]),
    ...limitFields('compiling', recipe.compiling),
    ...recipe.run.map((word): [string, string] => ['run', word]),
    ...limitFields('running', recipe.running),
    ...Object.entries(recipe.env).map(([name, value]): [string, string] => [
      'env',
      `${name}=${value}`,
    ]),
    ...(job.stopsAtFailure ? [['stops', '1'] as [string, string]] : []),
    ...job.tests.flatMap(({ inputPath, expectedPath }): [string, string][] => [
      ['input', inputPath],
      ...(expectedPath === undefined ? [] : [['expected', expectedPath] as [string, string]]),
    ]),
  ];
}

export class NativeSandbox implements Sandbox {
  readonly #options: NativeSandboxOptions;
  readonly #closing = new AbortController();
  #state: RootState = { kind: 'none', reason: 'the judge image is being prepared' };
  #preparation: Promise<void> | null = null;
  #helper: Helper | null = null;
  #lastID = 0;

  constructor(options: NativeSandboxOptions) {
    this.#options = options;
  }

  /** Finds the root file system; judging is ready afterwards, or its health says why not. */
  prepare(): Promise<void> {
    this.#preparation ??= this.#findRoot();
    return this.#preparation;
  }

  async health(): Promise<SandboxHealth> {
    const reason = obstacle();
    if (reason !== null) return { isReady: false, reason };
    if (this.#state.kind === 'none') return { isReady: false, reason: this.#state.reason };
    if (!existsSync(join(this.#state.root, HELPER))) return this.#startAgain();
    try {
      await this.#openHelper(this.#state.root);
      return { isReady: true, languages: this.#state.languages };
    } catch (error) {
      return { isReady: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async *judge(job: SandboxJob, signal: AbortSignal): AsyncIterable<SandboxReport> {
    signal.throwIfAborted();
    const reason = obstacle() ?? (this.#state.kind === 'none' ? this.#state.reason : null);
    if (reason !== null || this.#state.kind === 'none') throw new SandboxError(reason ?? '');
    const { root, languages } = this.#state;
    const recipe = languages.includes(job.language)
      ? LANGUAGES.get(job.language)?.recipe(job.limits)
      : undefined;
    if (!recipe) throw new SandboxError(`language ${job.language} cannot be judged here`);
    const helper = await this.#openHelper(root);
    signal.throwIfAborted();

    const id = (this.#lastID += 1);
    const lines: (HelperLine | null)[] = [];
    let wake: () => void = () => undefined;
    let hasEnded = false;
    const next = async (): Promise<HelperLine | null> => {
      while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return lines.shift() ?? null;
    };
    const abort = (): void => helper.abort(id);
    helper.start(id, jobFields(id, root, job, recipe), (line) => {
      if (line === null || line.kind === 'end') hasEnded = true;
      lines.push(line);
      wake();
    });
    signal.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        const line = await next();
        signal.throwIfAborted();
        if (line === null) throw new SandboxError('the judge’s helper ended');
        if (line.kind === 'failed') throw new SandboxError(text(line['reason']));
        if (line.kind === 'end') {
          if (line['leftover'] === true) this.#options.log?.(`job ${id} left a control group`);
          if (line['signal'] !== undefined) throw new SandboxError('the judge’s runner was killed');
          return;
        }
        yield line.kind === 'test' ? testReport(line, recipe) : compileReport(line, recipe);
      }
    } finally {
      signal.removeEventListener('abort', abort);
      // Whoever stops listening has ended the job; nothing of it may go on when this returns.
      if (!hasEnded) {
        helper.abort(id);
        while (!hasEnded) await next();
      }
      helper.forget(id);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#state = { kind: 'none', reason: 'the judge is being shut down' };
    await this.#helper?.close();
    await this.#preparation;
  }

  /** A newer platform on this machine took the root away before our helper held it. */
  #startAgain(): SandboxHealth {
    const reason = 'the judge image is being prepared again';
    this.#state = { kind: 'none', reason };
    this.#preparation = this.#findRoot();
    return { isReady: false, reason };
  }

  async #findRoot(): Promise<void> {
    if (obstacle() !== null) return;
    const { signal } = this.#closing;
    try {
      const root = await this.#options.findRoot(signal);
      signal.throwIfAborted();
      if (!existsSync(join(root, HELPER))) throw new Error('the judge image lacks its helper');
      const languages = [...LANGUAGES]
        .filter(([, { needs }]) => needs.every((path) => exists(join(root, path))))
        .map(([language]) => language);
      this.#state = { kind: 'ready', root, languages };
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#state = { kind: 'none', reason: `the judge image could not be prepared: ${reason}` };
      this.#options.log?.(this.#state.reason);
    }
  }

  /** The helper that runs, or a new one in the place of one that ended. */
  async #openHelper(root: string): Promise<Helper> {
    if (this.#closing.signal.aborted) throw new SandboxError('the judge is being shut down');
    if (!this.#helper || this.#helper.hasEnded) this.#helper = new Helper(join(root, HELPER));
    const helper = this.#helper;
    await helper.ready();
    return helper;
  }
}
