import { wallMsOf } from '@hypercube/contract';
import type { RunLimits } from '../../engines/sandbox/sandbox.ts';

/** Standard output of a test; what a program prints beyond it is an output limit. */
const OUTPUT_BYTES = 64 * 1024 * 1024;
/** What the sandbox is told of a problem's limits. */
export const runLimitsOf = (problem: {
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly parallelism: number;
}): RunLimits => ({
  cpuMs: problem.cpuMs,
  wallMs: wallMsOf(problem.cpuMs),
  memoryBytes: problem.memoryBytes,
  outputBytes: OUTPUT_BYTES,
  parallelism: problem.parallelism,
});
