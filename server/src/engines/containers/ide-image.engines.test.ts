import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ContainerHost, dismantle, findContainerHost } from './container-host.ts';
import { createContainerEngine } from './docker-api.ts';
import type { ContainerEngine, NodeState } from './engine.ts';
import { buildImages } from './image-build.ts';
import { imageReference } from './image-sources.ts';

const gibibyte = 1024 ** 3;
const usageID = 1;
const home = '/home/coder/project';

/** The web IDE image as the gateway meets it, with the prefix taken away. */
describe('web IDE image', () => {
  let dataDir: string;
  let personal: string;
  let host: ContainerHost;
  let engine: ContainerEngine;
  let origin: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypercube-ide-'));
    const found = await findContainerHost({
      dataDir,
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
    });
    if (found.kind === 'none') throw new Error(found.reason);
    host = found;
    await buildImages(host, { only: ['ide'] });
    engine = createContainerEngine({ host });
    personal = join(dataDir, 'personal');
    mkdirSync(personal);
    chownSync(personal, 1000, 1000);
    origin = await open(usageID, {});
  });

  afterAll(async () => {
    await engine.remove(usageID);
    await dismantle(host);
    rmSync(dataDir, { recursive: true });
  });

  async function open(id: number, env: Record<string, string>): Promise<string> {
    await engine.create({
      usageID: id,
      nodes: [
        {
          name: 'ide',
          image: imageReference('ide'),
          env,
          limits: {
            cpus: 2,
            memoryBytes: gibibyte,
            pids: 512,
            diskBytes: gibibyte,
            shmBytes: 64 * 1024 * 1024,
          },
          mounts: [{ source: personal, target: `${home}/data`, readOnly: false }],
          user: '1000:1000',
        },
      ],
    });
    const [node] = (await engine.start(id)) as [NodeState];
    const address = `http://${node.ip}:8080`;
    const isUp = () =>
      fetch(`${address}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
    await vi.waitUntil(isUp, { timeout: 20_000, interval: 20 });
    return address;
  }

  async function run(...command: string[]): Promise<string> {
    const result = await engine.exec(usageID, 'ide', command, { timeoutMs: 30_000 });
    if (result.exitCode !== 0)
      throw new Error(`${command.join(' ')}: ${result.stdout}${result.stderr}`);
    return result.stdout.trim();
  }

  /** The texts of the workbench, in the order in which its program numbers them. */
  async function texts(address: string): Promise<string> {
    const page = await fetch(`${address}/?folder=${home}`).then((answer) => answer.text());
    // English comes first, and the other language, where there is one, takes its place.
    const path = [...page.matchAll(/src="([^"]*nls\.messages\.js)"/g)].at(-1)?.[1];
    if (!path) throw new Error('the page names no texts');
    const script = await fetch(new URL(path.replaceAll('&amp;', '&'), `${address}/`));
    return script.text();
  }

  it('opens the project without a password, with addresses that a prefix does not break', async () => {
    const first = await fetch(`${origin}/`, { redirect: 'manual' });
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toBe(`./?folder=${home}`);
    const page = await fetch(`${origin}/?folder=${home}`).then((answer) => answer.text());
    expect(page).toContain('vscode-workbench-web-configuration');
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((one) => one[1] ?? '');
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter((one) => /^\/|^https?:/.test(one))).toEqual([]);
  });

  it('asks nobody outside: no marketplace, no telemetry, no updates, no chat', async () => {
    const page = await fetch(`${origin}/?folder=${home}`).then((answer) => answer.text());
    const [, json] =
      /id="vscode-workbench-web-configuration" data-settings="([^"]*)"/.exec(page) ?? [];
    const configuration = JSON.parse((json ?? '').replaceAll('&quot;', '"')) as {
      productConfiguration: { extensionsGallery?: { serviceUrl?: string } };
    };
    expect(configuration.productConfiguration.extensionsGallery?.serviceUrl ?? '').toBe('');
    const settings = await run('cat', '/home/coder/.local/share/code-server/User/settings.json');
    expect(JSON.parse(settings)).toMatchObject({
      'chat.disableAIFeatures': true,
      'telemetry.telemetryLevel': 'off',
      'update.mode': 'none',
    });
  });

  it('is Chinese, or English where that was asked for', async () => {
    const chinese = await texts(origin);
    const words = ['资源管理器', '终端', '断点', '调试控制台', '新建文件'];
    expect(words.filter((word) => !chinese.includes(word))).toEqual([]);
    const english = await open(2, { HC_LOCALE: 'en-US' }).then(texts);
    await engine.remove(2);
    expect([english.includes('Debug Console'), english.includes('资源管理器')]).toEqual([
      true,
      false,
    ]);
  });

  it('brings the tool chain to its terminals', async () => {
    const programs = 'gcc g++ gfortran mpicc mpirun make gdb python3 git node rg vim nano'.split(
      ' ',
    );
    expect((await run('which', ...programs)).split('\n')).toHaveLength(programs.length);
    // The part of code-server that is compiled: without it no terminal opens.
    const script = `
      const pty = require('/opt/ide/code-server/lib/vscode/node_modules/node-pty');
      const shell = pty.spawn('/bin/bash', ['-lc', 'tty; id -un'], {});
      shell.onData((text) => process.stdout.write(text));
      shell.onExit(({ exitCode }) => process.exit(exitCode));`;
    expect(await run('node', '-e', script)).toMatch(/^\/dev\/pts\/\d+\s+coder$/);
  });

  it('debugs with gdb over the editor’s own protocol', async () => {
    writeFileSync(
      join(personal, 'sum.c'),
      'int add(int a, int b) {\n  int sum = a + b;\n  return sum;\n}\nint main(void) { return add(40, 2); }\n',
    );
    const extension = JSON.parse(
      await run('cat', '/opt/ide/code-server/lib/vscode/extensions/gdb/package.json'),
    ) as { contributes: { debuggers: { type: string }[] } };
    expect(extension.contributes.debuggers.map((one) => one.type)).toEqual(['gdb']);
    await run('gcc', '-g', '-O0', `${home}/data/sum.c`, '-o', '/tmp/sum');
    // Waits for each answer before the next request, as the editor does.
    const script = `
      import json, subprocess
      gdb = subprocess.Popen(['gdb', '--quiet', '--interpreter=dap'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      number = 0
      def receive(wanted):
          while True:
              length = int(gdb.stdout.readline().split(b':')[1])
              gdb.stdout.readline()
              message = json.loads(gdb.stdout.read(length))
              if wanted(message): return message
      def send(command, **arguments):
          global number
          number += 1
          text = json.dumps({'seq': number, 'type': 'request', 'command': command, 'arguments': arguments}).encode()
          gdb.stdin.write(b'Content-Length: %d\\r\\n\\r\\n' % len(text) + text)
          gdb.stdin.flush()
          return number
      def call(command, **arguments):
          asked = send(command, **arguments)
          return receive(lambda one: one['type'] == 'response' and one['request_seq'] == asked)
      event = lambda name: receive(lambda one: one['type'] == 'event' and one['event'] == name)
      call('initialize', adapterID='gdb')
      launch = send('launch', program='/tmp/sum')
      event('initialized')
      call('setBreakpoints', source={'path': '${home}/data/sum.c'}, breakpoints=[{'line': 3}])
      send('configurationDone')
      stopped = event('stopped')
      frame = call('stackTrace', threadId=stopped['body']['threadId'])['body']['stackFrames'][0]
      value = call('evaluate', expression='sum', frameId=frame['id'])['body']['result']
      print(frame['name'], frame['line'], value)
      call('disconnect', terminateDebuggee=True)`;
    const dedented = script.replaceAll(/^ {6}/gm, '').trimStart();
    expect(await run('python3', '-c', dedented)).toBe('add 3 42');
  });
});
