import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ContainerHost, dismantle, findContainerHost } from './container-host.ts';
import { createContainerEngine } from './docker-api.ts';
import type { ContainerEngine, NodeState } from './engine.ts';
import { buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';

const mebibyte = 1024 ** 2;
const usageID = 1;
const port = 7070;

/** The session agent of every image, as the gateway meets it: terminals that survive their pages. */
describe('session agent', () => {
  let dataDir: string;
  let host: ContainerHost;
  let engine: ContainerEngine;
  let origin: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypercube-agent-'));
    const found = await findContainerHost({
      dataDir,
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
    });
    if (found.kind === 'none') throw new Error(found.reason);
    host = found;
    await buildImages(host, { only: ['toolchain'] });
    engine = createContainerEngine({ host });
    const personal = join(dataDir, 'personal');
    mkdirSync(personal);
    chownSync(personal, 1000, 1000);
    await engine.create({
      usageID,
      nodes: ['node1', 'node2'].map((name) => ({
        name,
        image: imageReference('toolchain'),
        env: {
          HC_DATA_FOLDER: '/home/learner/data',
          ...(name === 'node1' ? { HC_AGENT_PORT: String(port) } : {}),
        },
        limits: {
          cpus: 2,
          memoryBytes: 256 * mebibyte,
          pids: 128,
          diskBytes: 256 * mebibyte,
          shmBytes: 16 * mebibyte,
        },
        mounts: [{ source: personal, target: '/home/learner/data', readOnly: false }],
        user: '1000:1000',
      })),
    });
    const [node] = (await engine.start(usageID)) as [NodeState];
    origin = `http://${node.ip}:${port}`;
    await healthy();
  });

  afterAll(async () => {
    await engine.remove(usageID);
    await dismantle(host);
    rmSync(dataDir, { recursive: true });
  });

  async function healthy(): Promise<void> {
    await until(() =>
      fetch(`${origin}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
  }

  async function list(): Promise<TerminalEntry[]> {
    const answer = await fetch(`${origin}/terminal/list`);
    return ((await answer.json()) as { List: TerminalEntry[] }).List;
  }

  function close(name: string): Promise<number> {
    return fetch(`${origin}/terminal/close?name=${name}`, { method: 'POST' }).then(
      (answer) => answer.status,
    );
  }

  /** A terminal of one test, gone at its end. */
  async function terminal(name: string, options: Partial<Attach> = {}): Promise<Page> {
    const page = await Page.attach(origin, { Name: name, ...options });
    onTestFinished(async () => {
      page.close();
      await close(name);
    });
    return page;
  }

  it('opens a login shell in the personal folder, of the size that the page has', async () => {
    const page = await terminal('shell', { Columns: 100, Rows: 30 });
    expect(page.attached).toMatchObject({ From: 0, InputSeen: 0, Columns: 100, Rows: 30 });
    expect(page.attached).toMatchObject({ Name: 'shell', IsAlive: true });
    page.type('echo "$TERM $PWD $(stty size) ${HC_AGENT_PORT:-private}"\r');
    await page.shows('xterm-256color /home/learner/data 30 100 private');
    await page.shows('learner@node1');
    page.type('yes | head -n 1; echo "status ${PIPESTATUS[0]}"\r');
    await page.shows('status 141');
  });

  it('goes on after a cut without loss or repetition', async () => {
    const before = await terminal('resume');
    before.type('for i in $(seq 20000); do echo "line $i."; done\r');
    await before.shows('line 900.');
    before.close();
    const after = await terminal('resume', { After: before.offset });
    expect(after.attached).toMatchObject({ From: before.offset, InputSeen: 1 });
    await after.shows('line 20000.');
    const numbers = [...(before.text + after.text).matchAll(/line (\d+)\./g)].map((one) =>
      Number(one[1]),
    );
    expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
    expect([before.gaps, after.gaps]).toEqual([0, 0]);
  });

  it('takes every input once, in order', async () => {
    const page = await terminal('input');
    page.input(1, 'echo $((20 + 1))\r');
    page.input(1, 'echo $((20 + 1))\r');
    page.input(2, 'echo end $((1 + 1))\r');
    await page.shows('end 2');
    expect(page.taken).toEqual([1, 1, 2]);
    expect(page.text.match(/^21\r$/gm)).toHaveLength(1);
    page.input(4, 'lost');
    await until(() => page.closed !== null);
    expect(page.closed).toMatchObject({ code: 1008, reason: 'an input is missing' });
  });

  it('takes a page that comes back before its old connection is noticed to be dead', async () => {
    const old = await terminal('twice', { Client: 'same' });
    old.type('echo $((40 + 2))\r');
    await old.shows('42');
    const back = await terminal('twice', { Client: 'same', After: old.offset });
    expect(back.attached).toMatchObject({ InputSeen: 1 });
    await until(() => old.closed !== null);
    expect(old.closed).toMatchObject({ code: 1000, reason: 'replaced' });
  });

  it('shows several pages the same, in the size of the one that is used', async () => {
    const first = await terminal('shared', { Client: 'first', Columns: 80, Rows: 24 });
    const second = await terminal('shared', { Client: 'second', Columns: 120, Rows: 40 });
    expect(second.attached).toMatchObject({ Columns: 80, Rows: 24 });
    second.type('stty size\r');
    await first.shows('40 120');
    await second.shows('40 120');
    for (const page of [first, second])
      expect(page.messages).toContainEqual({ Type: 'size', Columns: 120, Rows: 40 });
    first.send({ Type: 'resize', Columns: 60, Rows: 20 });
    await until(() => second.messages.some((one) => one['Columns'] === 60));
    expect((await list()).find((one) => one.Name === 'shared')).toMatchObject({
      Node: '',
      Title: 'bash',
      IsAlive: true,
      Clients: 2,
      CreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('keeps what a program that ended has printed, until it is closed', async () => {
    const page = await terminal('ended');
    page.type('echo last words; exit 3\r');
    await until(() => page.messages.some((one) => one.Type === 'exit'));
    expect(page.messages.at(-1)).toEqual({ Type: 'exit', Code: 3 });
    const later = await terminal('ended', { Client: 'later' });
    expect(later.attached).toMatchObject({ IsAlive: false });
    await later.shows('last words');
    await until(() => later.messages.some((one) => one.Type === 'exit'));
    expect(await close('ended')).toBe(204);
    expect(await close('ended')).toBe(404);
    expect((await list()).map((one) => one.Name)).not.toContain('ended');
    await until(() => later.closed !== null);
  });

  it('ends everything that a closed terminal had started', async () => {
    const page = await terminal('closing');
    page.type('(trap "" HUP; exec sleep 987) & sleep 986 &\r');
    const running = () =>
      engine
        .exec(usageID, 'node1', ['pgrep', '-f', 'sleep 98[67]'])
        .then((result) => result.stdout.trim().split('\n').filter(Boolean).length);
    await expect.poll(running, { timeout: 5_000 }).toBe(2);
    expect(await close('closing')).toBe(204);
    await expect.poll(running, { timeout: 5_000 }).toBe(0);
    expect(page.messages.at(-1)).toMatchObject({ Type: 'exit' });
  });

  it('says how much is missing of what was printed while nobody looked', async () => {
    const page = await terminal('ring');
    page.type('sleep 0.2; seq -f "number %.0f" 500000; touch /tmp/printed\r');
    await page.shows('touch');
    const seen = page.offset;
    page.close();
    await expect
      .poll(() => engine.exec(usageID, 'node1', ['test', '-e', '/tmp/printed']), {
        timeout: 20_000,
      })
      .toMatchObject({ exitCode: 0 });
    const back = await terminal('ring', { After: seen });
    const from = Number(back.attached['From']);
    expect(from).toBeGreaterThan(seen);
    await back.shows('number 500000');
    expect(back.offset - from).toBeGreaterThanOrEqual(4 * mebibyte);
    expect(back.offset - from).toBeLessThan(5 * mebibyte);

    const fresh = await terminal('ring', { Client: 'fresh' });
    await fresh.shows('number 500000');
    expect(fresh.offset - Number(fresh.attached['From'])).toBeLessThanOrEqual(256 * 1024);
    expect(fresh.text).toMatch(/^number \d+\r\n/);
  });

  it('lets a program wait for a page that is behind', async () => {
    const page = await terminal('slow', { isConfirming: false });
    page.type('yes 0123456789abcde | head -c 3200000; echo "all of it" | tr a-z A-Z\r');
    await expect.poll(() => page.offset, { timeout: 10_000 }).toBe(mebibyte);
    const { stdout } = await engine.exec(usageID, 'node1', ['pgrep', '-x', 'head']);
    expect(stdout).toMatch(/\d+/);
    page.isConfirming = true;
    page.confirm();
    await page.shows('ALL OF IT');
  });

  it('does not let a page that takes nothing stop the program for the others', async () => {
    const dead = await terminal('stalled', { Client: 'dead', isConfirming: false });
    const alive = await terminal('stalled', { Client: 'alive' });
    alive.type('yes 0123456789abcde | head -c 3200000; echo "all of it" | tr a-z A-Z\r');
    await alive.shows('ALL OF IT', 40_000);
    expect(dead.closed).not.toBeNull();
    expect(dead.offset).toBeLessThanOrEqual(mebibyte);
  }, 60_000);

  it('opens a terminal on another node of the session, and on no other machine', async () => {
    const page = await terminal('remote', { Node: 'node2' });
    page.type('echo "on $(hostname) in $PWD"\r');
    await page.shows('on node2 in /home/learner/data');
    for (const node of ['node3', '-oProxyCommand=true'])
      expect(await Page.refusal(origin, { Name: 'astray', Node: node })).toBe('no_such_node');
    expect((await list()).map((one) => one.Name)).not.toContain('astray');
  });

  it('holds eight terminals, and makes room by one that has ended', async () => {
    const pages: Page[] = [];
    for (let number = 1; number <= 8; number++) pages.push(await terminal(`many-${number}`));
    expect(await Page.refusal(origin, { Name: 'many-9' })).toBe('too_many');
    const third = pages[2] as Page;
    third.type('exit\r');
    await until(() => third.messages.some((one) => one.Type === 'exit'));
    expect(await Page.refusal(origin, { Name: 'many-9' })).toBe('too_many');
    third.close();
    const clients = async () => (await list()).find((one) => one.Name === 'many-3')?.Clients;
    await expect.poll(clients).toBe(0);
    await terminal('many-9');
    expect((await list()).map((one) => one.Name)).not.toContain('many-3');
  });

  it('refuses what no page sends', async () => {
    expect(await Page.refusal(origin, { Name: '../name' })).toBe('bad_name');
    expect((await fetch(`${origin}/`)).status).toBe(404);
    expect((await fetch(`${origin}/terminal/close`)).status).toBe(405);
    expect((await fetch(`${origin}/desktop/message`, { method: 'POST' })).status).toBe(404);
    const long = await fetch(`${origin}/healthz`, { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(long.status).toBe(431);
    const plain = new WebSocket(`${origin.replace('http', 'ws')}/terminal/ws`, 'another');
    await new Promise((resolve) => plain.addEventListener('error', resolve));
    const page = await terminal('strict');
    page.send({ Type: 'resize', Columns: 0, Rows: 24 });
    await until(() => page.closed !== null);
    expect(page.closed).toMatchObject({ code: 1008 });
  });

  it('answers again after a crash, and takes little memory', async () => {
    const pid = async () =>
      (await engine.exec(usageID, 'node1', ['pgrep', '-f', 'bin/session-agent$'])).stdout.trim();
    const first = await pid();
    const { stdout } = await engine.exec(usageID, 'node1', ['cat', `/proc/${first}/status`]);
    // What eight terminals hold, and what Python itself takes.
    expect(Number(/VmRSS:\s+(\d+)/.exec(stdout)?.[1])).toBeLessThan(72 * 1024);
    await engine.exec(usageID, 'node1', ['kill', '-9', first]);
    await expect.poll(pid, { timeout: 5_000 }).not.toBe(first);
    await healthy();
    const page = await terminal('again', { After: 5_000_000 });
    expect(page.attached).toMatchObject({ From: 0, InputSeen: 0 });
  });
});

interface TerminalEntry {
  Name: string;
  Node: string;
  Title: string;
  IsAlive: boolean;
  Clients: number;
  CreatedAt: string;
}

interface Attach {
  Name: string;
  Node: string;
  Client: string;
  Columns: number;
  Rows: number;
  After: number | null;
  /** Whether the page says how far it got, as pages do. */
  isConfirming: boolean;
}

type Message = { Type: string } & Record<string, unknown>;

/** Waits for something that comes by itself, on a machine that may be busy. */
function until(condition: () => unknown, timeoutMs = 10_000): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: timeoutMs, interval: 10 });
}

/** One page at a terminal, with everything that arrived. */
class Page {
  readonly messages: Message[] = [];
  readonly taken: number[] = [];
  attached: Message = { Type: '' };
  text = '';
  /** How far the stream was received. */
  offset = 0;
  /** Frames that did not go on where the one before had ended. */
  gaps = 0;
  closed: CloseEvent | null = null;
  isConfirming = true;
  readonly #socket: WebSocket;
  readonly #decoder = new TextDecoder();
  #typed = 0;

  private constructor(origin: string, attach: Partial<Attach>) {
    const { isConfirming = true, ...rest } = attach;
    this.isConfirming = isConfirming;
    this.#socket = new WebSocket(
      `${origin.replace('http', 'ws')}/terminal/ws`,
      'hypercube.terminal.1',
    );
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('open', () =>
      this.send({
        Type: 'attach',
        Node: '',
        Client: 'page',
        Columns: 80,
        Rows: 24,
        After: null,
        ...rest,
      }),
    );
    this.#socket.addEventListener('close', (event) => {
      this.closed = event;
    });
    this.#socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) =>
      typeof data === 'string' ? this.#told(JSON.parse(data) as Message) : this.#got(data),
    );
  }

  /** Attaches and waits for the answer. */
  static async attach(origin: string, attach: Partial<Attach>): Promise<Page> {
    const page = new Page(origin, attach);
    await until(() => page.messages.length > 0 || page.closed !== null);
    if (page.attached.Type === '') throw new Error(JSON.stringify(page.messages));
    return page;
  }

  /** Why the agent does not give a terminal. */
  static async refusal(origin: string, attach: Partial<Attach>): Promise<unknown> {
    const page = new Page(origin, { Client: 'refused', ...attach });
    await until(() => page.closed !== null);
    return page.messages.find((one) => one.Type === 'refused')?.['Reason'];
  }

  send(message: Message): void {
    this.#socket.send(JSON.stringify(message));
  }

  type(text: string): void {
    this.#typed += 1;
    this.input(this.#typed, text);
  }

  input(number: number, text: string): void {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(5);
    head.writeUInt8(2);
    head.writeUInt32BE(number, 1);
    this.#socket.send(Buffer.concat([head, bytes]));
  }

  confirm(): void {
    this.send({ Type: 'received', Offset: this.offset });
  }

  close(): void {
    this.#socket.close();
  }

  shows(text: string, timeoutMs = 15_000): Promise<unknown> {
    return until(() => this.text.includes(text), timeoutMs);
  }

  #told(message: Message): void {
    this.messages.push(message);
    if (message.Type !== 'attached') return;
    this.attached = message;
    this.offset = Number(message['From']);
  }

  #got(data: ArrayBuffer): void {
    const view = new DataView(data);
    if (view.getUint8(0) === 3) {
      this.taken.push(view.getUint32(1));
      return;
    }
    if (view.getUint8(0) !== 1 || Number(view.getBigUint64(1)) !== this.offset) this.gaps += 1;
    const bytes = new Uint8Array(data, 9);
    this.offset += bytes.length;
    this.text += this.#decoder.decode(bytes, { stream: true });
    if (this.isConfirming) this.confirm();
  }
}
