/**
 * The system calls that a session may make: the engine's own list, without what would give a
 * learner's program privileges of its own or widen its way into the kernel. Docker's default
 * leaves these out already; podman's allows them, so it is narrowed here.
 */
import { readFileSync } from 'node:fs';

interface Rule {
  names: string[];
  action: string;
  args?: unknown[];
  includes?: { caps?: string[] };
  excludes?: { caps?: string[] };
  errnoRet?: number;
}
/** As runtimes read it (OCI runtime specification, section “seccomp”, with podman's additions). */
export interface SeccompProfile {
  defaultAction: string;
  syscalls: Rule[];
}

/** Where distributions put the default, the administrator's own first. */
const DEFAULTS = ['/etc/containers/seccomp.json', '/usr/share/containers/seccomp.json'];

/** New namespaces give every capability inside them; the others are kernel doors nobody here needs. */
const REFUSED = new Set([
  'unshare',
  'setns',
  'clone3',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'add_key',
  'keyctl',
  'request_key',
  'userfaultfd',
]);
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET (linux/sched.h). */
const NAMESPACE_FLAGS = 0x7e020000;
const EPERM = 1;
const ENOSYS = 38;

/** The narrowed list. What is allowed with a capability only stays: sessions have none. */
export function narrowed(profile: SeccompProfile): SeccompProfile {
  const syscalls = profile.syscalls.map((rule) => {
    const isOpen = rule.action === 'SCMP_ACT_ALLOW' && (rule.includes?.caps ?? []).length === 0;
    return isOpen
      ? { ...rule, names: rule.names.filter((name) => name !== 'clone' && !REFUSED.has(name)) }
      : rule;
  });
  return {
    ...profile,
    syscalls: [
      ...syscalls.filter(({ names }) => names.length > 0),
      // Processes and threads, as long as they ask for no namespace.
      {
        names: ['clone'],
        action: 'SCMP_ACT_ALLOW',
        args: [{ index: 0, value: NAMESPACE_FLAGS, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      },
      // Its flags lie in memory, where no filter sees them; C libraries then use clone.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', args: [], errnoRet: ENOSYS },
      {
        names: [...REFUSED].filter((name) => name !== 'clone3'),
        action: 'SCMP_ACT_ERRNO',
        args: [],
        errnoRet: EPERM,
        excludes: { caps: ['CAP_SYS_ADMIN'] },
      },
    ],
  };
}

/** The narrowed default of this machine; undefined where there is none, and the engine's own holds. */
export function readNarrowedProfile(): string | undefined {
  for (const path of DEFAULTS) {
    try {
      return JSON.stringify(narrowed(JSON.parse(readFileSync(path, 'utf8')) as SeccompProfile));
    } catch {
      // The next place.
    }
  }
  return undefined;
}
