import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProgrammingLanguage } from '@hypercube/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dismantle, findContainerHost, type ContainerHost } from '../containers/container-host.ts';
import { HELPER, openJudgeRoot, removeSuperseded } from './judge-root.ts';
import { NativeSandbox } from './native-sandbox.ts';
import { describeSandbox, LIMITS } from './sandbox.contract.ts';
import { SandboxError } from './sandbox.ts';

const SPIN = '#include <unistd.h>\nint main(){for(int i=0;i<3;i++)if(!fork())setsid();for(;;);}';
const SPINNING = {
  language: ProgrammingLanguage.c,
  source: SPIN,
  limits: { ...LIMITS, cpuMs: 60_000, wallMs: 60_000 },
  tests: [{ inputPath: '/dev/null' }],
  stopsAtFailure: false,
};

interface Installation {
  readonly dataDir: string;
  readonly host: ContainerHost;
  readonly root: string;
}

async function openInstallation(): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypercube-judge-'));
  const host = await findContainerHost({
    dataDir,
    dockerSocket: '/nonexistent/docker.sock',
    containerHost: '',
  });
  if (host.kind === 'none') throw new Error(host.reason);
  return { dataDir, host, root: await openJudgeRoot(host) };
}

async function closeInstallation({ dataDir, host }: Installation): Promise<void> {
  await dismantle(host);
  rmSync(dataDir, { recursive: true });
}

/** Parents of all processes of this machine. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state !== 'Z') found.set(Number(entry), Number(parent));
    } catch {
      // Ended meanwhile.
    }
  }
  return found;
}

/** Everything that a process has started, and that started. */
function descendants(ancestor: number): number[] {
  const all = parents();
  const found = [ancestor];
  for (const one of found) for (const [pid, parent] of all) if (parent === one) found.push(pid);
  return found.slice(1);
}

function helperOf(parent: number): number {
  const helper = descendants(parent).find((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).endsWith(HELPER);
    } catch {
      return false;
    }
  });
  if (helper === undefined) throw new Error('no helper runs');
  return helper;
}

/** Folders of a helper in every hierarchy, with what is in them. */
function groupsOf(helper: number): string[] {
  const name = `hypercube-judge-${helper}`;
  const tops = [
    '/sys/fs/cgroup',
    ...readdirSync('/sys/fs/cgroup').map((one) => `/sys/fs/cgroup/${one}`),
  ];
  return tops.map((top) => join(top, name)).filter((path) => existsSync(path));
}

const isAlive = (pid: number): boolean => parents().has(pid);

