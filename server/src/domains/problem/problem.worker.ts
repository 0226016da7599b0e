/**
 * The judge: takes what waits, one of a user at a time, has the sandbox compile and run it, and
 * writes down what it said. It keeps nothing that a restart would need: what a judge holds is a
 * lease in the row, which ends by itself; then another one takes it, and the words of the first
 * are not heard any more.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JudgeVerdict } from '@hypercube/contract';
import type { FastifyBaseLogger } from 'fastify';
import type {
  Sandbox,
  SandboxHealth,
  SandboxTest,
  TestReport,
} from '../../engines/sandbox/sandbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/notify.ts';
import type { Uploads } from '../../platform/storage/uploads.ts';
import { removeJudge, reportJudge, sweepJudges } from './problem.judge.queries.ts';
import { runLimitsOf } from './problem.limits.ts';
import type { StoredTest } from './problem.schema.ts';
import * as queries from './problem.submission.queries.ts';
import type { Claimed, Judgement } from './problem.submission.queries.ts';
import type { ProblemTests } from './problem.tests.ts';

const TICK_MS = 5000;
/** While its sandbox is not ready it looks again sooner: people wait for the first one. */
const WAITING_TICK_MS = 1000;
/** Some ticks may be missed; who waits for a judge that died waits no longer than this. */
const LEASE_SECONDS = 20;
/** After so many tries the machine is to blame, and says so. */
const ATTEMPTS = 3;
/** After a failure of the machinery it rests, longer each time. */
const REST_SECONDS = 10;
/** Pages that look on are told no oftener than this. */
const TELL_MS = 200;
/** A program that ran out of time so often would in the other tests too. */
const TIMEOUTS_MAX = 3;

export interface JudgeWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly listener: Listener;
  readonly sandbox: Sandbox;
  /** How many are judged side by side. */
  readonly slots: number;
  readonly tests: ProblemTests;
  /** Where the input of a run lies while it runs. */
  readonly uploads: Uploads;
  readonly log: FastifyBaseLogger;
}

interface Task {
  readonly claimed: Claimed;
  readonly lease: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** The database knows no zero sign. */
const plain = (text: string): string => text.replaceAll('\0', '\u{FFFD}');

const storedOf = (report: TestReport): StoredTest => ({
  number: report.number,
  verdict: report.verdict,
  cpuMs: Math.round(report.cpuMs),
  wallMs: Math.round(report.wallMs),
  memoryBytes: Math.round(report.memoryBytes),
  exitCode: report.exitCode,
  signal: report.signal,
  difference: report.difference && {
    token: report.difference.token,
    expected: report.difference.expected === null ? null : plain(report.difference.expected),
    found: report.difference.found === null ? null : plain(report.difference.found),
  },
  errorOutput: plain(report.errorOutput),
});

export class JudgeWorker {
  readonly id = randomUUID();
  readonly #options: JudgeWorkerOptions;
  readonly #tasks = new Map<number, Task>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #health: SandboxHealth = { isReady: false, reason: 'the sandbox has not answered yet' };
  #round: Promise<void> | undefined;
  #isAsked = false;

