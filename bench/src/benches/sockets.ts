/**
 * Ten thousand WebSockets through the gateway, ended in every way that there is: the server must
 * hold as many sockets and as much memory afterwards as before.
 */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { FrameCounter, clientFrame, dial, upgradeRequest } from '../kit/frames.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result } from '../kit/report.ts';
import { until } from '../kit/waiting.ts';
import { UPSTREAM, startUpstream } from './gateway.ts';

const CYCLES = 10_000;
/** Caches and pools have their size after the first of these. */
const STEP = 2000;
const AT_ONCE = 20;
const GROWTH_LIMIT_BYTES = 10 * 1024 * 1024;

interface Context {
  readonly base: string;
  readonly path: string;
  readonly cookie: string;
}

const NORMAL_CLOSE = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);
const message = clientFrame(Buffer.from('hello'));

/** Waits until a socket is gone; what still comes is thrown away. */
async function gone(socket: Socket): Promise<void> {
  if (socket.closed) return;
  socket.resume();
  await once(socket, 'close');
}

async function open({ base, path, cookie }: Context, end: string): Promise<Socket> {
  const { socket, status } = await dial(new URL(`${base}${path}${end}`), { cookie });
  if (status !== 101) throw new Error(`${end}: an upgrade that should succeed got ${status}`);
  return socket;
}

async function refused(
  context: Context,
  target: string,
  headers: Record<string, string>,
  expected: number,
): Promise<void> {
  const { socket, status } = await dial(new URL(context.base + target), headers);
  if (status !== expected) throw new Error(`${target}: expected ${expected}, got ${status}`);
  await gone(socket);
}

/** The ways in which a connection ends; each cycle takes the next. */
const ENDS: readonly ((context: Context) => Promise<void>)[] = [
  // Says something, hears it, closes as the protocol has it.
  async (context) => {
    const socket = await open(context, 'echo');
    const counter = new FrameCounter();
    await new Promise<void>((resolve, reject) => {
      socket.once('close', () => reject(new Error('closed before the answer')));
      socket.on('data', (part: Buffer) => {
        if (counter.messages > 0) return;
        counter.add(part);
        if (counter.messages > 0) resolve();
      });
      socket.resume();
      socket.write(message);
    });
    socket.write(NORMAL_CLOSE);
    await gone(socket);
  },
  // The browser is killed.
  async (context) => {
    (await open(context, 'echo')).destroy();
  },
  // It is killed with a reset instead of an end.
  async (context) => {
    (await open(context, 'echo')).resetAndDestroy();
  },
  // It is killed while the handshake is under way.
  async ({ base, path, cookie }) => {
    const url = new URL(`${base}${path}echo`);
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(upgradeRequest(url, { cookie }), () => socket.destroy());
    await gone(socket);
  },
  // Half-open: it ends its side and stays to listen.
  async (context) => {
    const socket = await open(context, 'echo');
    socket.end();
    await gone(socket);
  },
  // It goes in the middle of a stream that nobody reads any more.
  async (context) => {
    (await open(context, 'source?size=65536')).destroy();
  },
  // The session breaks off.
  async (context) => gone(await open(context, 'drop')),
  // The session declines.
  async (context) => refused(context, `${context.path}refuse`, { cookie: context.cookie }, 403),
  // The gateway declines: nobody, a foreign page, an unknown session.
  async (context) => refused(context, `${context.path}echo`, {}, 401),
  async (context) =>
    refused(
      context,
      `${context.path}echo`,
      { cookie: context.cookie, origin: 'https://elsewhere.example' },
      403,
    ),
  async (context) =>
    refused(
      context,
      '/proxy/notebook/dTk5OTk5/MTAwLjY0LjAuMQ/echo',
      { cookie: context.cookie },
      404,
    ),
];

async function run(context: Context, first: number, count: number): Promise<void> {
  let next = first;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < first + count) {
        const end = ENDS[next % ENDS.length];
        next += 1;
        await end?.(context);
      }
    }),
  );
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const change = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${mebibytes(Math.abs(bytes))}`;

export async function benchSockets(): Promise<Result> {
  await using upstream = await startUpstream();
  await using platform = await Platform.start({ kind: 'fixed', ip: UPSTREAM.ip }, ['--expose-gc']);
  const cookie = await platform.signIn('student');
  const { path } = await platform.openSession(cookie);
  const context: Context = { base: platform.origin, path, cookie };

  /** Reads the server's state once nothing is under way any more. */
  const settle = async (sockets?: number) => {
    const isQuiet = (now: { sockets: number; gatewaySockets: number }): boolean =>
      now.gatewaySockets === 0 && (sockets === undefined || now.sockets <= sockets);
    // A socket that stays is a finding, not a failure of the bench: the last reading then counts.
    await until('the gateway is quiet', () => platform.worker.call('measure', undefined), isQuiet, {
      limitMs: 10_000,
      everyMs: 100,
    }).catch(() => undefined);
    const left = await until(
      'the upstream is quiet',
      () => upstream.call('openSockets', undefined),
      (open) => open === 0,
      { limitMs: 10_000, everyMs: 100 },
    ).catch(() => upstream.call('openSockets', undefined));
    return { ...(await platform.worker.call('measure', undefined)), upstreamSockets: left };
  };

  // Every kind once, so that its code is loaded and the database's pool is open.
  await run(context, 0, ENDS.length * 2);
  const before = await settle();
  const series: Awaited<ReturnType<typeof settle>>[] = [];
  const began = performance.now();
  for (let cycle = 0; cycle < CYCLES; cycle += STEP) {
    await run(context, cycle, STEP);
    series.push(await settle(before.sockets));
    progress(`sockets: ${cycle + STEP} of ${CYCLES} cycles`);
  }
  const seconds = (performance.now() - began) / 1000;
  const [first, last] = [series[0], series.at(-1)];
  if (!first || !last) throw new Error('no cycles were run');
  const growth = last.rssBytes - first.rssBytes;
  const heapGrowth = last.heapBytes - first.heapBytes;
  const rows = [
    {
      bench: 'sockets',
      what: `open sockets after ${CYCLES.toLocaleString('en-US')} WebSockets`,
      measured: `${last.sockets} (gateway ${last.gatewaySockets}, upstream ${last.upstreamSockets})`,
      against: `${before.sockets} before`,
      target: 'the same',
      isMet:
        last.sockets <= before.sockets && last.gatewaySockets === 0 && last.upstreamSockets === 0,
    },
    {
      bench: 'sockets',
      what: `resident memory, cycles ${STEP.toLocaleString('en-US')} to ${CYCLES.toLocaleString('en-US')}`,
      measured: `${change(growth)} (to ${mebibytes(last.rssBytes)})`,
      against: `${mebibytes(before.rssBytes)} before, ${mebibytes(first.rssBytes)} after ${STEP.toLocaleString('en-US')}`,
      target: `≤ +${mebibytes(GROWTH_LIMIT_BYTES)}`,
      isMet: growth <= GROWTH_LIMIT_BYTES,
    },
    {
      bench: 'sockets',
      what: `heap after collection, cycles ${STEP.toLocaleString('en-US')} to ${CYCLES.toLocaleString('en-US')}`,
      measured: `${change(heapGrowth)} (to ${mebibytes(last.heapBytes)})`,
      against: `${mebibytes(before.heapBytes)} before`,
      target: `≤ +${mebibytes(GROWTH_LIMIT_BYTES)}`,
      isMet: heapGrowth <= GROWTH_LIMIT_BYTES,
    },
  ];
  return { rows, figures: { before, series, cyclesPerSecond: CYCLES / seconds } };
}
