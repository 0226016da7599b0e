/**
 * What a learner's program can reach from inside a real session of the whole platform: nothing but
 * its own. Each attempt runs as the learner, in the container that the platform made.
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContainerEngine, ExecResult } from '../../engines/containers/engine.ts';
import { openFirstTask, startEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { until, type Person, type World } from '../../testing/world.ts';

let world: World;
let real: EngineWorld;
let engine: ContainerEngine;
let attacker: Person;
let mine: Usage;
let theirs: Usage;
let port: string;

beforeAll(async () => {
  real = await startEngineWorld();
  ({ world, engine } = real);
  port = (await world.listen()).split(':')[1] ?? '';
  attacker = await world.signIn('student');
  mine = await open(attacker);
  theirs = await open(await world.signIn('student2'));
});
afterAll(() => real[Symbol.asyncDispose]());

async function open(person: Person): Promise<Usage> {
  const { status, body } = await openFirstTask(world, person);
  if (status !== 200) throw new Error(`no environment: ${JSON.stringify(body)}`);
  return body;
}

const inside = (command: string): Promise<ExecResult> =>
  engine.exec(mine.ID, 'node1', ['bash', '-c', command], { timeoutMs: 60_000 });
/** Whether a TCP connection comes about from inside. */
const connects = async (address: string, to: number | string): Promise<boolean> =>
  (await inside(`timeout 3 bash -c 'exec 3<>/dev/tcp/${address}/${to}'`)).exitCode === 0;
const addressOf = async (usage: Usage): Promise<string> =>
  (await engine.inspect(usage.ID))[0]?.ip ?? '';

describe('the network', () => {
  test('its own server answers, so that the attempts below mean something', async () => {
    expect(await connects('127.0.0.1', 8888)).toBe(true);
    expect(await connects(await addressOf(mine), 8888)).toBe(true);
  });

  test('other sessions are out of reach, by address and by name', async () => {
    const other = await addressOf(theirs);
    for (const to of [8888, 7070, 2222]) expect(await connects(other, to)).toBe(false);
    expect((await inside(`getent hosts ${theirs.Host}`)).exitCode).not.toBe(0);
  });

  test('the platform, its metrics and its database are out of reach on every address of the host', async () => {
    const own = await addressOf(mine);
    const addresses = [
      own.replace(/\d+$/, (last) => String(Number(last) - 1)),
      ...Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ family }) => family === 'IPv4')
        .map(({ address }) => address)
        .filter((address) => !address.startsWith('127.')),
    ];
    for (const address of new Set(addresses))
      for (const to of [port, 5432, 22, 2375])
        expect([address, to, await connects(address, to)]).toEqual([address, to, false]);
  });

  test.each(['169.254.169.254', '100.100.100.200', '198.51.100.7'])(
    'neither the cloud’s metadata nor the internet answers: %s',
    async (address) => {
      expect(await connects(address, 80)).toBe(false);
    },
  );
});

