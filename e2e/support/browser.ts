/**
 * The browser of the tests. Learners sit at machines of their own, but here the browser shares one
 * with the engine: every network of an environment that comes or goes would be a change of network
 * to Chromium, which then fails whatever is under way (ERR_NETWORK_CHANGED). So it runs without
 * netlink, the sockets by which the kernel tells of interfaces; it then takes the machine for online
 * and unchanging. What a page does when a network really fails, tests bring about themselves.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Numbers of the kernel's interface: audit architecture and `socket`, by Node's name of the machine. */
const CALLS: Partial<Record<NodeJS.Architecture, { arch: number; socket: number }>> = {
  x64: { arch: 0xc000003e, socket: 41 },
  arm64: { arch: 0xc00000b7, socket: 198 },
};
const AF_NETLINK = 16;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL_WITH = 0x00050000;

/**
 * A filter for seccomp, in classic BPF: `socket(AF_NETLINK, …)` fails with EAFNOSUPPORT, all else is
 * allowed. Offsets are those of `struct seccomp_data` (linux/seccomp.h).
 */
function netlinkFilter({ arch, socket }: { arch: number; socket: number }): Buffer {
  const program: readonly (readonly [code: number, yes: number, no: number, value: number])[] = [
    [LOAD, 0, 0, 4],
    [JUMP_IF_EQUAL, 0, 5, arch],
    [LOAD, 0, 0, 0],
    [JUMP_IF_EQUAL, 0, 3, socket],
    [LOAD, 0, 0, 16],
    [JUMP_IF_EQUAL, 0, 1, AF_NETLINK],
    [RETURN, 0, 0, FAIL_WITH | EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ];
  const filter = Buffer.alloc(program.length * 8);
  for (const [index, [code, yes, no, value]] of program.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(yes, index * 8 + 2);
    filter.writeUInt8(no, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  }
  return filter;
}

/**
 * @param folder where the launcher is written
 * @returns what to start as the browser: Chromium without netlink, or Chromium itself on a machine
 *   where bubblewrap may not do that
 */
export function browserPath(folder: string): string {
  const calls = CALLS[process.arch];
  if (!calls || spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status !== 0) return CHROMIUM;
  mkdirSync(folder, { recursive: true });
  const filter = join(folder, 'no-netlink.bpf');
  const launcher = join(folder, 'chromium');
  writeFileSync(filter, netlinkFilter(calls));
  writeFileSync(
    launcher,
    `#!/bin/sh\nexec bwrap --dev-bind / / --seccomp 9 -- '${CHROMIUM}' "$@" 9<'${filter}'\n`,
    { mode: 0o755 },
  );
  return launcher;
}
