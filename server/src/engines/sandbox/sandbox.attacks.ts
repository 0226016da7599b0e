/** For the contract test: hostile programs, and what each of them must find. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ProgrammingLanguage } from '@hypercube/contract';
import type { RunLimits, TestVerdict } from './sandbox.ts';

/** Things of this machine that an attack looks for. */
export interface Decoys {
  readonly port: number;
  /** Name of a Unix socket without a path. */
  readonly socket: string;
  readonly secretFile: string;
  close(): Promise<void>;
}

async function listening(server: Server, where: string | number): Promise<Server> {
  await new Promise<void>((resolve) =>
    typeof where === 'string'
      ? server.listen(where, resolve)
      : server.listen(where, '127.0.0.1', resolve),
  );
  return server;
}

/** @param folder that anybody on this machine may read */
export async function openDecoys(folder: string): Promise<Decoys> {
  const tcp = await listening(createServer(), 0);
  const socket = `hypercube-decoy-${process.pid}`;
  const unix = await listening(createServer(), `\0${socket}`);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'secret', { mode: 0o644 });
  return {
    port: (tcp.address() as AddressInfo).port,
    socket,
    secretFile,
    close: async () => {
      for (const server of [tcp, unix]) await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Attack {
  readonly name: string;
  readonly source: (decoys: Decoys) => string;
  readonly limits?: Partial<RunLimits>;
  /** Any of these; `finished` without it. */
  readonly verdicts?: readonly TestVerdict[];
  readonly output?: string;
}

const HEADERS = `#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
`;
const main = (body: string) => (): string => `${HEADERS}int main(int c, char **v) {\n${body}\n}`;
/** Prints the name of whatever error each call gave, or `done` for one that worked. */
const trying = (...calls: readonly string[]) =>
  main(
    calls
      .map((call) => `errno = 0; puts((long)(${call}) < 0 ? strerrorname_np(errno) : "done");`)
      .join('\n'),
  );
const printed = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const times = (count: number, line: string): string => printed(...Array(count).fill(line));

/**
 * Which limit a fork bomb meets first is chance: what the kernel keeps of each process, dead ones
 * that it has not put away yet included, counts as memory (40 to 70 MiB in half a second).
 */
const BOMBED: readonly TestVerdict[] = ['timeLimit', 'memoryLimit'];

export const ATTACKS: readonly Attack[] = [
  {
    name: 'a fork bomb',
    source: main('for (;;) fork();'),
    limits: { cpuMs: 500, wallMs: 2_000 },
    verdicts: BOMBED,
  },
  {
    name: 'a fork bomb that cannot be waited for',
    source: main(
      'signal(SIGCHLD, SIG_IGN); for (;;) if (!fork()) { setsid(); if (fork()) _exit(0); }',
    ),
    limits: { cpuMs: 500, wallMs: 2_000 },
    verdicts: BOMBED,
  },
  {
    name: 'memory in many processes',
    source: main(
      'for (int i = 0; i < 8; i++) if (!fork()) { char *p = malloc(16 << 20); memset(p, 1, 16 << 20); pause(); } pause();',
    ),
    verdicts: ['memoryLimit'],
  },
  {
    name: 'memory as files',
    source: main(
      'int f = open("/dev/shm/x", O_CREAT | O_WRONLY, 0600); char b[65536] = {1}; for (;;) if (write(f, b, sizeof b) < 0) { f = open("/tmp/x", O_CREAT | O_WRONLY, 0600); }',
    ),
    verdicts: ['memoryLimit'],
  },
  {
    name: 'a gigabyte into /tmp',
    source: main(
      'int f = open("/tmp/x", O_CREAT | O_WRONLY, 0600); static char b[1 << 20]; long n = 0; while (write(f, b, sizeof b) > 0) n++; printf("%d %s", n <= 64, strerrorname_np(errno));',
    ),
    limits: { memoryBytes: 128 * 1024 * 1024 },
    output: '1 ENOSPC',
  },
  {
    name: 'a gigabyte to standard output',
    source: main('static char b[1 << 20]; for (int i = 0; i < 1024; i++) write(1, b, sizeof b);'),
    verdicts: ['outputLimit'],
  },
  {
    name: 'daemons that outlive the test',
    source: main(
      'for (int i = 0; i < 8; i++) if (!fork()) { setsid(); if (fork()) _exit(0); for (;;) pause(); } puts("gone");',
    ),
    output: printed('gone'),
  },
  {
    name: 'the network: outside, the machine itself, its sockets without a path',
    source: ({ port, socket }) =>
      trying(
        'connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&(struct sockaddr_in){ AF_INET, htons(80), { inet_addr("1.1.1.1") } }, 16)',
        `connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&(struct sockaddr_in){ AF_INET, htons(${port}), { inet_addr("127.0.0.1") } }, 16)`,
        `connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&(struct sockaddr_un){ AF_UNIX, "\\0${socket}" }, ${3 + socket.length})`,
      )(),
    output: printed('ENETUNREACH', 'ECONNREFUSED', 'ECONNREFUSED'),
  },
  {
    name: 'sockets that know no networks',
    source: trying(
      'socket(AF_VSOCK, SOCK_STREAM, 0)',
      'socket(AF_ALG, SOCK_SEQPACKET, 0)',
      'socket(AF_PACKET, SOCK_RAW, 0)',
      'socket(AF_NETLINK, SOCK_RAW, 9)',
      'socket(AF_INET, SOCK_RAW, 1)',
    ),
    output: times(5, 'EPERM'),
  },
  {
    name: 'files of the machine',
    source: ({ secretFile }) =>
      trying(
        'open("/etc/shadow", O_RDONLY)',
        `open("${secretFile}", O_RDONLY)`,
        `open("/proc/self/root${secretFile}", O_RDONLY)`,
        'open("/proc/1/environ", O_RDONLY)',
        'open("/proc/1/mem", O_RDONLY)',
        'open("/proc/1/root/etc/passwd", O_RDONLY)',
        'open("/proc/sys/kernel/core_pattern", O_WRONLY)',
        'open("/box/main", O_WRONLY)',
        'open("/usr/bin/x", O_CREAT | O_WRONLY, 0600)',
      )(),
    output: printed(
      'EACCES',
      'ENOENT',
      'ENOENT',
      'EACCES',
      'EACCES',
      'EACCES',
      'EROFS',
      'EROFS',
      'EROFS',
    ),
  },
  {
    name: '/sys and the devices of the machine',
    source: main(
      'int n = 0; DIR *d = opendir("/sys"); for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != 46; printf("%d", n); d = opendir("/dev"); for (struct dirent *e; (e = readdir(d));) if (e->d_type == DT_BLK) puts(e->d_name); struct stat s; printf(" %d", stat("/dev/mem", &s) < 0 && stat("/dev/kmsg", &s) < 0 && stat("/dev/fuse", &s) < 0); printf(" %d", open("/proc/kcore", O_RDONLY) < 0 && open("/proc/sysrq-trigger", O_WRONLY) < 0);',
    ),
    output: '0 1 1',
  },
  {
    name: 'disks by their number',
    source: trying(
      'mknod("/tmp/disk", S_IFBLK | 0600, makedev(254, 0))',
      'mknod("/tmp/memory", S_IFCHR | 0600, makedev(1, 1))',
    ),
    output: times(2, 'EPERM'),
  },
  {
    name: 'mounts, roots and namespaces',
    source: trying(
      'mount("none", "/tmp", "tmpfs", 0, 0)',
      'umount2("/proc", MNT_DETACH)',
      'mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0)',
      'chroot("/tmp")',
      'syscall(SYS_pivot_root, "/tmp", "/tmp")',
      'syscall(SYS_open_tree, AT_FDCWD, "/", 1)',
      'syscall(SYS_fsopen, "proc", 0)',
      'unshare(CLONE_NEWUSER)',
      'unshare(CLONE_NEWNS)',
      'setns(open("/proc/self/ns/net", O_RDONLY), 0)',
      'syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)',
    ),
    output: times(11, 'EPERM'),
  },
  {
    name: 'doors into the kernel',
    source: trying(
      'ptrace(PTRACE_TRACEME, 0, 0, 0)',
      'syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0)',
      'syscall(SYS_bpf, 0, 0, 0)',
      'syscall(SYS_perf_event_open, 0, 0, 0, 0, 0)',
      'syscall(SYS_io_uring_setup, 1, 0)',
      'syscall(SYS_userfaultfd, 0)',
      'syscall(SYS_keyctl, 0, 0, 0, 0, 0)',
      'syscall(SYS_init_module, 0, 0, 0)',
      'syscall(SYS_kexec_load, 0, 0, 0, 0)',
      'syscall(SYS_name_to_handle_at, AT_FDCWD, "/", 0, 0, 0)',
      'reboot(RB_AUTOBOOT)',
      'sethostname("x", 1)',
      'syscall(SYS_syslog, 3, 0, 0)',
    ),
    output: times(13, 'EPERM'),
  },
  {
    name: 'calls of another architecture',
    source: trying(
      // x32's `getpid`, where there is one; elsewhere a call that does not exist.
      'syscall(0x40000000 + 39)',
    ),
    output: printed(process.arch === 'x64' ? 'EPERM' : 'ENOSYS'),
  },
  {
    name: 'other users and other processes',
    source: trying(
      'setuid(0)',
      'setgid(0)',
      'kill(1, SIGKILL)',
      'kill(-1, SIGKILL)',
      'setpriority(PRIO_PROCESS, 0, -5)',
      'setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 1 << 20, 1 << 20 })',
      // What crashes must not start the machine's own collector of crashes.
      'setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 })',
      'syscall(SYS_prlimit64, 0, RLIMIT_CORE, &(struct rlimit){ 0, 0 }, 0)',
      'getrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 })',
    ),
    output: printed(
      'EPERM',
      'EPERM',
      'EPERM',
      'ESRCH',
      'EACCES',
      'EPERM',
      'EPERM',
      'EPERM',
      'done',
    ),
  },
  {
    name: 'set-user-id programs',
    source: main(
      `chmod("/tmp", 04777); pid_t p = fork(); if (!p) { close(0); close(1); close(2); execl("/usr/bin/su", "su", "-c", "true", (char *)0); _exit(126); } int s; waitpid(p, &s, 0); printf("%d %d ", WEXITSTATUS(s) != 0, geteuid() != 0); FILE *f = fopen("/proc/self/status", "r"); char l[256]; while (fgets(l, 256, f)) if (!strncmp(l, "CapEff", 6) || !strncmp(l, "CapBnd", 6) || !strncmp(l, "NoNewPrivs", 10)) fputs(strchr(l, 9) + 1, stdout);`,
    ),
    output: `1 1 0000000000000000\n0000000000000000\n1\n`,
  },
  {
    name: 'what was inherited: descriptors, variables, the working folder',
    source: main(
      `extern char **environ; int n = 0, k = 0; for (int i = 3; i < 1024; i++) n += fcntl(i, F_GETFD) >= 0; for (char **e = environ; *e; e++) k += strncmp(*e, "HC_", 3) == 0 || strncmp(*e, "NODE", 4) == 0; char b[99]; printf("%d %d %s ", n, k, getcwd(b, 99)); struct rlimit r; getrlimit(RLIMIT_CORE, &r); printf("%d ", (int)r.rlim_cur); errno = 0; write(0, "x", 1); puts(strerrorname_np(errno));`,
    ),
    output: '0 0 /box 1 EBADF\n',
  },
  {
    name: 'the expected output',
    source: main(
      `int n = 0; DIR *d = opendir("/box"); for (struct dirent *e; (e = readdir(d));) if (e->d_name[0] != 46) n++; printf("%d ", n); errno = 0; printf("%d ", openat(0, "..", O_RDONLY) < 0); FILE *f = fopen("/proc/self/mounts", "r"); char l[512]; n = 0; while (fgets(l, 512, f)) n++; printf("%d", n);`,
    ),
    output: '2 1 6',
  },
  {
    name: 'a flood of errors',
    source: main(
      'static char b[1 << 16]; memset(b, 120, sizeof b); for (int i = 0; i < 4096; i++) write(2, b, sizeof b);',
    ),
    verdicts: ['finished', 'timeLimit'],
  },
];

interface CompilerAttack {
  readonly name: string;
  readonly language: ProgrammingLanguage;
  readonly source: string;
  /** In the compiler's words, or in those of its limits. */
  readonly says: RegExp;
}

const { c, cpp, java } = ProgrammingLanguage;

export const COMPILER_ATTACKS: readonly CompilerAttack[] = [
  {
    name: 'an endless file',
    language: c,
    source: '#include "/dev/zero"\nint main(){}',
    says: /compilation stopped|error/,
  },
  {
    name: 'standard input for ever',
    language: c,
    source: '#include "/dev/stdin"\nint main(){return x;}',
    says: /error/,
  },
  {
    name: 'a secret file as source',
    language: c,
    source: '#include "/etc/shadow"\nint main(){}',
    says: /Permission denied/,
  },
  {
    name: 'a secret file as data',
    language: c,
    source: 'asm(".incbin \\"/etc/shadow\\"");int main(){}',
    says: /file not found|Permission denied|can't open|can’t open/i,
  },
  {
    name: 'templates without an end',
    language: cpp,
    source:
      'template<int N,int M>struct T{enum{v=T<N-1,M>::v+T<N-1,M+1>::v};};template<int M>struct T<0,M>{enum{v=M};};int main(){return T<800,0>::v;}',
    says: /compilation stopped|fatal error|error/,
  },
  {
    name: 'macros that multiply',
    language: c,
    source: `${Array.from({ length: 9 }, (_, n) => `#define A${n + 1} ${`A${n} `.repeat(10)}`).join('\n')}\n#define A0 1,\nint a[]={A9};int main(){}`,
    says: /compilation stopped|Killed/,
  },
  {
    name: 'an array as large as the disk',
    language: c,
    source: 'char a[4L<<30]={1};int main(){return a[5];}',
    says: /error|File size|compilation stopped/i,
  },
  {
    name: 'a flood of complaints',
    language: c,
    source: `int main(){${'x;'.repeat(5_000)}${Array.from({ length: 5_000 }, (_, n) => `y${n};`).join('')}}`,
    says: /undeclared/,
  },
  {
    name: 'a class path of the machine',
    language: java,
    source: 'import java.nio.file.*; public class Main extends org.example.Missing {}',
    says: /does not exist/,
  },
];
