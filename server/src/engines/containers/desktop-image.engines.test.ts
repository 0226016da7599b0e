import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ContainerHost, dismantle, findContainerHost } from './container-host.ts';
import { createContainerEngine } from './docker-api.ts';
import type { ContainerEngine, NodeState } from './engine.ts';
import { buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';

const gibibyte = 1024 ** 3;
const usageID = 1;
const port = 7070;

/** The desktop image as the gateway meets it: through the session agent, in the smallest session. */
describe('desktop image', () => {
  let dataDir: string;
  let host: ContainerHost;
  let engine: ContainerEngine;
  let origin: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypercube-desktop-'));
    const found = await findContainerHost({
      dataDir,
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
    });
    if (found.kind === 'none') throw new Error(found.reason);
    host = found;
    await buildImages(host, { only: ['desktop'] });
    engine = createContainerEngine({ host });
    const personal = join(dataDir, 'personal');
    const bundle = join(dataDir, 'bundle');
    mkdirSync(personal);
    mkdirSync(bundle);
    chownSync(personal, 1000, 1000);
    writeFileSync(join(bundle, '实验一.md'), '# 实验一');
    await engine.create({
      usageID,
      nodes: [
        {
          name: 'desktop',
          image: imageReference('desktop'),
          env: { HC_AGENT_PORT: String(port), HC_DATA_FOLDER: '/home/learner/data' },
          limits: {
            cpus: 2,
            memoryBytes: gibibyte,
            pids: 512,
            diskBytes: gibibyte,
            shmBytes: 64 * 1024 * 1024,
          },
          mounts: [
            { source: personal, target: '/home/learner/data', readOnly: false },
            { source: bundle, target: '/home/learner/bundle_resource', readOnly: true },
          ],
          user: '1000:1000',
        },
      ],
    });
    await open();
  });

  afterAll(async () => {
    await engine.remove(usageID);
    await dismantle(host);
    rmSync(dataDir, { recursive: true });
  });

  /** Starts the session and waits until its desktop says that it is there. */
  async function open(): Promise<void> {
    const [node] = (await engine.start(usageID)) as [NodeState];
    origin = `http://${node.ip}:${port}`;
    const isUp = () =>
      fetch(`${origin}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
    await vi.waitUntil(isUp, { timeout: 20_000, interval: 20 });
  }

  async function run(...command: string[]): Promise<string> {
    const result = await engine.exec(usageID, 'desktop', command);
    if (result.exitCode !== 0) throw new Error(`${command.join(' ')}: ${result.stderr}`);
    return result.stdout.trim();
  }

  async function connect(): Promise<Viewer> {
    const viewer = await Viewer.open(`${origin.replace('http', 'ws')}/desktop/ws`);
    onTestFinished(() => viewer.close());
    return viewer;
  }

  it('shows a desktop with our wallpaper, a panel and the two folders', async () => {
    const viewer = await connect();
    expect([viewer.width, viewer.height]).toEqual([1280, 800]);
    // The ink of the wallpaper in a corner, and above it the panel in another colour.
    await expect
      .poll(() => viewer.pixel(1200, 780), { timeout: 20_000 })
      .toEqual([expect.closeTo(15, -1), expect.closeTo(23, -1), expect.closeTo(42, -1)]);
    await expect
      .poll(() => viewer.colours(0, 0, 1280, 30), { timeout: 20_000 })
      .toBeGreaterThan(100);
    await expect
      .poll(() => viewer.colours(20, 40, 90, 180), { timeout: 20_000 })
      .toBeGreaterThan(100);
    expect(await run('ls', '/home/learner/Desktop')).toBe('bundle_resource\ndata');
    expect(await run('ls', '/home/learner/Desktop/bundle_resource')).toBe('实验一.md');
    const used = await engine.stats(usageID);
    expect(used[0]?.memoryBytes).toBeLessThan(gibibyte / 2);
  });

  it('speaks Chinese, and has a Chinese input method', async () => {
    const panel = await run('sh', '-c', 'cat /proc/$(pgrep -x xfce4-panel)/environ');
    expect(panel.split('\0')).toEqual(
      expect.arrayContaining(['LANG=zh_CN.UTF-8', 'GTK_IM_MODULE=fcitx', 'XMODIFIERS=@im=fcitx']),
    );
    expect(panel).not.toContain('LC_ALL=');
    const day = ['env', '-u', 'LC_ALL', 'LANG=zh_CN.UTF-8', 'date', '-d', '2026-11-21', '+%A'];
    expect(await run(...day)).toBe('星期六');
    await expect.poll(() => run('fcitx5-remote').catch(() => ''), { timeout: 10_000 }).toBe('1');
    await run('fcitx5-remote', '-s', 'pinyin');
    expect(await run('fcitx5-remote', '-n')).toBe('pinyin');
    await run('fcitx5-remote', '-s', 'keyboard-us');
  });

  it('hands long Chinese texts from the page to the desktop and back', async () => {
    const viewer = await connect();
    const text = '超立方：π ≈ 3.14\n'.repeat(5_000);
    viewer.offer(text);
    await expect
      .poll(() => run('timeout', '5', 'xclip', '-selection', 'clipboard', '-o').catch(() => ''), {
        timeout: 15_000,
      })
      .toBe(text.trim());
    const copy = 'printf "从桌面复制：%s" "✓ 完成" | xclip -selection clipboard -i';
    await run('sh', '-c', `${copy} >/dev/null 2>&1`);
    await expect.poll(() => viewer.clipboard, { timeout: 10_000 }).toBe('从桌面复制：✓ 完成');
  });

  it('shows messages of the platform, and of nobody else', async () => {
    const viewer = await connect();
    const before = await viewer.picture(980, 40, 300, 120);
    await run('session-message', '还有 5 分钟', '请保存您的工作，或者续期。');
    await expect
      .poll(async () => (await viewer.picture(980, 40, 300, 120)).equals(before), {
        timeout: 10_000,
      })
      .toBe(false);
    const outside = await fetch(`${origin}/desktop/message`, {
      method: 'POST',
      body: JSON.stringify({ Title: 'a', Text: 'b' }),
    });
    expect(outside.status).toBe(403);
  });

  it('has what the labs need', async () => {
    for (const program of ['xfce4-terminal', 'thunar', 'mousepad', 'ristretto', 'zathura', 'gdb'])
      expect(await run('which', program)).toMatch(/^\/usr\/bin\//);
    const plot = "set terminal pngcairo; set output '/tmp/plot.png'; plot sin(x) title '正弦'";
    await run('gnuplot', '-e', plot);
    expect(await run('file', '--brief', '/tmp/plot.png')).toMatch(/^PNG image data/);
  });

  it('gives a fresh desktop to whoever logs out', async () => {
    const first = await run('pgrep', '-x', 'xfce4-session');
    await run('kill', first);
    await expect
      .poll(() => run('pgrep', '-x', 'xfce4-session').catch(() => ''), { timeout: 10_000 })
      .toMatch(new RegExp(`^(?!${first}$)\\d+$`));
  });

  it('ends with an error when its screen is gone, and comes back when it is started again', async () => {
    await run('pkill', '-9', '-x', 'Xvnc');
    const state = async () => (await engine.inspect(usageID))[0];
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ state: 'exited', exitCode: 1 });
    await open();
    const viewer = await connect();
    await expect
      .poll(() => viewer.colours(0, 0, 1280, 30), { timeout: 20_000 })
      .toBeGreaterThan(100);
  });
});

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`the desktop does not offer ${what}`);
}

const rawEncoding = 0;
const extendedClipboard = 0xc0a1e5ce | 0;
const asText = 1;
const [capabilities, request, notify, provide] = [1 << 24, 1 << 25, 1 << 27, 1 << 28];

/** A small VNC client: pictures without compression, and the clipboard in Unicode. */
class Viewer {
  width = 0;
  height = 0;
  /** What a program of the desktop copied last. */
  clipboard: string | null = null;
  #offered = '';
  #updates: ((picture: Buffer) => void)[] = [];
  #buffer = Buffer.alloc(0);
  #wanted: { size: number; resolve: (bytes: Buffer) => void } | null = null;
  readonly #socket: WebSocket;

  private constructor(address: string) {
    this.#socket = new WebSocket(address, 'binary');
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      this.#buffer = Buffer.concat([this.#buffer, Buffer.from(data)]);
      this.#serve();
    });
  }

  static async open(address: string): Promise<Viewer> {
    const viewer = new Viewer(address);
    must((await viewer.#read(12)).toString() === 'RFB 003.008\n', 'RFB 3.8');
    viewer.#write(Buffer.from('RFB 003.008\n'));
    const [kinds] = await viewer.#read(1);
    must((await viewer.#read(kinds ?? 0)).includes(1), 'access without a password');
    viewer.#write(Buffer.from([1]));
    must((await viewer.#read(4)).readUInt32BE() === 0, 'access');
    viewer.#write(Buffer.from([1]));
    const init = await viewer.#read(24);
    viewer.width = init.readUInt16BE(0);
    viewer.height = init.readUInt16BE(2);
    await viewer.#read(init.readUInt32BE(20));
    const encodings = Buffer.alloc(12);
    encodings.writeUInt8(2, 0);
    encodings.writeUInt16BE(2, 2);
    encodings.writeInt32BE(rawEncoding, 4);
    encodings.writeInt32BE(extendedClipboard, 8);
    viewer.#write(encodings);
    void viewer.#listen();
    return viewer;
  }

  /** The pixels of an area as they are now, four bytes each: blue, green, red and nothing. */
  picture(x: number, y: number, width: number, height: number): Promise<Buffer> {
    const message = Buffer.alloc(10);
    message.writeUInt8(3, 0);
    [x, y, width, height].forEach((value, index) => message.writeUInt16BE(value, 2 + index * 2));
    return new Promise((resolve) => {
      this.#updates.push(resolve);
      this.#write(message);
    });
  }

  async pixel(x: number, y: number): Promise<number[]> {
    const [blue, green, red] = await this.picture(x, y, 1, 1);
    return [red ?? 0, green ?? 0, blue ?? 0];
  }

  /** How many different colours an area has: a picture has many, an empty screen one. */
  async colours(x: number, y: number, width: number, height: number): Promise<number> {
    const pixels = await this.picture(x, y, width, height);
    const found = new Set<number>();
    for (let at = 0; at < pixels.length; at += 4) found.add(pixels.readUInt32LE(at));
    return found.size;
  }

  /** Says that there is a text to paste; the desktop asks for it when somebody pastes. */
  offer(text: string): void {
    this.#offered = text;
    this.#cutText(notify | asText, Buffer.alloc(0));
  }

  close(): void {
    this.#socket.close();
  }

  async #listen(): Promise<void> {
    for (;;) {
      const [kind] = await this.#read(1);
      if (kind === 0) await this.#update();
      else if (kind === 3) await this.#cutTextReceived();
      else if (kind !== 2) throw new Error(`message ${kind} is unknown`);
    }
  }

  async #update(): Promise<void> {
    const head = await this.#read(3);
    const parts: Buffer[] = [];
    for (let rest = head.readUInt16BE(1); rest > 0; rest--) {
      const area = await this.#read(12);
      parts.push(await this.#read(area.readUInt16BE(4) * area.readUInt16BE(6) * 4));
    }
    this.#updates.shift()?.(Buffer.concat(parts));
  }

  async #cutTextReceived(): Promise<void> {
    const length = (await this.#read(7)).readInt32BE(3);
    // A negative length marks the extended form.
    const content = await this.#read(Math.abs(length));
    if (length >= 0) return;
    const flags = content.readUInt32BE();
    if (flags & capabilities) {
      const sizes = Buffer.alloc(4);
      sizes.writeUInt32BE(2 ** 24);
      this.#cutText(capabilities | request | notify | provide | asText, sizes);
    } else if (flags & notify && flags & asText) {
      this.#cutText(request | asText, Buffer.alloc(0));
    } else if (flags & request) {
      const text = Buffer.from(`${this.#offered.replaceAll('\n', '\r\n')}\0`);
      const size = Buffer.alloc(4);
      size.writeUInt32BE(text.length);
      this.#cutText(provide | asText, deflateSync(Buffer.concat([size, text])));
    } else if (flags & provide) {
      // The desktop never ends its stream, so the end of the message has to do.
      const text = inflateSync(content.subarray(4), { finishFlush: constants.Z_SYNC_FLUSH });
      this.clipboard = text.subarray(4, 4 + text.readUInt32BE() - 1).toString();
    }
  }

  #cutText(flags: number, content: Buffer): void {
    const head = Buffer.alloc(12);
    head.writeUInt8(6, 0);
    head.writeInt32BE(-(content.length + 4), 4);
    head.writeUInt32BE(flags, 8);
    this.#write(Buffer.concat([head, content]));
  }

  #write(bytes: Buffer<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  #read(size: number): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#wanted = { size, resolve };
      this.#serve();
    });
  }

  #serve(): void {
    const wanted = this.#wanted;
    if (wanted === null || this.#buffer.length < wanted.size) return;
    this.#wanted = null;
    const bytes = this.#buffer.subarray(0, wanted.size);
    this.#buffer = this.#buffer.subarray(wanted.size);
    wanted.resolve(bytes);
  }
}
