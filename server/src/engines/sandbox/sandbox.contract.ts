/** What every driver of {@link Sandbox} keeps, on real compilers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgrammingLanguage } from '@hypercube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTACKS, COMPILER_ATTACKS, openDecoys, type Decoys } from './sandbox.attacks.ts';
import { PROGRAMS } from './sandbox.programs.ts';
import {
  SandboxError,
  type CompileReport,
  type RunLimits,
  type Sandbox,
  type SandboxReport,
  type TestReport,
} from './sandbox.ts';

/** What a driver brings to be tested. */
export interface SandboxUnderTest {
  readonly sandbox: Sandbox;
  /** What is left on this machine of everything that ran: processes, mounts, control groups. */
  findLeftovers(): string[];
  /** What the sandbox itself has on this machine while it is open. */
  findOwn(): string[];
  /** Takes away what it needed: its image's engine and folders. */
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
export const LIMITS: RunLimits = {
  cpuMs: 2_000,
  wallMs: 10_000,
  memoryBytes: 64 * MEBIBYTE,
  outputBytes: MEBIBYTE,
  parallelism: 2,
};

/** Prints what it is given. */
const CAT = '#include <stdio.h>\nint main(){int c;while((c=getchar())!=EOF)putchar(c);}';

interface Case {
  readonly language?: ProgrammingLanguage;
  readonly source: string;
  readonly limits?: Partial<RunLimits>;
  /** Input and expected output; without the second the output is told. */
  readonly tests?: readonly (readonly [input: string, expected?: string])[];
  readonly stopsAtFailure?: boolean;
}

export function describeSandbox(name: string, open: () => Promise<SandboxUnderTest>): void {
  describe(`sandbox: ${name}`, () => {
    let under: SandboxUnderTest;
    let folder: string;
    let decoys: Decoys;
    let files = 0;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hypercube-sandbox-'));
      decoys = await openDecoys(folder);
      under = await open();
    });
    afterAll(async () => {
      await decoys.close();
      rmSync(folder, { recursive: true });
      await under?.close();
    });

    function file(text: string): string {
      const path = join(folder, `file-${(files += 1)}`);
      writeFileSync(path, text);
      return path;
    }

    function judge(one: Case, signal = new AbortController().signal): AsyncIterable<SandboxReport> {
      return under.sandbox.judge(
        {
          language: one.language ?? ProgrammingLanguage.c,
          source: one.source,
          limits: { ...LIMITS, ...one.limits },
          tests: (one.tests ?? [['']]).map(([input, expected]) => ({
            inputPath: file(input),
            ...(expected === undefined ? {} : { expectedPath: file(expected) }),
          })),
          stopsAtFailure: one.stopsAtFailure ?? false,
        },
        signal,
      );
    }

    async function run(one: Case): Promise<{ compile: CompileReport; tests: TestReport[] }> {
      const reports: SandboxReport[] = [];
      for await (const report of judge(one)) reports.push(report);
      const [compile, ...tests] = reports;
      if (!compile || compile.kind === 'test') throw new Error('no report of the compilation');
      return { compile, tests: tests.filter((report) => report.kind === 'test') };
    }

    /** The report of the only test of a program in C. */
    async function runC(source: string, limits: Partial<RunLimits> = {}): Promise<TestReport> {
      const { compile, tests } = await run({ source, limits });
      const [test] = tests;
      if (!test) throw new Error(compile.output);
      return test;
    }

    it('is ready, and says for what', async () => {
      expect(await under.sandbox.health()).toEqual({
        isReady: true,
        languages: Object.entries(ProgrammingLanguage)
          .filter(([language]) => language !== 'cuda')
          .map(([, number]) => number),
      });
    });

    it.each(PROGRAMS)('$name: right, wrong, and not compiled', async (program) => {
      const { language } = program;
      const right = await run({
        language,
        source: program.right,
        tests: [
          ['3 4\n', '7\n'],
          ['-5 5', '  0  '],
          ['20 22\n', '43\n'],
        ],
      });
      expect(right.compile).toMatchObject({ kind: 'compiled' });
      expect(right.tests.map(({ verdict, errorOutput }) => [verdict, errorOutput])).toEqual([
        ['accepted', ''],
        ['accepted', ''],
        ['wrongAnswer', ''],
      ]);
      expect(right.tests[2]?.difference).toEqual({ token: 1, expected: '43', found: '42' });
      expect(right.tests[0]).toMatchObject({ number: 1, exitCode: 0, signal: null, output: null });
      expect(right.tests[0]?.memoryBytes).toBeGreaterThan(0);

      const broken = await run({ language, source: program.broken, tests: [['', '']] });
      expect(broken.compile.kind).toBe('compileError');
      expect(broken.compile.output).toContain(program.complaint);
      expect(broken.compile.output).not.toContain(folder);
      expect(broken.tests).toEqual([]);
    });

    it.each(PROGRAMS)('$name: a crash has its exit code or its signal', async (program) => {
      const { language, crash } = program;
      const { tests } = await run({ language, source: crash.source, tests: [['', '']] });
      expect(tests).toMatchObject([
        { verdict: 'runtimeError', exitCode: crash.exitCode, signal: crash.signal },
      ]);
      expect(tests[0]?.errorOutput).toContain(crash.says);
    });

    it.each(PROGRAMS)('$name: an endless loop ends at the limit of time', async (program) => {
      const { language, endless } = program;
      const { tests } = await run({
        language,
        source: endless,
        limits: { cpuMs: 500, wallMs: 5_000 },
        tests: [['', '']],
      });
      expect(tests).toMatchObject([{ verdict: 'timeLimit', exitCode: null }]);
    });

    it.each(PROGRAMS)('$name: too much memory', async (program) => {
      const { language, greedy } = program;
      const { tests } = await run({ language, source: greedy, tests: [['', '']] });
      expect(tests).toMatchObject([{ verdict: 'memoryLimit' }]);
    });

    it('compares token by token, and tells the first difference', async () => {
      const long = '长'.repeat(100);
      const { tests } = await run({
        source: CAT,
        tests: [
          ['1  2\t3\r\n\n', '1 2 3'],
          ['', ''],
          ['', ' \n'],
          ['1 2', '1 2 3'],
          ['1 2 3', '1 2'],
          ['1 23', '1 234'],
          ['1 234', '1 23'],
          ['1 2 x 4', '1 2 y 5'],
          [`a ${long}x`, `a ${long}y`],
          ['你好，世界 2', '你好，世界 3'],
          ['1', ''],
        ],
      });
      expect(tests.map(({ verdict, difference }) => (difference ? difference : verdict))).toEqual([
        'accepted',
        'accepted',
        'accepted',
        { token: 3, expected: '3', found: null },
        { token: 3, expected: null, found: '3' },
        { token: 2, expected: '234', found: '23' },
        { token: 2, expected: '23', found: '234' },
        { token: 3, expected: 'y', found: 'x' },
        { token: 2, expected: '长'.repeat(64), found: '长'.repeat(64) },
        { token: 2, expected: '3', found: '2' },
        { token: 1, expected: null, found: '1' },
      ]);
    });

    it('compares as splitting at white space would, whatever the texts', async () => {
      // Always the same texts: few letters, so that many agree for a while.
      let state = 42;
      const below = (limit: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return Math.floor((state / 2 ** 31) * limit);
      };
      const letters = ['a', 'a', 'b', '长', ' ', '\n', '\t', '\r\n'];
      const textOf = (length: number): string =>
        Array.from({ length }, () => letters[below(letters.length)]).join('');
      const tests = Array.from({ length: 100 }, () => {
        const output = textOf(below(12));
        return [
          output,
          below(2) === 0 ? output.replaceAll(' ', ' \n') : textOf(below(12)),
        ] as const;
      });
      const tokens = (one: string): string[] => one.split(/\s+/).filter(Boolean);
      const told = await run({ source: CAT, tests });
      expect(told.tests.map(({ difference }) => difference)).toEqual(
        tests.map(([output, expected]) => {
          const [found, wanted] = [tokens(output), tokens(expected)];
          const index = Array.from({ length: Math.max(found.length, wanted.length) }).findIndex(
            (_, place) => found[place] !== wanted[place],
          );
          return index < 0
            ? null
            : { token: index + 1, expected: wanted[index] ?? null, found: found[index] ?? null };
        }),
      );
    });

    it('compares long outputs to their end, in whatever pieces they come', async () => {
      const numbers = Array.from({ length: 100_000 }, (_, index) => index * 7_919);
      const output = numbers.join(' ');
      const { tests } = await run({
        source: CAT,
        tests: [
          [output, numbers.join('\n')],
          [output, `${output}1`],
        ],
      });
      expect(tests).toMatchObject([
        { verdict: 'accepted' },
        {
          verdict: 'wrongAnswer',
          difference: { token: 100_000, expected: '7918920811', found: '791892081' },
        },
      ]);
    });

    it('tells output where there is nothing to compare with', async () => {
      const { tests } = await run({
        source:
          '#include <stdio.h>\nint main(){int c;while((c=getchar())!=EOF)putchar(c);fputs("\\xff错误",stderr);}',
        tests: [['超立方\n第二行']],
      });
      expect(tests).toMatchObject([
        { verdict: 'finished', output: '超立方\n第二行', errorOutput: '\uFFFD错误' },
      ]);
    });

    it('keeps the beginning of long output, and ends what goes on', async () => {
      const yes = '#include <stdio.h>\nint main(){for(;;)puts("y");}';
      const output = await runC(yes);
      expect(output).toMatchObject({ verdict: 'outputLimit', exitCode: null });
      expect(output.output).toBe('y\n'.repeat(32 * 1024));
      const errors = await runC(
        '#include <stdio.h>\nint main(){for(int i=0;i<100000;i++)fputs("e\\n",stderr);}',
      );
      expect(errors).toMatchObject({ verdict: 'finished', errorOutput: 'e\n'.repeat(4 * 1024) });
    });

    it('runs a hundred tests in order, and ends at the first failure if asked to', async () => {
      const sum = PROGRAMS[0]?.right ?? '';
      const tests = Array.from(
        { length: 100 },
        (_, index) => [`${index} 1`, String(index === 49 ? 0 : index + 1)] as const,
      );
      const all = await run({ source: sum, tests });
      expect(all.tests.map(({ number }) => number)).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      );
      expect(all.tests.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(99);
      const some = await run({ source: sum, tests, stopsAtFailure: true });
      expect(some.tests).toHaveLength(50);
      expect(some.tests.at(-1)).toMatchObject({ number: 50, verdict: 'wrongAnswer' });
    });

    it('compiles alone when there are no tests', async () => {
      const { compile, tests } = await run({ source: 'int main(){}', tests: [] });
      expect([compile.kind, tests]).toEqual(['compiled', []]);
    });

    it('counts time and memory of all processes together', async () => {
      const spin = 'for(volatile long i=0;;i++);';
      const headers = '#include <unistd.h>\n#include <signal.h>\n';
      const limits = { cpuMs: 400, wallMs: 8_000 };
      for (const source of [
        `${headers}int main(){for(int i=0;i<4;i++)if(!fork()){${spin}}pause();}`,
        // Children that nobody waits for, whose time no parent ever learns of.
        `${headers}int main(){signal(SIGCHLD,SIG_IGN);for(;;){if(!fork()){for(volatile long i=0;i<30000000;i++);_exit(0);}usleep(20000);}}`,
        `${headers}int main(){if(fork())pause();setsid();if(fork())_exit(0);${spin}}`,
      ]) {
        const report = await runC(source, limits);
        expect(report.verdict).toBe('timeLimit');
        expect(report.cpuMs).toBeGreaterThan(400);
        expect(report.wallMs).toBeLessThan(8_000);
      }
      const asleep = await runC(`${headers}int main(){pause();}`, { wallMs: 300 });
      expect(asleep).toMatchObject({ verdict: 'timeLimit' });
      expect(asleep.cpuMs).toBeLessThan(100);
    });

    it('draws the line of memory exactly', async () => {
      const touch = (mebibytes: number): string =>
        `#include <stdlib.h>\nint main(){volatile char*p=malloc(${mebibytes}L<<20);for(long i=0;i<${mebibytes}L<<20;i+=4096)p[i]=1;}`;
      const within = await runC(touch(62));
      expect(within).toMatchObject({ verdict: 'finished', exitCode: 0 });
      expect(within.memoryBytes).toBeGreaterThanOrEqual(62 * MEBIBYTE);
      const beyond = await runC(touch(64));
      expect(beyond).toMatchObject({ verdict: 'memoryLimit' });
      expect(beyond.memoryBytes).toBeLessThanOrEqual(64 * MEBIBYTE);
      expect(beyond.memoryBytes).toBeGreaterThan(63 * MEBIBYTE);
      // What is asked for and never touched is nobody's memory.
      const static4GiB = '#include <stdio.h>\nstatic char a[4L<<30];int main(){puts(a);}';
      expect(await runC(static4GiB)).toMatchObject({ verdict: 'finished' });
    });

    it('hands a long input to the first rank of MPI whole, and its output back', async () => {
      const numbers = Array.from({ length: 60_000 }, (_unused, index) => index * 7919 + 1).join(
        ' ',
      );
      const { tests } = await run({
        language: ProgrammingLanguage.mpi,
        source:
          '#include <mpi.h>\n#include <stdio.h>\nint main(int c,char**v){int r,x;MPI_Init(&c,&v);MPI_Comm_rank(MPI_COMM_WORLD,&r);while(scanf("%d",&x)==1)printf("%d ",x);MPI_Finalize();}',
        tests: Array.from({ length: 5 }, () => [numbers, numbers] as const),
      });
      expect(tests.map(({ verdict, difference }) => ({ verdict, difference }))).toEqual(
        Array.from({ length: 5 }, () => ({ verdict: 'accepted', difference: null })),
      );
    });
    it('gives OpenMP its threads and MPI its ranks', async () => {
      const { tests } = await run({
        language: ProgrammingLanguage.openmp,
        source:
          '#include <omp.h>\n#include <stdio.h>\nint main(){int n=0;\n#pragma omp parallel reduction(+:n)\nn+=1;\nprintf("%d",n);}',
        limits: { parallelism: 3 },
      });
      expect(tests[0]?.output).toBe('3');
      const ranks = await run({
        language: ProgrammingLanguage.mpi,
        source:
          '#include <mpi.h>\n#include <stdio.h>\nint main(int c,char**v){int n,r;MPI_Init(&c,&v);MPI_Comm_size(MPI_COMM_WORLD,&n);MPI_Comm_rank(MPI_COMM_WORLD,&r);if(!r)printf("%d",n);MPI_Finalize();}',
        limits: { parallelism: 4 },
      });
      expect(ranks.tests[0]?.output).toBe('4');
    });

    it('ends everything at once when told to', async () => {
      const controller = new AbortController();
      const reason = new Error('withdrawn');
      const seen: string[] = [];
      const source =
        '#include <unistd.h>\nint main(){for(int i=0;i<5;i++)if(!fork())break;setsid();pause();}';
      const judged = (async () => {
        for await (const report of judge(
          { source, limits: { wallMs: 60_000 } },
          controller.signal,
        )) {
          seen.push(report.kind);
          controller.abort(reason);
        }
      })();
      await expect(judged).rejects.toBe(reason);
      expect(seen).toEqual(['compiled']);
      expect(under.findLeftovers()).toEqual([]);
      const late = judge({ source }, AbortSignal.abort(reason));
      await expect(late[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    });

    it('ends a job whose reports nobody wants any more', async () => {
      for await (const report of judge({
        source: '#include <unistd.h>\nint main(){pause();}',
        limits: { wallMs: 60_000 },
      })) {
        expect(report.kind).toBe('compiled');
        break;
      }
      expect(under.findLeftovers()).toEqual([]);
    });

    it('keeps jobs that run side by side apart', async () => {
      const controller = new AbortController();
      const mark = (body: string): string => `#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
static struct sockaddr_un name = { AF_UNIX, "\\0mark" };
int main(void) { int s = socket(AF_UNIX, SOCK_STREAM, 0); ${body} }`;
      const first = judge(
        {
          source: mark(
            'bind(s,(void*)&name,8);listen(s,1);shmget(4711,4096,IPC_CREAT|0666);' +
              'close(open("/tmp/mark",O_CREAT|O_WRONLY,0666));close(open("/dev/shm/mark",O_CREAT|O_WRONLY,0666));pause();',
          ),
          limits: { wallMs: 60_000 },
        },
        controller.signal,
      )[Symbol.asyncIterator]();
      expect((await first.next()).value).toMatchObject({ kind: 'compiled' });
      // The first is running from now on; the second looks for it for a while.
      const { tests } = await run({
        source: mark(`
          int found = 0;
          for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end && !found;) {
            if (connect(s, (void *)&name, 8) == 0) found |= 1;
            if (shmget(4711, 4096, 0) >= 0) found |= 2;
            if (access("/tmp/mark", F_OK) == 0 || access("/dev/shm/mark", F_OK) == 0) found |= 4;
            DIR *d = opendir("/proc"); int n = 0;
            for (struct dirent *e; (e = readdir(d));) n += atoi(e->d_name) > 0;
            closedir(d);
            if (n > 2) found |= 8;
          }
          printf("%d", found);`),
      });
      expect(tests).toMatchObject([{ verdict: 'finished', output: '0' }]);
      controller.abort(new Error('enough'));
      await expect(first.next()).rejects.toThrow('enough');
    });

    it('leaves nothing of one test for the next', async () => {
      const { tests } = await run({
        source: `#include <fcntl.h>
#include <stdio.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  int found = 0;
  const char *paths[] = { "/tmp/left", "/dev/shm/left", "/box/left", "/var/tmp/left", "/run/left" };
  for (int i = 0; i < 5; i++) {
    found += access(paths[i], F_OK) == 0;
    int fd = open(paths[i], O_CREAT | O_WRONLY, 0666);
    if (fd >= 0) write(fd, "x", 1), close(fd);
  }
  found += symlink("/etc/shadow", "/box/link") == 0;
  found += unlink("/box/main") == 0;
  found += shmget(42, 4096, 0) >= 0;
  shmget(42, 4096, IPC_CREAT | 0666);
  if (!fork()) { setsid(); pause(); }
  printf("%d", found);
}`,
        tests: [[''], [''], ['']],
      });
      expect(tests.map(({ output }) => output)).toEqual(['0', '0', '0']);
    });

    it.each(ATTACKS)('attack: $name', async ({ source, limits, verdicts, output }) => {
      const report = await runC(source(decoys), limits);
      expect(verdicts ?? ['finished'], report.errorOutput).toContain(report.verdict);
      expect(report).toMatchObject(output === undefined ? {} : { output });
      // Whatever it tried, the next one is judged as ever.
      const after = await run({ source: PROGRAMS[0]?.right ?? '', tests: [['1 1', '2']] });
      expect(after.tests).toMatchObject([{ verdict: 'accepted' }]);
    });

    it.each(COMPILER_ATTACKS)(
      'attack on the compiler: $name',
      async ({ language, source, says }) => {
        const { compile } = await run({ language, source, tests: [] });
        expect(compile.kind).toBe('compileError');
        expect(compile.output).toMatch(says);
        expect(compile.output.length).toBeLessThanOrEqual(17 * 1024);
        expect(compile.output).not.toContain('root:');
      },
    );

    it('says nothing of a program when the machinery fails', async () => {
      const broken = under.sandbox.judge(
        {
          language: ProgrammingLanguage.c,
          source: 'int main(){}',
          limits: LIMITS,
          tests: [{ inputPath: join(folder, 'missing') }],
          stopsAtFailure: false,
        },
        new AbortController().signal,
      );
      await expect(broken[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(SandboxError);
      const cuda = judge({ language: ProgrammingLanguage.cuda, source: '' });
      await expect(cuda[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(SandboxError);
    });

    it('leaves nothing behind, and when it is closed not even itself', async () => {
      expect(under.findLeftovers()).toEqual([]);
      expect(under.findOwn()).not.toEqual([]);
      await under.sandbox.close();
      expect(under.findOwn()).toEqual([]);
      expect(await under.sandbox.health()).toMatchObject({ isReady: false });
    });
  });
}
