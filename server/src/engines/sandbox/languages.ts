/** How each language is compiled and run in a box, and what its run-time needs beside the program. */
import { ProgrammingLanguage } from '@hypercube/contract';
import type { RunLimits } from './sandbox.ts';

const MEBIBYTE = 1024 * 1024;
const WORK = '/box';

/** What the helper holds one run to; all of a run's processes together. */
export interface BoxLimits {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly processes: number;
}

/** A job in the helper's words. Programs by absolute path inside the box. */
export interface Recipe {
  readonly sourceName: string;
  /** Null: nothing is compiled. */
  readonly compile: readonly string[];
  readonly compiling: BoxLimits;
  readonly run: readonly string[];
  readonly running: BoxLimits;
  readonly env: Readonly<Record<string, string>>;
  /** How the language itself says that memory ran out, before the box has to. */
  readonly outOfMemory?: { readonly exitCode: number; readonly text: string };
}

/** Generous, and the same for every problem: who writes templates that need more is told so. */
const COMPILING: BoxLimits = {
  cpuMs: 10_000,
  wallMs: 30_000,
  memoryBytes: 512 * MEBIBYTE,
  outputBytes: 16 * 1024,
  processes: 64,
};
const COMPILING_JAVA: BoxLimits = {
  ...COMPILING,
  cpuMs: 20_000,
  memoryBytes: 1024 * MEBIBYTE,
  processes: 128,
};

/** Of the Java virtual machine itself, beside the heap that the limit is for. */
const JAVA_MEMORY = 96 * MEBIBYTE;
/**
 * Starting MPI: its launcher and its ranks, before the program's first line. An empty program on two
 * idle cores (Open MPI 5) takes 0.2 s of wall time, 0.07 s and 0.02 s a rank of processor, 3 MiB and
 * as much a rank; ranks that wait for each other, buffers of messages and busy machines take more.
 */
const MPI = {
  wallMs: 500,
  wallMsPerRank: 50,
  cpuMs: 200,
  cpuMsPerRank: 100,
  memoryBytes: 16 * MEBIBYTE,
  memoryBytesPerRank: 16 * MEBIBYTE,
} as const;

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** As in the toolchain image: no reading of others' memory, no half-seen topology, more ranks than cores. */
const MPI_ENVIRONMENT = {
  HWLOC_HIDE_ERRORS: '2',
  OMPI_MCA_smsc: '^cma,xpmem,knem',
  OMPI_MCA_btl: 'self,sm',
  OMPI_MCA_pml: 'ob1',
  OMPI_MCA_mpi_yield_when_idle: '1',
  PRTE_MCA_rmaps_default_mapping_policy: 'slot:oversubscribe',
  PRTE_MCA_hwloc_default_binding_policy: 'none',
};

const C_FLAGS = ['-O2', '-std=gnu17', '-pipe', '-o', 'main', 'main.c'];

function native(
  compiler: string,
  sourceName: string,
  flags: readonly string[],
  processes: number,
): (limits: RunLimits) => Recipe {
  return (limits) => ({
    sourceName,
    compile: [`/usr/bin/${compiler}`, ...flags, '-lm'],
    compiling: COMPILING,
    run: [`${WORK}/main`],
    running: { ...limits, processes: processes + 2 * limits.parallelism },
    env: { ...ENVIRONMENT, OMP_NUM_THREADS: String(limits.parallelism) },
  });
}

function java(limits: RunLimits): Recipe {
  const heap = Math.max(16, Math.floor(limits.memoryBytes / MEBIBYTE));
  return {
    sourceName: 'Main.java',
    compile: [
      '/usr/bin/javac',
      '-J-Xmx512m',
      '-J-XX:+UseSerialGC',
      '-J-XX:TieredStopAtLevel=1',
      '-J-XX:-UsePerfData',
      '-encoding',
      'UTF-8',
      'Main.java',
    ],
    compiling: COMPILING_JAVA,
    run: [
      '/usr/bin/java',
      `-Xmx${heap}m`,
      '-Xss64m',
      '-XX:+UseSerialGC',
      '-XX:-UsePerfData',
      `-XX:ActiveProcessorCount=${limits.parallelism}`,
      // A program that catches the error would only fill its heap again, slower and slower.
      '-XX:+ExitOnOutOfMemoryError',
      '-XX:+DisplayVMOutputToStderr',
      '-Dstdout.encoding=UTF-8',
      '-cp',
      WORK,
      'Main',
    ],
    running: {
      ...limits,
      memoryBytes: limits.memoryBytes + JAVA_MEMORY,
      processes: 128 + 2 * limits.parallelism,
    },
    env: ENVIRONMENT,
    outOfMemory: { exitCode: 3, text: 'java.lang.OutOfMemoryError' },
  };
}