  constructor(options: JudgeWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    const { listener } = this.#options;
    listener.on('submission', this.#ask);
    listener.on('resumed', this.#ask);
    void this.#beat();
  }

  /** Ticks, then sets the next one. */
  async #beat(): Promise<void> {
    await this.tick();
    if (this.#stopped.signal.aborted) return;
    const pause = this.#health.isReady ? TICK_MS : WAITING_TICK_MS;
    this.#timer = setTimeout(() => void this.#beat(), pause).unref();
  }

  /** Ends what is under way; it goes back into the queue, and the try does not count. */
  async stop(): Promise<void> {
    const { listener, database } = this.#options;
    clearTimeout(this.#timer);
    listener.off('submission', this.#ask);
    listener.off('resumed', this.#ask);
    this.#stopped.abort();
    await this.#round;
    for (const { abort } of this.#tasks.values()) abort.abort();
    await Promise.all([...this.#tasks.values()].map(({ done }) => done));
    await removeJudge(database, this.id).catch(() => undefined);
  }

  /** Says how it is, holds what it has, and takes back what dead judges had. */
  async tick(): Promise<void> {
    const { database, clock, sandbox, log } = this.#options;
    try {
      this.#health = await sandbox.health();
      const now = clock.now();
      const health = this.#health;
      await reportJudge(
        database,
        health.isReady
          ? { id: this.id, isReady: true, reason: null, languages: health.languages }
          : { id: this.id, isReady: false, reason: health.reason, languages: [] },
        now,
      );
      for (const { claimed, lease, abort } of this.#tasks.values())
        if (!(await queries.extendLease(database, claimed.id, lease, this.#later(LEASE_SECONDS))))
          abort.abort();
      await queries.releaseExpired(database, now, ATTEMPTS);
      await sweepJudges(database, now);
      this.#ask();
    } catch (error) {
      // The database is away; the next turn looks again.
      if (!this.#stopped.signal.aborted) log.warn({ err: error }, 'a turn of the judge failed');
    }
  }

  #later(seconds: number): Date {
    return new Date(this.#options.clock.now().getTime() + seconds * 1000);
  }

  readonly #ask = (): void => {
    this.#isAsked = true;
    if (this.#stopped.signal.aborted) return;
    this.#round ??= this.#fill().finally(() => {
      this.#round = undefined;
      if (this.#isAsked) this.#ask();
    });
  };

  /** Takes from the queue until every slot is full. */
  async #fill(): Promise<void> {
    const { database, clock, slots, log } = this.#options;
    this.#isAsked = false;
    try {
      while (this.#tasks.size < slots && !this.#stopped.signal.aborted && this.#health.isReady) {
        const lease = randomUUID();
        const claimed = await queries.claimSubmission(
          database,
          this.#health.languages,
          lease,
          clock.now(),
          this.#later(LEASE_SECONDS),
        );
        if (!claimed) return;
        const abort = new AbortController();
        const done = this.#work(claimed, lease, abort.signal).finally(() => {
          this.#tasks.delete(claimed.id);
          this.#ask();
        });
        this.#tasks.set(claimed.id, { claimed, lease, abort, done });
      }
    } catch (error) {
      log.error({ err: error }, 'the judge could not take from the queue');
    }
  }

  async #work(claimed: Claimed, lease: string, signal: AbortSignal): Promise<void> {
    const { database, clock, log } = this.#options;
    try {
      const judgement = await this.#judge(claimed, lease, signal);
      await queries.finishSubmission(database, claimed, lease, judgement, clock.now());
    } catch (error) {
      try {
        if (this.#stopped.signal.aborted)
          await queries.releaseSubmission(database, claimed, lease, null, false);
        else if (!signal.aborted) await this.#failed(claimed, lease, error);
      } catch (second) {
        // The lease ends by itself, and with it what we hold.
        log.error({ err: second, submissionID: claimed.id }, 'a submission could not be put back');
      }
    }
  }

  /** The machinery failed: nothing is said of the program, which is tried again, but not for ever. */
  async #failed(claimed: Claimed, lease: string, error: unknown): Promise<void> {
    const { database, clock, log } = this.#options;
    log.warn(
      { err: error, submissionID: claimed.id, attempts: claimed.attempts },
      'a submission could not be judged',
    );
    if (claimed.attempts < ATTEMPTS) {
      const rest = this.#later(REST_SECONDS * claimed.attempts);
      await queries.releaseSubmission(database, claimed, lease, rest, true);
      return;
    }
    const nothing = { tests: [], passed: 0, compilerOutput: '', output: '' };
    const judgement: Judgement = {
      ...nothing,
      verdict: 'systemError',
      returnCode: null,
      cpuMs: null,
      memoryBytes: null,
    };
    await queries.finishSubmission(database, claimed, lease, judgement, clock.now());
  }

  async #judge(claimed: Claimed, lease: string, signal: AbortSignal): Promise<Judgement> {
    const { tests, uploads } = this.#options;
    if (claimed.kind !== 'run') {
      if (claimed.testsFolder === null) throw new Error('the problem has no tests');
      return this.#follow(
        claimed,
        lease,
        tests.files(claimed.testsFolder, claimed.testCount),
        signal,
      );
    }
    await using workplace = await uploads.workplace();
    const inputPath = join(workplace.path, 'stdin');
    await writeFile(inputPath, claimed.stdin, { flag: 'wx', mode: 0o644 });
    // Awaited here: the workplace goes with the end of this scope.
    return await this.#follow(claimed, lease, [{ inputPath }], signal);
  }

  /** Reads what the sandbox says, and lets those who look on know. */
  async #follow(
    claimed: Claimed,
    lease: string,
    tests: readonly SandboxTest[],
    signal: AbortSignal,
  ): Promise<Judgement> {
    const { database, sandbox } = this.#options;
    const stored: StoredTest[] = [];
    let passed = 0;
    let compilerOutput = '';
    let isCompiled = false;
    let output = '';
    let timeouts = 0;
    let toldAt = -Infinity;
    const resultOf = (verdict: JudgeVerdict): Judgement => {
      const failed = stored.find((test) => test.verdict !== 'accepted');
      const most = (pick: (test: StoredTest) => number): number | null =>
        stored.length === 0 ? null : Math.max(...stored.map(pick));
      return {
        verdict,
        returnCode: failed?.exitCode ?? null,
        passed,
        cpuMs: most(({ cpuMs }) => cpuMs),
        memoryBytes: most(({ memoryBytes }) => memoryBytes),
        compilerOutput,
        output,
        tests: stored,
      };
    };
    const job = {
      language: claimed.language as Parameters<Sandbox['judge']>[0]['language'],
      source: claimed.source,
      limits: runLimitsOf(claimed),
      tests,
      stopsAtFailure: false,
    };
    // Also ends what still runs when we have heard enough.
    const enough = new AbortController();
    try {
      for await (const report of sandbox.judge(job, AbortSignal.any([signal, enough.signal]))) {
        if (report.kind !== 'test') {
          compilerOutput = plain(report.output);
          if (report.kind === 'compileError') return resultOf('compileError');
          isCompiled = true;
        } else {
          stored.push(storedOf(report));
          if (report.verdict === 'accepted') passed += 1;
          if (report.verdict === 'timeLimit') timeouts += 1;
          if (report.output !== null) output = plain(report.output);
        }
        if (timeouts >= TIMEOUTS_MAX) break;
        if (performance.now() - toldAt < TELL_MS) continue;
        toldAt = performance.now();
        const progress = { tests: stored, passed, compilerOutput };
        // Somebody else has it, or it is gone with its problem or its user.
        if (!(await queries.writeProgress(database, claimed, lease, progress)))
          throw new Error('the submission is not ours any more');
      }
    } finally {
      enough.abort();
    }
    signal.throwIfAborted();
    if (!isCompiled || (stored.length < tests.length && timeouts < TIMEOUTS_MAX))
      throw new Error(`the sandbox told of ${stored.length} tests out of ${tests.length}`);
    const failed = stored.find((test) => test.verdict !== 'accepted');
    return resultOf((failed?.verdict ?? 'accepted') as JudgeVerdict);
  }
}
