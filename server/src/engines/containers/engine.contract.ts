import {
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  chownSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type {
  CommitStep,
  ContainerEngine,
  EngineEvent,
  ExecResult,
  NodeSpec,
  UsageSpec,
} from './engine.ts';

/** What a driver brings to be tested. */
export interface EngineUnderTest {
  engine: ContainerEngine;
  /** Another engine object on the same installation, as another process would have it. */
  openAnother(): Promise<ContainerEngine>;
  /** References of the practice images. */
  images: { base: string; toolchain: string };
  /** Takes one container away behind the driver's back, as a crash between two calls leaves it. */
  loseNode(usageID: number, node: string): Promise<void>;
  /** Kills what answers the API, if that is the installation's own process. */
  killService: (() => Promise<void>) | null;
  /** How often a text occurs in everything that an image is made of, and its settings. */
  searchImage(
    reference: string,
    text: string,
  ): Promise<{ hits: number; env: string[]; user: string; command: string[] }>;
  /** Another installation on the same machine. */
  openNeighbour(): Promise<ContainerEngine>;
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;

/** Numbers of usages, so that no two tests share one. */
let nextUsageID = 1000;

/**
 * What every driver of {@link ContainerEngine} keeps, on a real engine. Each test makes its own
 * usages; whatever a failed one leaves is removed after it.
 */
export function describeContainerEngine(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(`container engine: ${name}`, () => {
    let under: EngineUnderTest;
    let engine: ContainerEngine;
    const made = new Set<number>();

    beforeAll(async () => {
      under = await open();
      engine = under.engine;
    });
    afterEach(async () => {
      await Promise.all([...made].map((usageID) => engine.remove(usageID)));
      made.clear();
    });
    afterAll(() => under?.close());

    function node(changes: Partial<NodeSpec> = {}): NodeSpec {
      return {
        name: 'node1',
        image: under.images.toolchain,
        env: {},
        limits: {
          cpus: 1,
          memoryBytes: 256 * mebibyte,
          pids: 64,
          diskBytes: 256 * mebibyte,
          shmBytes: 32 * mebibyte,
        },
        mounts: [],
        user: '1000:1000',
        ...changes,
      };
    }

    function usage(...nodes: NodeSpec[]): UsageSpec {
      const usageID = nextUsageID++;
      made.add(usageID);
      return { usageID, nodes };
    }

    async function started(...nodes: NodeSpec[]): Promise<UsageSpec> {
      const spec = usage(...nodes);
      await engine.create(spec);
      await engine.start(spec.usageID);
      return spec;
    }

    async function stateOf(usageID: number): Promise<string[]> {
      return (await engine.inspect(usageID)).map((one) => one.state);
    }

    describe('life of a usage', () => {
      it('is ready and says what it is', async () => {
        const health = await engine.health();
        expect(health).toMatchObject({ isReady: true, reason: null, isHostShielded: true });
        expect(health.name).toMatch(/^(podman|docker) \d+\.\d+/);
      });

      it('creates, starts, pauses, stops, starts again and removes, each twice', async () => {
        const spec = usage(node());
        const { usageID } = spec;
        await engine.create(spec);
        await engine.create(spec);
        expect(await engine.inspect(usageID)).toMatchObject([
          { name: 'node1', state: 'created', ip: null, startedAt: null },
        ]);

        const [first] = await engine.start(usageID);
        expect(first).toMatchObject({ name: 'node1', state: 'running', isOutOfMemory: false });
        expect(first?.ip).toMatch(/^10\./);
        expect(await engine.start(usageID)).toEqual([first]);

        await engine.pause(usageID);
        await engine.pause(usageID);
        expect(await stateOf(usageID)).toEqual(['paused']);
        const [thawed] = await engine.unpause(usageID);
        expect(thawed).toEqual(first);
        expect(await engine.unpause(usageID)).toEqual([thawed]);

        await engine.stop(usageID);
        await engine.stop(usageID);
        expect(await engine.inspect(usageID)).toMatchObject([{ state: 'exited', ip: null }]);
        const [again] = await engine.start(usageID);
        expect(again).toMatchObject({ state: 'running', containerID: first?.containerID });
        expect(again?.ip).toMatch(/^10\./);

        await engine.remove(usageID);
        await engine.remove(usageID);
        expect(await engine.inspect(usageID)).toEqual([]);
      });

      it('keeps files over a stop and processes over a pause', async () => {
        const { usageID } = await started(node());
        await engine.exec(usageID, 'node1', ['sh', '-c', 'echo kept > /tmp/file']);
        await engine.exec(usageID, 'node1', [
          'sh',
          '-c',
          'sleep 600 >/dev/null 2>&1 & echo $! > /tmp/pid',
        ]);
        await engine.pause(usageID);
        await engine.unpause(usageID);
        const alive = await engine.exec(usageID, 'node1', ['sh', '-c', 'kill -0 $(cat /tmp/pid)']);
        expect(alive.exitCode).toBe(0);
        await engine.stop(usageID);
        await engine.start(usageID);
        const file = await engine.exec(usageID, 'node1', ['cat', '/tmp/file']);
        expect(file.stdout).toBe('kept\n');
      });

      it('stops, starts and removes what is paused', async () => {
        const { usageID } = await started(node());
        await engine.pause(usageID);
        expect(await engine.start(usageID)).toMatchObject([{ state: 'running' }]);
        await engine.pause(usageID);
        await engine.stop(usageID);
        expect(await stateOf(usageID)).toEqual(['exited']);
        await engine.start(usageID);
        await engine.pause(usageID);
        await engine.remove(usageID);
        expect(await engine.inspect(usageID)).toEqual([]);
      });

      it('refuses what is not there, each with its code', async () => {
        await expect(engine.start(999_999)).rejects.toMatchObject({ code: 'no_such_usage' });
        await expect(engine.pause(999_999)).rejects.toMatchObject({ code: 'no_such_usage' });
        await expect(engine.exec(999_999, 'node1', ['true'])).rejects.toMatchObject({
          code: 'no_such_usage',
        });
        const spec = usage(node({ image: 'localhost/hypercube/none:0' }));
        await expect(engine.create(spec)).rejects.toMatchObject({ code: 'image_missing' });
        expect(await engine.hasImage('localhost/hypercube/none:0')).toBe(false);
        expect(await engine.hasImage(under.images.toolchain)).toBe(true);
      });

      it('tells the exit code and the last output of what ended', async () => {
        const spec = usage(node({ command: ['sh', '-c', 'echo one; echo two >&2; exit 7'] }));
        await engine.create(spec);
        await engine.start(spec.usageID);
        await expect.poll(() => stateOf(spec.usageID), { timeout: 10_000 }).toEqual(['exited']);
        expect(await engine.inspect(spec.usageID)).toMatchObject([
          { exitCode: 7, isOutOfMemory: false },
        ]);
        const logs = await engine.logs(spec.usageID, 'node1', 10);
        expect(logs.split('\n').filter(Boolean).toSorted()).toEqual(['one', 'two']);
      });

      it('repairs what an interrupted creation left', async () => {
        const spec = usage(node(), node({ name: 'node2' }));
        await engine.create(spec);
        await under.loseNode(spec.usageID, 'node1');
        await engine.create(spec);
        const states = await engine.start(spec.usageID);
        expect(states.map((one) => [one.name, one.state])).toEqual([
          ['node1', 'running'],
          ['node2', 'running'],
        ]);
      });

      it('lists usages of which anything is left, and no others', async () => {
        const whole = await started(node());
        const bare = usage(node());
        await engine.create(bare);
        await under.loseNode(bare.usageID, 'node1');
        const another = await under.openAnother();
        onTestFinished(() => another.close());
        const listed = await another.list();
        expect(listed.get(whole.usageID)).toMatchObject([{ name: 'node1', state: 'running' }]);
        expect(listed.get(bare.usageID)).toEqual([]);

        await another.remove(bare.usageID);
        await another.remove(whole.usageID);
        expect((await engine.list()).size).toBe(0);
        expect(await engine.inspect(whole.usageID)).toEqual([]);
      });

      it('lets another process start, exec and stop', async () => {
        const spec = usage(node());
        await engine.create(spec);
        const another = await under.openAnother();
        onTestFinished(() => another.close());
        expect(await another.start(spec.usageID)).toMatchObject([{ state: 'running' }]);
        expect(await another.exec(spec.usageID, 'node1', ['id', '-u'])).toMatchObject({
          stdout: '1000\n',
        });
        await another.stop(spec.usageID);
        expect(await stateOf(spec.usageID)).toEqual(['exited']);
      });

      it('shares nothing with a neighbour on the same machine', async () => {
        const neighbour = await under.openNeighbour();
        onTestFinished(() => neighbour.close());
        const spec = await started(node());
        const same = { ...spec, nodes: [node()] };
        onTestFinished(() => neighbour.remove(same.usageID));
        await neighbour.create(same);
        const [theirs] = await neighbour.start(same.usageID);
        const [ours] = await engine.inspect(spec.usageID);
        expect(theirs?.ip).not.toBe(ours?.ip);
        await neighbour.remove(same.usageID);
        expect(await stateOf(spec.usageID)).toEqual(['running']);
      });

      it('survives the death of what answers the API', async (context) => {
        if (!under.killService) context.skip('the engine is not ours to kill');
        const { usageID } = await started(node());
        const [before] = await engine.inspect(usageID);
        await under.killService?.();
        const [after] = await engine.inspect(usageID);
        expect(after).toEqual(before);
        expect((await engine.list()).has(usageID)).toBe(true);
        const exec = await engine.exec(usageID, 'node1', ['echo', 'alive']);
        expect(exec.stdout).toBe('alive\n');
      });
    });

    describe('commands', () => {
      it('keeps output, errors and exit code apart', async () => {
        const { usageID } = await started(node({ env: { GREETING: '你好' } }));
        const result = await engine.exec(usageID, 'node1', [
          'sh',
          '-c',
          'echo "$GREETING"; echo bad >&2; exit 3',
        ]);
        expect(result).toEqual({ exitCode: 3, stdout: '你好\n', stderr: 'bad\n' });
      });

      it('ends a command that takes too long, and its process', async () => {
        const { usageID } = await started(node());
        await expect(
          engine.exec(usageID, 'node1', ['sleep', '4242'], { timeoutMs: 300 }),
        ).rejects.toMatchObject({ code: 'timed_out' });
        const sleeping = () =>
          engine.exec(usageID, 'node1', ['pgrep', '-f', 'sleep 4242']).then((one) => one.stdout);
        await expect.poll(sleeping, { timeout: 5_000 }).toBe('');
      });

      it('survives endless output', async () => {
        const { usageID } = await started(node());
        const result = await engine.exec(usageID, 'node1', ['sh', '-c', 'yes | head -c 5000000']);
        expect(result.exitCode).toBe(0);
        expect(result.stdout).toHaveLength(mebibyte);
      });

      it('reports figures', async () => {
        const { usageID } = await started(node());
        await engine.exec(usageID, 'node1', [
          'sh',
          '-c',
          'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done',
        ]);
        const [stats] = await engine.stats(usageID);
        expect(stats?.name).toBe('node1');
        expect(stats?.cpuSeconds).toBeGreaterThan(0.05);
        expect(stats?.memoryLimitBytes).toBe(256 * mebibyte);
        expect(stats?.memoryBytes).toBeGreaterThan(0);
        expect(stats?.pids).toBeGreaterThan(0);
      });
    });

    describe('events', () => {
      it('tells of deaths with their cause, but not of those that we caused', async () => {
        const abort = new AbortController();
        onTestFinished(() => abort.abort());
        const heard: EngineEvent[] = [];
        const listening = (async () => {
          for await (const event of engine.events(abort.signal)) heard.push(event);
        })();
        // The stream has no sign of having begun: deaths are arranged until one is heard.
        const canary = await started(node({ command: ['false'] }));
        await expect
          .poll(
            async () => {
              await engine.start(canary.usageID);
              return heard.some((event) => event.usageID === canary.usageID);
            },
            { timeout: 20_000, interval: 300 },
          )
          .toBe(true);

        const stopped = await started(node());
        await engine.stop(stopped.usageID);
        const failing = await started(node({ command: ['sh', '-c', 'exit 3'] }));
        const greedy = await started(greedyNode());
        const of = (usageID: number) => heard.filter((event) => event.usageID === usageID);
        await expect
          .poll(() => [of(failing.usageID).at(-1), of(greedy.usageID).at(-1)], { timeout: 20_000 })
          .toEqual([
            { usageID: failing.usageID, node: 'node1', kind: 'died', exitCode: 3 },
            { usageID: greedy.usageID, node: 'node1', kind: 'outOfMemory', exitCode: 137 },
          ]);
        expect(of(stopped.usageID)).toEqual([]);
        abort.abort();
        await listening;
      });
    });

    function greedyNode(): NodeSpec {
      const program = 'x = [bytearray(1 << 20) for _ in range(1000)]; print(len(x))';
      return node({
        command: ['python3', '-c', program],
        limits: { ...node().limits, memoryBytes: 64 * mebibyte },
      });
    }

    describe('limits', () => {
      it('kills what wants too much memory, and says so', async () => {
        const { usageID } = await started(greedyNode());
        await expect.poll(() => stateOf(usageID), { timeout: 20_000 }).toEqual(['exited']);
        expect(await engine.inspect(usageID)).toMatchObject([
          { exitCode: 137, isOutOfMemory: true },
        ]);
      });

      it('holds the number of processes', async () => {
        const { usageID } = await started(node());
        const count = `
import os, time
n = 0
try:
    for _ in range(500):
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        n += 1
except BlockingIOError:
    pass
print(n)
os.kill(0, 9)`;
        const { stdout } = await engine.exec(usageID, 'node1', ['python3', '-uc', count]);
        expect(Number(stdout)).toBeGreaterThan(40);
        expect(Number(stdout)).toBeLessThan(64);
      });

      it('holds the disk where the store can', async (context) => {
        const { diskLimit } = await engine.health();
        if (diskLimit === 'watched') context.skip('this store cannot limit the disk exactly');
        const { usageID } = await started(node());
        const write = (mib: number) =>
          engine.exec(usageID, 'node1', [
            'dd',
            'if=/dev/zero',
            'of=/tmp/big',
            'bs=1M',
            `count=${mib}`,
          ]);
        expect((await write(100)).exitCode).toBe(0);
        expect((await write(400)).exitCode).not.toBe(0);
      });

      it('tells what a node holds on the disk, without its mounts and its shared memory', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'hypercube-mount-'));
        onTestFinished(() => rmSync(folder, { recursive: true }));
        chownSync(folder, 1000, 1000);
        const mounts = [{ source: folder, target: '/data', readOnly: false }];
        const { usageID } = await started(node({ mounts }), node({ name: 'node2' }));
        const write = async (file: string, mib: number) => {
          const command = ['dd', 'if=/dev/zero', `of=${file}`, 'bs=1M', `count=${mib}`];
          expect(await engine.exec(usageID, 'node1', command)).toMatchObject({ exitCode: 0 });
        };
        const measure = async () => {
          const nodes = await engine.diskUsage(usageID);
          expect(nodes.map((one) => one.name)).toEqual(['node1', 'node2']);
          return nodes.map((one) => Math.round(one.bytes / mebibyte));
        };
        expect(await measure()).toEqual([0, 0]);
        await write('/data/mine', 64);
        await write('/dev/shm/message', 16);
        expect(statSync(join(folder, 'mine')).size).toBe(64 * mebibyte);
        expect(await measure()).toEqual([0, 0]);
        await write('/tmp/big', 64);
        expect(await measure()).toEqual([64, 0]);
        await engine.stop(usageID);
        expect(await measure()).toEqual([64, 0]);
        await engine.start(usageID);
        await engine.exec(usageID, 'node1', ['rm', '/tmp/big']);
        expect(await measure()).toEqual([0, 0]);
        await engine.remove(usageID);
        await expect(engine.diskUsage(usageID)).rejects.toMatchObject({ code: 'no_such_usage' });
      });

      it('gives shared memory, the share of cores and a sane environment', async () => {
        const { usageID } = await started(node({ limits: { ...node().limits, cpus: 1.5 } }));
        const shm = await engine.exec(usageID, 'node1', ['df', '-B1', '--output=size', '/dev/shm']);
        expect(shm.stdout).toContain(String(32 * mebibyte));
        const env = await engine.exec(usageID, 'node1', [
          'sh',
          '-c',
          'echo $OMP_NUM_THREADS; hostname',
        ]);
        expect(env.stdout).toBe('2\nnode1\n');
      });

      it('takes all privileges', async () => {
        const { usageID } = await started(node());
        const { stdout } = await engine.exec(usageID, 'node1', [
          'cat',
          '/proc/1/status',
          '/proc/self/status',
        ]);
        const values = (key: string) =>
          stdout
            .split('\n')
            .filter((line) => line.startsWith(key))
            .map((line) => line.split('\t')[1]?.trim());
        for (const key of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
          expect([key, ...values(key)]).toEqual([key, '0000000000000000', '0000000000000000']);
        }
        expect(values('NoNewPrivs')).toEqual(['1', '1']);
      });
    });

    describe('folders', () => {
      it('mounts one to read and one to write', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'hypercube-mount-'));
        onTestFinished(() => rmSync(folder, { recursive: true }));
        chownSync(folder, 1000, 1000);
        writeFileSync(join(folder, '资料.txt'), 'lesson');
        const { usageID } = await started(
          node({
            mounts: [
              { source: folder, target: '/bundle', readOnly: true },
              { source: folder, target: '/data', readOnly: false },
            ],
          }),
        );
        const read = await engine.exec(usageID, 'node1', ['cat', '/bundle/资料.txt']);
        expect(read.stdout).toBe('lesson');
        const refused = await engine.exec(usageID, 'node1', ['touch', '/bundle/mine']);
        expect(refused.stderr).toContain('Read-only file system');
        const written = await engine.exec(usageID, 'node1', ['sh', '-c', 'echo mine > /data/mine']);
        expect(written).toMatchObject({ exitCode: 0, stderr: '' });
        expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine\n');
        expect(statSync(join(folder, 'mine'))).toMatchObject({ uid: 1000, gid: 1000 });
      });
    });

    describe('images from sessions', () => {
      const secret = () => `secret-${Math.random().toString(36).slice(2)}-begin-rsa`;

      /** Writes what a teacher makes, and what nobody else shall ever see. */
      async function prepared(hidden: string): Promise<UsageSpec> {
        const spec = await started(node({ env: { HC_BASE_URL: `/proxy/${hidden}/` } }));
        const { exitCode, stderr } = await engine.exec(spec.usageID, 'node1', [
          'sh',
          '-c',
          `cd ~ && mkdir -p .ssh keep .cache/deep .local/share/app && echo ${hidden} > .ssh/id && echo ${hidden} > .bash_history &&
           echo ${hidden} > .cache/deep/file && echo ${hidden} > /tmp/file && echo made > keep/file && ln -s / .local/share/way &&
           rm -f .profile && chmod 700 keep`,
        ]);
        expect([exitCode, stderr]).toEqual([0, '']);
        return spec;
      }

      /** Every engine has a word of its own for each container. */
      const isOfImage = (line: string) => !/^(?:TERM|container)=/.test(line);

      const scrub = [
        'home/*/.ssh',
        'home/*/.*_history',
        'home/*/.cache',
        'home/*/.local/share/way/etc',
        'tmp/*',
      ];

      it('makes an image of a node that runs on, without secrets in any layer', async () => {
        const hidden = secret();
        const { usageID } = await prepared(hidden);
        const [before] = await engine.inspect(usageID);
        const steps: CommitStep[] = [];
        const made = await engine.commitNode(usageID, 'node1', 'image-1:1', {
          scrub,
          onStep: (step) => steps.push(step),
        });
        onTestFinished(() => engine.tidyImages({ keep: new Set(), underWay: new Set() }));
        expect(steps).toEqual(['saving', 'scrubbing', 'measuring']);
        expect(await engine.inspect(usageID)).toEqual([before]);
        expect(made.sizeBytes).toBeGreaterThan(50 * mebibyte);
        expect(await engine.describeImage(made.reference)).toEqual({
          sizeBytes: made.sizeBytes,
          parts: made.parts,
        });

        const ours = await under.searchImage(made.reference, hidden);
        const parent = await under.searchImage(under.images.toolchain, hidden);
        expect({ ...ours, env: ours.env.filter(isOfImage) }).toEqual({ ...parent, hits: 0 });
        expect((await under.searchImage(made.reference, 'made\n')).hits).toBeGreaterThan(0);

        const from = await started(node({ image: made.reference }));
        const look = await engine.exec(from.usageID, 'node1', [
          'sh',
          '-c',
          'cd ~; cat keep/file; stat -c %a:%u keep; ls -A .ssh .cache .profile /tmp 2>&1 | head -20; readlink .local/share/way; echo "base=$HC_BASE_URL"; test -d /etc && echo etc',
        ]);
        expect(look.stdout).toContain('made\n700:1000\n');
        expect(look.stdout).not.toContain('file\nfile');
        expect(look.stdout).toMatch(/\.profile.*No such file/);
        expect(look.stdout).toContain('\n/\nbase=\netc\n');
        expect(existsSync('/etc/passwd')).toBe(true);
      });

      it('builds upon a committed image, and removes it when nothing needs it', async () => {
        const { usageID } = await prepared(secret());
        const first = await engine.commitNode(usageID, 'node1', 'image-2:1', { scrub });
        const again = await engine.commitNode(usageID, 'node1', 'image-2:1', { scrub });
        expect(again.reference).toBe(first.reference);
        const from = await started(node({ image: first.reference }));
        await engine.exec(from.usageID, 'node1', ['sh', '-c', 'echo second > ~/second']);
        const second = await engine.commitNode(from.usageID, 'node1', 'image-2:2', { scrub });
        await engine.remove(from.usageID);

        const both = await started(node({ image: second.reference }));
        const look = await engine.exec(both.usageID, 'node1', [
          'sh',
          '-c',
          'cat ~/keep/file ~/second',
        ]);
        expect(look.stdout).toBe('made\nsecond\n');

        // One that runs keeps its image; a name to be kept, or a commit under way, stays too.
        await engine.tidyImages({ keep: new Set(), underWay: new Set() });
        await engine.stop(both.usageID);
        expect(await engine.start(both.usageID)).toMatchObject([{ state: 'running' }]);
        await engine.tidyImages({ keep: new Set(['image-2:2']), underWay: new Set() });
        expect(await engine.hasImage(second.reference)).toBe(true);
        await engine.remove(both.usageID);
        await engine.tidyImages({ keep: new Set(), underWay: new Set(['image-2:2']) });
        expect(await engine.hasImage(second.reference)).toBe(true);
        await engine.tidyImages({ keep: new Set(), underWay: new Set() });
        expect(await engine.hasImage(second.reference)).toBe(false);
        expect(await engine.hasImage(first.reference)).toBe(false);
        expect(await engine.hasImage(under.images.toolchain)).toBe(true);
      });

      it('commits what is paused, and refuses what is not there', async () => {
        const { usageID } = await prepared(secret());
        await engine.pause(usageID);
        await engine.commitNode(usageID, 'node1', 'image-3:1', { scrub });
        onTestFinished(() => engine.tidyImages({ keep: new Set(), underWay: new Set() }));
        expect(await stateOf(usageID)).toEqual(['paused']);
        await expect(
          engine.commitNode(usageID, 'node9', 'image-3:2', { scrub }),
        ).rejects.toMatchObject({ code: 'no_such_usage' });
        await expect(
          engine.commitNode(999_999, 'node1', 'image-3:2', { scrub }),
        ).rejects.toMatchObject({ code: 'no_such_usage' });
        expect(await engine.describeImage('localhost/hypercube/none:0')).toBe(null);
      });
    });

    describe('networks', () => {
      /** Connects from inside; `refusal` is empty when somebody answered. */
      async function connect(usageID: number, address: string, port: number): Promise<ExecResult> {
        const attempt = `exec 3<>/dev/tcp/${address}/${port}`;
        return engine.exec(usageID, 'node1', ['timeout', '3', 'bash', '-c', attempt]);
      }

      const listener = (name: string) =>
        node({ name, command: ['python3', '-m', 'http.server', '8000', '--bind', '0.0.0.0'] });

      it('resolves the nodes of a usage by name and connects them', async () => {
        const { usageID } = await started(node(), listener('node2'), node({ name: 'node3' }));
        await expect
          .poll(async () => (await connect(usageID, 'node2', 8000)).exitCode, { timeout: 10_000 })
          .toBe(0);
        const back = await engine.exec(usageID, 'node3', ['getent', 'hosts', 'node1']);
        expect(back.stdout).toContain('node1');
      });

      it('runs MPI and SSH across the nodes of a usage without a password', async () => {
        const names = ['node1', 'node2', 'node3'];
        const { usageID } = await started(...names.map((name) => node({ name })));
        const ssh = () => engine.exec(usageID, 'node1', ['ssh', 'node3', 'hostname']);
        await expect.poll(async () => (await ssh()).stdout, { timeout: 10_000 }).toBe('node3\n');
        const hosts = `${names.map((name) => `${name}:1`).join(',')}`;
        // A node's environment reaches its own command; a command from outside names the hosts.
        const mpi = await engine.exec(usageID, 'node1', [
          'mpirun',
          '--host',
          hosts,
          '-n',
          '3',
          'hostname',
        ]);
        expect(mpi.stdout.split('\n').filter(Boolean).toSorted()).toEqual(names);
      });

      it('fails on a foreign name at once', async () => {
        const { usageID } = await started(node());
        const began = performance.now();
        const { exitCode } = await engine.exec(usageID, 'node1', [
          'getent',
          'hosts',
          'example.org',
        ]);
        expect(exitCode).not.toBe(0);
        expect(performance.now() - began).toBeLessThan(3_000);
      });

      it('keeps usages apart', async () => {
        const theirs = await started(listener('node1'));
        const ours = await started(node());
        const [address] = await engine.inspect(theirs.usageID);
        const ip = address?.ip ?? '';
        await expect
          .poll(async () => (await connect(theirs.usageID, ip, 8000)).exitCode, { timeout: 10_000 })
          .toBe(0);
        expect((await connect(ours.usageID, ip, 8000)).exitCode).not.toBe(0);
      });

      it('keeps the host, the internet and the cloud’s metadata out of reach', async () => {
        const { server, port } = await listenEverywhere();
        onTestFinished(() => void server.close());
        const { usageID } = await started(node());
        const [own] = await engine.inspect(usageID);
        const gateway = (own?.ip ?? '').replace(/\d+$/, (last) => String(Number(last) - 1));
        const addresses = Object.values(networkInterfaces())
          .flatMap((all) => all ?? [])
          .filter((one) => one.family === 'IPv4' && !one.internal)
          .map((one) => one.address);
        // The gateway is one of the host's own addresses: else the test would ask the wrong one.
        expect(addresses).toContain(gateway);
        for (const address of addresses) {
          expect([address, (await connect(usageID, address, port)).exitCode]).not.toEqual([
            address,
            0,
          ]);
        }
        for (const [address, outside] of [
          ['198.51.100.7', 80],
          ['169.254.169.254', 80],
        ] as const) {
          expect([address, (await connect(usageID, address, outside)).exitCode]).not.toEqual([
            address,
            0,
          ]);
        }
        expect(await connections(server)).toBe(0);
        // From the host the way in is open: that is how the proxy reaches a session.
        const ipv6 = await engine.exec(usageID, 'node1', ['cat', '/proc/net/if_inet6']);
        expect(ipv6.stdout).toBe('');
        // Nor have the host's ends of its cables: their addresses would be changes of network to a
        // browser on this machine.
        const [bridge = ''] =
          Object.entries(networkInterfaces()).find(([, all]) =>
            all?.some((one) => one.address === gateway),
          ) ?? [];
        const ends = readdirSync(`/sys/class/net/${bridge}/brif`);
        expect(ends.length).toBeGreaterThan(0);
        const named = readFileSync('/proc/net/if_inet6', 'utf8').split('\n');
        for (const name of [bridge, ...ends])
          expect(named.filter((line) => line.endsWith(` ${name}`))).toEqual([]);
      });
    });
  });
}

async function listenEverywhere(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.end('host'));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
