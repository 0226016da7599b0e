/**
 * How untrusted programs are compiled and run for the judge. A driver passes the contract test
 * beside it (`sandbox.contract.ts`); the domains know nothing else of it.
 */
import type { ProgrammingLanguage } from '@hypercube/contract';

/** What a program may use; whoever calls says all of it. */
export interface RunLimits {
  /** Of all its processes together, per test. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Of all its processes together, files in memory included. */
  readonly memoryBytes: number;
  /** Standard output; what comes after it is not kept. */
  readonly outputBytes: number;
  /** Ranks of MPI; what `OMP_NUM_THREADS` says. */
  readonly parallelism: number;
}

/** One run. Paths are absolute, on the host, and ours: nothing in them was written by a client. */
export interface SandboxTest {
  /** Given as standard input. */
  readonly inputPath: string;
  /** Compared token by token, white space apart (decision 41); without it the output is told. */
  readonly expectedPath?: string;
}

export interface SandboxJob {
  readonly language: ProgrammingLanguage;
  readonly source: string;
  readonly limits: RunLimits;
  /** In order; none compiles only. */
  readonly tests: readonly SandboxTest[];
  /** Ends after the first test that is not accepted. */
  readonly stopsAtFailure: boolean;
}

/** `finished`: ended by itself, and there was nothing to compare with. */
export type TestVerdict =
  | 'accepted'
  | 'finished'
  | 'wrongAnswer'
  | 'timeLimit'
  | 'memoryLimit'
  | 'outputLimit'
  | 'runtimeError';

export interface TestReport {
  readonly kind: 'test';
  /** From 1. */
  readonly number: number;
  readonly verdict: TestVerdict;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Peak of all its processes together. */
  readonly memoryBytes: number;
  /** Null where a signal ended it, or we did. */
  readonly exitCode: number | null;
  /** Number of the signal that ended it, where one did. */
  readonly signal: number | null;
  /** Where the output first differs: number of the token, from 1, and both, cut to 64 characters; null where one side ended. */
  readonly difference: {
    readonly token: number;
    readonly expected: string | null;
    readonly found: string | null;
  } | null;
  /** Beginning of standard output, at most 64 KiB, where there was nothing to compare with. */
  readonly output: string | null;
  /** Beginning of standard error, at most 8 KiB; not UTF-8 is replaced. */
  readonly errorOutput: string;
}

export interface CompileReport {
  readonly kind: 'compiled' | 'compileError';
  /** What the compiler said, at most 16 KiB; paths of ours do not occur in it. */
  readonly output: string;
  readonly cpuMs: number;
  readonly wallMs: number;
}

export type SandboxReport = CompileReport | TestReport;

/** Whether programs can be judged here, and if not, why (for staff; a code-like English sentence). */
export type SandboxHealth =
  | {
      readonly isReady: true;
      /** What can be compiled and run here. */
      readonly languages: readonly ProgrammingLanguage[];
    }
  | { readonly isReady: false; readonly reason: string };

/** The machinery failed, not the program: nothing is said of the program. */
export class SandboxError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxError';
  }
}

export interface Sandbox {
  health(): Promise<SandboxHealth>;
  /**
   * Compiles, then runs the tests one after the other, and tells each as soon as it is known.
   * Ends after a `compileError`. Several jobs may run side by side; each is apart from the others.
   * @param signal ends everything of the job at once; the iteration then throws its reason
   * @throws SandboxError the machinery failed
   */
  judge(job: SandboxJob, signal: AbortSignal): AsyncIterable<SandboxReport>;
  /** Ends everything that runs. */
  close(): Promise<void>;
}
