/**
 * The gateway against configurable-http-proxy, the proxy of JupyterHub, in front of the same
 * upstream. Generator, upstream and each proxy have a process of their own; the two take turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startWorker, type Worker } from '../kit/calls.ts';
import { cpuMs } from '../kit/cpu.ts';
import { Platform } from '../kit/platform.ts';
import { freePort } from '../kit/ports.ts';
import { progress, round, type Result, type Row } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';
import { until } from '../kit/waiting.ts';
import type { LoadCalls } from '../workers/load.worker.ts';
import type { UpstreamCalls } from '../workers/upstream.worker.ts';

/** An address of its own, so that nothing else can listen there. */
export const UPSTREAM = { ip: '127.64.255.1', port: 8888 } as const;
const ROUNDS = 5;
const CONNECTIONS = 50;
const SOCKETS = 8;
const SECONDS = { http: 3, webSocket: 2 } as const;
const LATENCY_COUNT = 1500;
const ADDED_LIMIT_MS = 0.5;

const KINDS = ['echo', 'source'] as const;
const SIZES = [64 * 1024, 1024] as const;
const HTTP_UNIT = { rate: 'requests/s', cost: 'ms CPU/1,000' } as const;
const WEB_SOCKET_UNIT = { rate: 'MB/s', cost: 'ms CPU/GB' } as const;
const PARTIES = ['ours', 'rival'] as const;
type Party = (typeof PARTIES)[number];

/** Starts configurable-http-proxy in front of the upstream. */
export async function startRival(): Promise<
  AsyncDisposable & { origin: string; version: string; pid: number }
> {
  const require = createRequire(import.meta.url);
  const main = require.resolve('configurable-http-proxy');
  const { version } = require(join(dirname(main), 'package.json')) as { version: string };
  const [port, apiPort] = [await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    [
      join(dirname(main), 'bin', 'configurable-http-proxy'),
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--api-ip=127.0.0.1',
      `--api-port=${apiPort}`,
      `--default-target=http://${UPSTREAM.ip}:${UPSTREAM.port}`,
      '--log-level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await until(
    'configurable-http-proxy answers',
    () =>
      fetch(origin).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
  return {
    origin,
    version,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}

/** Starts the upstream that both proxies stand before. */
export async function startUpstream(): Promise<Worker<UpstreamCalls>> {
  const upstream = startWorker<UpstreamCalls>('upstream');
  await upstream.call('listen', UPSTREAM);
  return upstream;
}

/** Who begins changes from round to round, so that neither always meets the warmer machine. */
const turns = (round: number): readonly Party[] =>
  round % 2 === 0 ? PARTIES : PARTIES.toReversed();

interface Round {
  /** What was done in a second. */
  readonly rate: number;
  /** CPU milliseconds of the proxy for each thousand of it. */
  readonly cost: number;
}

/** Measures both in turns. The first round warms up and is thrown away. */
async function alternate(
  pids: Readonly<Record<Party, number>>,
  seconds: number,
  measure: (party: Party) => Promise<number>,
): Promise<Record<Party, Round[]>> {
  const series: Record<Party, Round[]> = { ours: [], rival: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const party of turns(round)) {
      const before = await cpuMs(pids[party]);
      const rate = await measure(party);
      const cost = ((await cpuMs(pids[party])) - before) / ((rate * seconds) / 1000);
      if (round > 0) series[party].push({ rate, cost });
    }
  }
  return series;
}

export async function benchGateway(): Promise<Result> {
  await using upstream = await startUpstream();
  await using platform = await Platform.start({ kind: 'fixed', ip: UPSTREAM.ip });
  await using rival = await startRival();
  await using load = startWorker<LoadCalls>('load');
  const cookie = await platform.signIn('student');
  const { path } = await platform.openSession(cookie);
  void upstream;

  const direct = `http://${UPSTREAM.ip}:${UPSTREAM.port}`;
  const origins: Record<Party, string> = { ours: platform.origin, rival: rival.origin };
  // Both get the same request, cookie included.
  const headers = { cookie };
  const rivalName = `configurable-http-proxy ${rival.version}`;
  const rows: Row[] = [];
  const figures: Record<string, unknown> = {};

  const pids: Record<Party, number> = { ours: platform.worker.pid, rival: rival.pid };
  const compare = async (
    what: string,
    unit: { readonly rate: string; readonly cost: string },
    seconds: number,
    measure: (party: Party) => Promise<number>,
  ): Promise<void> => {
    progress(`gateway: ${what}`);
    const series = await alternate(pids, seconds, measure);
    // Of neighbours in time, since a machine's speed drifts more than the two differ.
    const ratio = median(
      series.ours.map(({ rate }, index) => rate / (series.rival[index]?.rate ?? Number.NaN)),
    );
    const tell = (party: Party): string =>
      `${round(median(series[party].map(({ rate }) => rate)))} ${unit.rate}, ${round(median(series[party].map(({ cost }) => cost)))} ${unit.cost}`;
    figures[what] = { ...series, ratio };
    rows.push({
      bench: 'gateway',
      what,
      measured: `${ratio.toFixed(2)} ×: ${tell('ours')}`,
      against: `${tell('rival')} (${rivalName})`,
      target: '≥ 1 × rival',
      isMet: ratio >= 1,
    });
  };

  await compare(`HTTP, ${CONNECTIONS} connections`, HTTP_UNIT, SECONDS.http, async (party) => {
    const { perSecond } = await load.call('http', {
      url: `${origins[party]}${path}api`,
      headers,
      connections: CONNECTIONS,
      seconds: SECONDS.http,
    });
    return perSecond;
  });
  for (const kind of KINDS) {
    for (const size of SIZES) {
      const name = kind === 'echo' ? 'echo' : 'one-way';
      await compare(
        `WebSocket ${name}, ${SOCKETS} sockets, ${size / 1024} KiB`,
        WEB_SOCKET_UNIT,
        SECONDS.webSocket,
        async (party) => {
          const { megabytesPerSecond } = await load.call('webSocket', {
            url: `${origins[party]}${path}${kind}?size=${size}`,
            headers,
            kind,
            size,
            sockets: SOCKETS,
            seconds: SECONDS.webSocket,
          });
          return megabytesPerSecond;
        },
      );
    }
  }

  for (const [what, call, end] of [
    ['added p50 latency, HTTP', 'httpLatency', 'api'],
    ['added p50 latency, WebSocket message', 'webSocketLatency', 'echo'],
  ] as const) {
    progress(`gateway: ${what}`);
    const added: Record<Party, number[]> = { ours: [], rival: [] };
    const directs: number[] = [];
    for (let index = 0; index <= ROUNDS; index += 1) {
      const time = async (origin: string): Promise<number> =>
        (await load.call(call, { url: `${origin}${path}${end}`, headers, count: LATENCY_COUNT }))
          .p50Ms;
      const base = await time(direct);
      const measured = { ours: 0, rival: 0 };
      for (const party of turns(index)) measured[party] = (await time(origins[party])) - base;
      if (index === 0) continue;
      directs.push(base);
      for (const party of PARTIES) added[party].push(measured[party]);
    }
    const [ours, theirs] = [median(added.ours), median(added.rival)];
    figures[what] = { direct: directs, ...added };
    rows.push({
      bench: 'gateway',
      what,
      measured: `${ours.toFixed(3)} ms`,
      against: `${theirs.toFixed(3)} ms (${rivalName}; direct ${median(directs).toFixed(3)} ms)`,
      target: `≤ ${ADDED_LIMIT_MS} ms`,
      isMet: ours <= ADDED_LIMIT_MS,
    });
  }
  return { rows, figures };
}