/** Where the input of an MPI program lies until its first rank has opened it; counts as memory. */
const MPI_INPUT = '/tmp/.input';
/** What each rank begins as: the first one has the input, the others have none. */
const MPI_RANK = [
  'if [ "$PMIX_RANK" = 0 ]',
  `then exec <${MPI_INPUT}; rm ${MPI_INPUT}`,
  'else exec </dev/null',
  'fi',
  `exec ${WORK}/main`,
].join('\n');
/**
 * Open MPI 5.0.7's launcher hands standard input on to the first rank by itself, but beyond a few
 * tens of kilobytes parts of it come in another order. So the rank opens the input on its own.
 */
const MPI_LAUNCH = [
  `cat >${MPI_INPUT}`,
  'exec /usr/bin/mpirun -np "$1" /usr/bin/sh -c "$2" </dev/null',
].join(' && ');

function mpi(limits: RunLimits): Recipe {
  const ranks = limits.parallelism;
  return {
    sourceName: 'main.c',
    compile: ['/usr/bin/mpicc', ...C_FLAGS, '-lm'],
    compiling: COMPILING,
    run: ['/usr/bin/sh', '-c', MPI_LAUNCH, 'sh', String(ranks), MPI_RANK],
    running: {
      ...limits,
      cpuMs: limits.cpuMs + MPI.cpuMs + MPI.cpuMsPerRank * ranks,
      wallMs: limits.wallMs + MPI.wallMs + MPI.wallMsPerRank * ranks,
      memoryBytes: limits.memoryBytes + MPI.memoryBytes + MPI.memoryBytesPerRank * ranks,
      processes: 64 + 16 * ranks,
    },
    env: { ...ENVIRONMENT, ...MPI_ENVIRONMENT, OMP_NUM_THREADS: '1' },
  };
}

function python(limits: RunLimits): Recipe {
  return {
    sourceName: 'main.py',
    // Only its syntax: so that a slip is told as what it is, once, and not by every test.
    compile: ['/usr/bin/python3', '-m', 'py_compile', 'main.py'],
    compiling: COMPILING,
    run: ['/usr/bin/python3', 'main.py'],
    running: { ...limits, processes: 64 + 2 * limits.parallelism },
    env: { ...ENVIRONMENT, OMP_NUM_THREADS: String(limits.parallelism) },
  };
}

interface Language {
  readonly recipe: (limits: RunLimits) => Recipe;
  /** Files of the root file system without which there is no such language. */
  readonly needs: readonly string[];
}

/** CUDA is not among them: the image has no compiler for it. */
export const LANGUAGES: ReadonlyMap<ProgrammingLanguage, Language> = new Map([
  [ProgrammingLanguage.c, { recipe: native('gcc', 'main.c', C_FLAGS, 64), needs: ['usr/bin/gcc'] }],
  [
    ProgrammingLanguage.cpp,
    {
      recipe: native(
        'g++',
        'main.cpp',
        ['-O2', '-std=gnu++20', '-pipe', '-o', 'main', 'main.cpp'],
        64,
      ),
      needs: ['usr/bin/g++'],
    },
  ],
  [ProgrammingLanguage.python, { recipe: python, needs: ['usr/bin/python3'] }],
  [ProgrammingLanguage.java, { recipe: java, needs: ['usr/bin/java', 'usr/bin/javac'] }],
  [
    ProgrammingLanguage.openmp,
    { recipe: native('gcc', 'main.c', ['-fopenmp', ...C_FLAGS], 64), needs: ['usr/bin/gcc'] },
  ],
  [ProgrammingLanguage.mpi, { recipe: mpi, needs: ['usr/bin/mpicc', 'usr/bin/mpirun'] }],
  [
    ProgrammingLanguage.pthread,
    { recipe: native('gcc', 'main.c', ['-pthread', ...C_FLAGS], 256), needs: ['usr/bin/gcc'] },
  ],
]);