describeSandbox('our own helper', async () => {
  const installation = await openInstallation();
  const sandbox = new NativeSandbox({ findRoot: () => Promise.resolve(installation.root) });
  await sandbox.prepare();
  await sandbox.health();
  const helper = helperOf(process.pid);
  const mounts = (): string[] =>
    readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((line) => line.includes(installation.root));
  return {
    sandbox,
    findLeftovers: () => [
      ...descendants(helper).map((pid) => `process ${pid}`),
      ...mounts(),
      ...groupsOf(helper).flatMap((group) =>
        readdirSync(group, { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && entry.name !== 'keeper')
          .map((entry) => join(group, entry.name)),
      ),
    ],
    findOwn: () => [...(isAlive(helper) ? [`process ${helper}`] : []), ...groupsOf(helper)],
    close: async () => {
      await sandbox.close();
      await closeInstallation(installation);
    },
  };
});

describe('the helper and its end', () => {
  let installation: Installation;

  beforeAll(async () => (installation = await openInstallation()));
  afterAll(() => closeInstallation(installation));

  it('takes everything with it when it is killed, and the next one tidies up', async () => {
    const { root } = installation;
    const sandbox = new NativeSandbox({ findRoot: () => Promise.resolve(root) });
    await sandbox.prepare();
    const judged = sandbox.judge(SPINNING, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await judged.next()).value).toMatchObject({ kind: 'compiled' });
    const helper = helperOf(process.pid);
    // Runner, pid 1, the program and its three children.
    await vi.waitUntil(() => descendants(helper).length >= 6, { timeout: 10_000 });
    const family = [helper, ...descendants(helper)];

    process.kill(helper, 'SIGKILL');
    await expect(judged.next()).rejects.toBeInstanceOf(SandboxError);
    await vi.waitUntil(() => !family.some(isAlive), { timeout: 10_000 });
    expect(groupsOf(helper)).not.toEqual([]);

    expect(await sandbox.health()).toMatchObject({ isReady: true });
    expect(groupsOf(helper)).toEqual([]);
    expect(helperOf(process.pid)).not.toBe(helper);
    await sandbox.close();
  });

  it('ends with the platform, however that ends', async () => {
    const script = `
      import { NativeSandbox } from ${JSON.stringify(fileURLToPath(new URL('native-sandbox.ts', import.meta.url)))};
      const sandbox = new NativeSandbox({ findRoot: async () => ${JSON.stringify(installation.root)} });
      await sandbox.prepare();
      const job = ${JSON.stringify(SPINNING)};
      for await (const report of sandbox.judge(job, new AbortController().signal)) console.log(report.kind);`;
    const platform = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(platform.stdout, 'data');
    const pid = platform.pid ?? 0;
    const helper = helperOf(pid);
    await vi.waitUntil(() => descendants(helper).length >= 6, { timeout: 10_000 });
    const family = [helper, ...descendants(helper)];

    platform.kill('SIGKILL');
    await vi.waitUntil(() => !family.some(isAlive), { timeout: 10_000 });
    expect(groupsOf(helper)).toEqual([]);
  });

  it('says why it is not ready', async () => {
    const missing = new NativeSandbox({
      findRoot: () => Promise.reject(new Error('no such archive')),
    });
    expect(await missing.health()).toEqual({
      isReady: false,
      reason: 'the judge image is being prepared',
    });
    await missing.prepare();
    expect(await missing.health()).toEqual({
      isReady: false,
      reason: 'the judge image could not be prepared: no such archive',
    });
    await missing.close();

    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const unprivileged = new NativeSandbox({
      findRoot: () => Promise.resolve(installation.root),
    });
    await unprivileged.prepare();
    expect(await unprivileged.health()).toMatchObject({
      isReady: false,
      reason: expect.stringContaining('root') as string,
    });
    vi.restoreAllMocks();
    await unprivileged.close();
  });

  it('unpacks the image once, and removes versions from which no helper runs', async () => {
    expect(await openJudgeRoot(installation.host)).toBe(installation.root);
    const folder = join(installation.dataDir, 'roots');
    const versions = ['current', 'unused', 'used', 'killed.half'];
    for (const version of versions) {
      mkdirSync(dirname(join(folder, version, HELPER)), { recursive: true });
      copyFileSync(join(installation.root, HELPER), join(folder, version, HELPER));
    }
    const other = new NativeSandbox({ findRoot: () => Promise.resolve(join(folder, 'used')) });
    await other.prepare();
    expect(await other.health()).toMatchObject({ isReady: true, languages: [] });
    await removeSuperseded(folder, join(folder, 'current'));
    expect(readdirSync(folder).toSorted()).toEqual(['current', 'used']);

    await other.close();
    await removeSuperseded(folder, join(folder, 'current'));
    expect(readdirSync(folder)).toEqual(['current']);
  });

  it('finds its root again when another platform has taken it away', async () => {
    const folder = join(installation.dataDir, 'lost');
    const sandbox = new NativeSandbox({
      findRoot: () => {
        mkdirSync(dirname(join(folder, HELPER)), { recursive: true });
        copyFileSync(join(installation.root, HELPER), join(folder, HELPER));
        return Promise.resolve(folder);
      },
    });
    await sandbox.prepare();
    rmSync(folder, { recursive: true });
    expect(await sandbox.health()).toEqual({
      isReady: false,
      reason: 'the judge image is being prepared again',
    });
    await sandbox.prepare();
    expect(await sandbox.health()).toMatchObject({ isReady: true });
    await sandbox.close();
  });
});
