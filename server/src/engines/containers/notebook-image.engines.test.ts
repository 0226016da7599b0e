import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const prefix = '/proxy/notebook/aG9zdA/aXA/';

/** The notebook image as a learner meets it: through its address on the usage's network. */
describe('notebook image', () => {
  let dataDir: string;
  let host: ContainerHost;
  let engine: ContainerEngine;
  let origin: string;
  let cookies: string;
  let xsrf: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypercube-notebook-'));
    const found = await findContainerHost({
      dataDir,
      dockerSocket: '/nonexistent/docker.sock',
      containerHost: '',
    });
    if (found.kind === 'none') throw new Error(found.reason);
    host = found;
    await buildImages(host, { only: ['notebook'] });
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
          name: 'notebook',
          image: imageReference('notebook'),
          env: { HC_BASE_URL: prefix },
          limits: {
            cpus: 2,
            memoryBytes: gibibyte,
            pids: 256,
            diskBytes: gibibyte,
            shmBytes: 64 * 1024 * 1024,
          },
          mounts: [
            { source: personal, target: '/home/jovyan/data', readOnly: false },
            { source: bundle, target: '/home/jovyan/bundle_resource', readOnly: true },
          ],
          user: '1000:1000',
        },
      ],
    });
    const [node] = (await engine.start(usageID)) as [NodeState];
    origin = `http://${node.ip}:8888`;
    await vi.waitUntil(async () => (await status('api')) === 200, {
      timeout: 20_000,
      interval: 20,
    });
    const page = await fetch(`${origin}${prefix}lab`);
    cookies = page.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    xsrf = /_xsrf=([^;]+)/.exec(cookies)?.[1] ?? '';
  });

  afterAll(async () => {
    await engine.remove(usageID);
    await dismantle(host);
    rmSync(dataDir, { recursive: true });
  });

  function status(path: string): Promise<number> {
    return fetch(`${origin}${prefix}${path}`).then(
      (answer) => answer.status,
      () => 0,
    );
  }

  async function post<T>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(`${origin}${prefix}${path}`, {
      method: 'POST',
      headers: { cookie: cookies, 'x-xsrftoken': xsrf, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Runs a cell as the page does; answers what it printed, errors included. */
  async function runCell(
    code: string,
    onText: (text: string, kernel: string) => void = () => undefined,
  ): Promise<string> {
    const kernel = await post<{ id: string }>('api/kernels', { name: 'python3', path: 'data' });
    const socket = new WebSocket(
      `${origin.replace('http', 'ws')}${prefix}api/kernels/${kernel.id}/channels?session_id=test`,
    );
    const printed: string[] = [];
    const finished = new Promise<void>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('the kernel’s socket failed')));
      socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as KernelMessage;
        if (message.parent_header?.msg_id !== 'cell') return;
        const { content } = message;
        if (message.msg_type === 'stream') {
          printed.push(content.text ?? '');
          onText(content.text ?? '', kernel.id);
        }
        if (message.msg_type === 'error') printed.push((content.traceback ?? []).join('\n'));
        if (message.msg_type === 'status' && content.execution_state === 'idle') resolve();
      });
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.send(
      JSON.stringify({
        channel: 'shell',
        header: {
          msg_id: 'cell',
          msg_type: 'execute_request',
          session: 'test',
          username: '',
          version: '5.3',
        },
        parent_header: {},
        metadata: {},
        content: { code, silent: false, store_history: true, allow_stdin: false },
      }),
    );
    await finished;
    socket.close();
    await fetch(`${origin}${prefix}api/kernels/${kernel.id}`, {
      method: 'DELETE',
      headers: { cookie: cookies, 'x-xsrftoken': xsrf },
    });
    return printed.join('');
  }

  async function interrupt(kernel: string): Promise<void> {
    await fetch(`${origin}${prefix}api/kernels/${kernel}/interrupt`, {
      method: 'POST',
      headers: { cookie: cookies, 'x-xsrftoken': xsrf },
    });
  }

  /** What the image says it holds, by name. */
  async function contents(): Promise<Map<string, string>> {
    const { stdout } = await engine.exec(usageID, 'notebook', [
      'cat',
      '/usr/share/hypercube/image.json',
    ]);
    const list = JSON.parse(stdout) as { Name: string; Version: string }[];
    return new Map(list.map(({ Name, Version }) => [Name, Version]));
  }

  it('answers under its prefix only, in Chinese where that was to be had, and only in our frames', async () => {
    expect(await status('api')).toBe(200);
    expect(await fetch(`${origin}/api`).then((answer) => answer.status)).toBe(404);
    const page = await fetch(`${origin}${prefix}lab`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
    expect(html).toContain(`"baseUrl": "${prefix}"`);
    const texts = await fetch(`${origin}${prefix}lab/api/translations/zh_CN`);
    const { data } = (await texts.json()) as { data: { jupyterlab?: Record<string, string[]> } };
    // Where no package index answered while the image was built, its page says so, and it is English.
    const isChinese = (await contents()).has('JupyterLab zh-CN');
    expect(/\p{Script=Han}/u.test(data.jupyterlab?.['File Browser']?.[0] ?? '')).toBe(isChinese);
    const settings = await fetch(
      `${origin}${prefix}lab/api/settings/@jupyterlab/translation-extension:plugin`,
    );
    const { schema } = (await settings.json()) as {
      schema: { properties: { locale: { default: string } } };
    };
    expect(schema.properties.locale.default).toBe('zh_CN');
  });

  it('shows the personal folder beside the lab’s, and writes into the personal one', async () => {
    const root = await fetch(`${origin}${prefix}api/contents/`);
    const { content } = (await root.json()) as { content: { name: string }[] };
    expect(content.map((entry) => entry.name).toSorted()).toEqual(['bundle_resource', 'data']);
    const bundle = await fetch(`${origin}${prefix}api/contents/bundle_resource`);
    const listed = (await bundle.json()) as { content: { name: string }[] };
    expect(listed.content.map((entry) => entry.name)).toEqual(['实验一.md']);
    await post('api/contents/data', { type: 'notebook' });
    expect(readFileSync(join(dataDir, 'personal', 'Untitled.ipynb'), 'utf8')).toContain('cells');
  });

  it('brings our own extensions to the page', async () => {
    const html = await fetch(`${origin}${prefix}lab`).then((answer) => answer.text());
    const config = /<script id="jupyter-config-data"[^>]*>([^]*?)<\/script>/.exec(html)?.[1];
    const { federated_extensions: extensions } = JSON.parse(config ?? '') as {
      federated_extensions: { name: string; load: string }[];
    };
    expect(extensions.map((one) => one.name).toSorted()).toEqual([
      '@hypercube/connection-told-by-page',
      '@hypercube/theme-by-system',
    ]);
    for (const { name, load } of extensions) {
      const script = await fetch(`${origin}${prefix}lab/extensions/${name}/${load}`);
      expect(await script.text()).toContain(`const name = '${name}'`);
    }
  });

  it('refuses to write without the page’s token', async () => {
    const answer = await fetch(`${origin}${prefix}api/kernels`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(403);
  });

  it('computes', async () => {
    const printed = await runCell('import numpy as np; print(np.arange(10) @ np.arange(10))');
    expect(printed).toBe('285\n');
  });

  it('compiles and runs four ranks within the limits', async () => {
    const file = `%%writefile ring.c
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  static char buffer[1 << 20];
  int rank, size, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Sendrecv_replace(buffer, sizeof buffer, MPI_CHAR, (rank + 1) % size, 0,
                       (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("ranks %d sum %d\\n", size, sum);
  MPI_Finalize();
}`;
    expect(await runCell(file)).toContain('Writing ring.c');
    expect(await runCell('!mpicc -O2 -Wall ring.c -o ring && mpirun -n 4 ./ring')).toBe(
      'ranks 4 sum 6\r\n',
    );
    const python = 'from mpi4py import MPI; c = MPI.COMM_WORLD; print(c.allreduce(c.rank))';
    const printed = await runCell(`!mpirun -n 2 python3 -c "${python}"`);
    expect(printed.split(/\s+/).filter(Boolean)).toEqual(['1', '1']);
  });

  it('compiles C, C++ and Fortran with OpenMP', async () => {
    const printed = await runCell(`
import subprocess
c = '#include <stdio.h>\\nint main(){int n=0;\\n#pragma omp parallel reduction(+:n)\\nn+=1;\\nprintf("%d\\\\n",n);}'
f = 'print *, 6*7\\nend'
for program, source, language, *extra in [('gcc', c, 'c'), ('g++', c, 'c++'), ('gfortran', f, 'f95', '-ffree-form')]:
    subprocess.run([program, '-fopenmp', '-x', language, *extra, '-', '-o', '/tmp/a'], input=source, text=True, check=True)
    print(subprocess.run('/tmp/a', capture_output=True, text=True).stdout.strip())`);
    expect(printed).toBe('2\n2\n42\n');
  });

  it('runs a cell of C, C++ or Fortran, with threads, ranks and input', async () => {
    const threads = await runCell(`%%c --threads 3
#include <omp.h>
#include <stdio.h>
int main(void) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  count += 1;
  printf("%d 个线程\\n", count);
}`);
    expect(threads).toMatch(/^3 个线程\n\[编译 \d+\.\d\d 秒，运行 \d+\.\d\d 秒\]\n$/);
    const sum = await runCell(`%%cpp --flags "-O2 -std=c++20 -Wall" --stdin "1 2\\n39"
#include <iostream>
int main() {
  int total = 0;
  for (int value; std::cin >> value;) total += value;
  std::cout << total << " " << __cplusplus / 100 << std::endl;
}`);
    expect(sum).toMatch(/^42 2020\n/);
    const ranks = await runCell(`%%fortran --mpi 3
program ranks
  use mpi
  integer :: rank, total, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0)', 'sum ', total
  call MPI_Finalize(error)
end program`);
    expect(ranks).toContain('sum 3\n');
  });

  it('says where a cell does not compile, and how a program ended', async () => {
    const wrong = await runCell('%%c\nint main(void) {\n  retrn 1;\n}');
    expect(wrong).toContain('cell.c:3:3: error:');
    expect(wrong).toContain('没有编译成功');
    expect(await runCell('%%c\nint main(void) { return 3; }')).toContain('程序以状态 3 结束。');
    const crash = await runCell('%%cpp\n#include <cstdlib>\nint main() { abort(); }');
    expect(crash).toContain('程序被信号 6');
    expect(await runCell('%%c --threads 0\nint main(void) {}')).toContain('--threads 0');
  });

  it('shows what a cell prints while it runs, and ends it when asked', async () => {
    const code = `%%c
#include <stdio.h>
#include <unistd.h>
int main(void) {
  printf("started\\n");
  for (;;) pause();
}`;
    const printed = await runCell(code, (text, kernel) => {
      if (text.includes('started')) void interrupt(kernel);
    });
    expect(printed).toContain('started');
    expect(printed).toContain('KeyboardInterrupt');
    const { stdout } = await engine.exec(usageID, 'notebook', ['pgrep', '-fl', '/cell$']);
    expect(stdout).toBe('');
  });

  it('loads the compiled cells in no time, and says what the image holds', async () => {
    const { stderr } = await engine.exec(usageID, 'notebook', [
      'python3',
      '-X',
      'importtime',
      '-c',
      'import IPython.core.magic_arguments, hypercube_cells',
    ]);
    const [, microseconds] = /(\d+) \| +hypercube_cells/.exec(stderr) ?? [];
    expect(Number(microseconds)).toBeLessThan(5_000);
    const held = await contents();
    expect(held.get('GCC')).toMatch(/^14\./);
    // The current one comes with its Chinese texts, from the same package index; else it is Debian's.
    expect(held.get('JupyterLab')).toMatch(held.has('JupyterLab zh-CN') ? /^4\.6\./ : /^4\.0\./);
  });

  it('keeps what JupyterLab needs away from the learner’s Python', async () => {
    const printed = await runCell(`
import importlib.util, sys
print(importlib.util.find_spec('jupyterlab_server') is not None and '/opt' in importlib.util.find_spec('jupyterlab_server').origin)
print([path for path in sys.path if path.startswith('/opt')])`);
    expect(printed).toBe('False\n[]\n');
  });

  it('draws Chinese text', async () => {
    const printed = await runCell(`
import warnings
warnings.simplefilter('error')
import matplotlib
matplotlib.use('agg')
import matplotlib.pyplot as plt
plt.title('超立方：加速比 −1')
plt.plot([-1, 1], [-1, 1])
plt.savefig('/tmp/plot.png')
print('drawn')`);
    expect(printed).toBe('drawn\n');
  });

  it('offers a terminal', async () => {
    const { name } = await post<{ name: string }>('api/terminals', {});
    const socket = new WebSocket(
      `${origin.replace('http', 'ws')}${prefix}terminals/websocket/${name}`,
    );
    let screen = '';
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const [kind, text] = JSON.parse(data) as [string, string];
      if (kind === 'stdout') screen += text;
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.send(JSON.stringify(['stdin', 'echo "user=$(id -u) shell=$0"\r']));
    await expect.poll(() => screen, { timeout: 10_000 }).toContain('user=1000 shell=/bin/bash');
    socket.close();
  });
});

interface KernelMessage {
  msg_type: string;
  parent_header?: { msg_id?: string };
  content: { text?: string; traceback?: string[]; execution_state?: string };
}