describe('the host', () => {
  test('no capability, no new privilege, a system-call filter', async () => {
    const { stdout } = await inside(
      "grep -E '^(Cap(Eff|Prm|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status",
    );
    const status = Object.fromEntries(
      stdout.split('\n').map((line) => line.split(/:\s*/) as [string, string]),
    );
    expect(status).toMatchObject({
      CapEff: '0000000000000000',
      CapPrm: '0000000000000000',
      CapBnd: '0000000000000000',
      CapAmb: '0000000000000000',
      NoNewPrivs: '1',
      Seccomp: '2',
    });
  });

  test.each([
    ['mounting', 'mkdir -p /tmp/m && mount -t tmpfs none /tmp/m'],
    ['mounting the host’s disk', 'mount /dev/vda /mnt'],
    ['a user namespace with privileges', 'unshare -Urm true'],
    ['becoming root by su', 'su -c true'],
    [
      'becoming root by a set-user-id file',
      'test -n "$(find / -xdev -perm -4000 -exec {} -p -c "id -u" \\; 2>/dev/null | grep -x 0)"',
    ],
    ['a device file', 'mknod /tmp/disk b 253 0'],
    ['the host’s disk', 'head -c 1 /dev/vda'],
    ['the host’s memory', 'head -c 1 /dev/mem'],
    ['kernel memory', 'test -s /proc/kcore && head -c 4096 /proc/kcore | grep -q .'],
    ['kernel settings', 'echo 1 > /proc/sys/kernel/panic'],
    ['the kernel’s trigger', 'echo h > /proc/sysrq-trigger'],
    [
      'the hardware’s settings',
      'touch /sys/kernel/uevent_helper 2>/dev/null && echo x > /sys/kernel/uevent_helper',
    ],
    [
      'the control groups',
      'd=$(find /sys/fs/cgroup -maxdepth 1 -type d | tail -1); mkdir "$d/out"',
    ],
    ['the engine’s socket', 'ls /var/run/docker.sock /run/podman/podman.sock'],
    ['its own image', 'echo x > /usr/bin/mpirun'],
    [
      'raw packets',
      'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"',
    ],
    ['loading a module', 'test -e /lib/modules && insmod /lib/modules/none.ko'],
    ['the clock', 'date -s 2000-01-01'],
    ['the host name', 'hostname other'],
  ])('%s fails', async (_what, command) => {
    expect((await inside(command)).exitCode).not.toBe(0);
  });

  test('only its own processes are to be seen', async () => {
    const { stdout } = await inside('ls /proc | grep -c "^[0-9]"');
    expect(Number(stdout)).toBeLessThan(40);
    const { stdout: commands } = await inside('cat /proc/[0-9]*/cmdline | tr "\\0" " "');
    expect(commands).not.toMatch(/postgres|conmon|podman|main\.ts/);
  });

  test('the environment tells no secret of the platform', async () => {
    const { stdout } = await inside('env; cat /proc/*/environ | tr "\\0" "\\n"; cat /proc/mounts');
    expect(stdout).not.toMatch(/HC_SSH_KEY|PASSWORD|DATABASE|TOKEN=/i);
  });

  test('more processes and more memory than allowed end in the session, not on the host', async () => {
    const { stdout } = await inside(
      'ulimit -u 100000 2>/dev/null; for i in $(seq 1 2000); do sleep 5 & done 2>/tmp/e; jobs | wc -l; grep -c . /tmp/e; kill $(jobs -p) 2>/dev/null',
    );
    expect(Number(stdout.split('\n')[0])).toBeLessThan(600);
  });
});

describe('the personal folder', () => {
  test('the platform follows no symbolic link out of it', async () => {
    const outside = join(world.folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    const [lab] = await world.sql<{ id: number; slug: string }>(
      sql`select id, slug from lab order by id limit 1`,
    );
    // The learner makes the link; the platform meets it when it copies starter files.
    const made = await inside(`rm -rf data/${lab?.slug}; ln -s ${outside} data/${lab?.slug}`);
    expect(made.exitCode).toBe(0);
    const copy = await attacker.call<{ Code: string }>('POST', `/lab/${lab?.id}/resource/copy`, {});
    expect([copy.status, copy.body.Code]).toEqual([409, 'copy_unsafe']);
    expect(await readdir(outside)).toEqual(['secret.txt']);
    await inside(`rm data/${lab?.slug}`);
  });

  test('a link that leads to the host leads to the container’s own files', async () => {
    const { stdout } = await inside('ln -sfn /etc/hostname data/link && cat data/link');
    expect(stdout.trim()).toBe('node1');
  });

  test('it is neither another user’s nor above its own', async () => {
    const folder = await world.system.files.folderOf(999_999);
    await writeFile(join(folder, 'theirs.txt'), 'theirs');
    await symlink('/', join(folder, 'root'));
    const { stdout } = await inside(
      'ls -a data/.. data/; find / -xdev -name theirs.txt 2>/dev/null',
    );
    expect(stdout).not.toContain('theirs.txt');
  });

  test('the resources of a lab cannot be written', async () => {
    expect((await inside('echo x > bundle_resource/new.txt')).exitCode).not.toBe(0);
    expect(
      (await inside('chmod u+w bundle_resource && touch bundle_resource/x')).exitCode,
    ).not.toBe(0);
  });
});

test('out of memory inside ends the session, and its user reads why', async () => {
  const person = await world.signIn('graduate');
  const usage = await open(person);
  await engine
    .exec(usage.ID, 'node1', [
      'bash',
      '-c',
      // The victim is the kernel's choice: the main process goes when it is the largest.
      'echo 1000 > /proc/1/oom_score_adj; python3 -c "b = bytearray(1)\nwhile True: b *= 2"; kill -9 -1',
    ])
    .catch(() => undefined);
  const ended = await until(
    async () =>
      (await person.call<{ List: { ID: number; Cause: string }[] }>('GET', '/usage/history')).body
        .List[0],
    (row) => row?.ID === usage.ID,
  );
  expect(['out_of_memory', 'crashed']).toContain(ended?.Cause);
});
