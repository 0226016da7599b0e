import { ProgrammingLanguage } from '@hypercube/contract';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import type { RunLimits } from './sandbox.ts';

const LIMITS: RunLimits = {
  cpuMs: 1000,
  wallMs: 3000,
  memoryBytes: 64 * 1024 * 1024,
  outputBytes: 1024,
  parallelism: 4,
};

describe('recipes of languages', () => {
  it('there is one for every language but CUDA', () => {
    const known = Object.values(ProgrammingLanguage).filter(
      (language) => language !== ProgrammingLanguage.cuda,
    );
    expect(new Set(LANGUAGES.keys())).toEqual(new Set(known));
  });

  it.each([...LANGUAGES])(
    'language %i runs programs of the box, with what it was given',
    (_, one) => {
      const { run, compile, running, sourceName } = one.recipe(LIMITS);
      for (const [program] of [run, compile]) expect(program).toMatch(/^\/(usr\/bin|box)\//);
      expect(compile).toContain(sourceName);
      expect(running.outputBytes).toBe(LIMITS.outputBytes);
      // A run-time gets an allowance; nobody gets less than the problem says.
      expect(running.cpuMs).toBeGreaterThanOrEqual(LIMITS.cpuMs);
      expect(running.wallMs).toBeGreaterThanOrEqual(LIMITS.wallMs);
      expect(running.memoryBytes).toBeGreaterThanOrEqual(LIMITS.memoryBytes);
      expect(running.processes).toBeGreaterThan(24);
    },
  );

  it.each([
    ['c', LIMITS],
    ['python', LIMITS],
    ['openmp', LIMITS],
    ['pthread', LIMITS],
    ['java', { ...LIMITS, memoryBytes: 160 * 1024 * 1024 }],
    ['mpi', { ...LIMITS, cpuMs: 1600, wallMs: 3700, memoryBytes: 144 * 1024 * 1024 }],
  ] as const)('%s: limits with the allowance of its run-time', (name, expected) => {
    const { running } = LANGUAGES.get(ProgrammingLanguage[name])?.recipe(LIMITS) ?? {};
    const { cpuMs, wallMs, memoryBytes } = expected;
    expect(running).toMatchObject({ cpuMs, wallMs, memoryBytes });
  });
});
