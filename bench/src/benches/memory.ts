/**
 * Memory with a WebSocket open in each of 500 sessions, every one of somebody else: of a gateway in
 * a process of its own, of configurable-http-proxy with as many, and of the whole site when it
 * carries them itself. Nobody asks a process to collect its garbage: it is read as it runs.
 */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { makeAccounts } from '../kit/accounts.ts';
import { insertReadyUsages } from '../kit/filling.ts';
import { clientFrame, dial } from '../kit/frames.ts';
import { startLoneGateway } from '../kit/lone-gateway.ts';
import { residentBytes } from '../kit/memory.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { UPSTREAM, startRival, startUpstream } from './gateway.ts';

const SESSIONS = 500;
const AT_ONCE = 20;
/** What each one says and hears before memory is read, so that every buffer has been used. */
const MESSAGES = 20;
const MESSAGE = clientFrame(Buffer.alloc(4096, 1));
const LIMIT_BYTES = 150e6;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

interface Held {
  readonly before: number;
  readonly after: number;
}
interface Session {
  readonly path: string;
  readonly cookie: string;
}

/** Opens a session's WebSocket and says something on it. */
async function open(base: string, { path, cookie }: Session): Promise<Socket> {
  const { socket, status } = await dial(new URL(`${base}${path}echo`), { cookie });
  if (status !== 101) throw new Error(`${path}: ${status}`);
  socket.resume();
  for (let count = 0; count < MESSAGES; count += 1) {
    socket.write(MESSAGE);
    await once(socket, 'data');
  }
  return socket;
}

/** Memory of a process before and while all sessions are open through it. */
async function hold(
  name: string,
  origin: string,
  pid: number,
  sessions: readonly Session[],
): Promise<Held> {
  const before = await residentBytes(pid);
  const waiting = [...sessions];
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        sockets.push(await open(origin, next));
    }),
  );
  const lost = sockets.filter((socket) => socket.destroyed).length;
  if (lost > 0) throw new Error(`${name}: ${lost} of ${SESSIONS} sockets were lost`);
  const after = await residentBytes(pid);
  for (const socket of sockets) socket.destroy();
  progress(`memory: ${name}, ${megabytes(before)} before, ${megabytes(after)} with all`);
  return { before, after };
}

export async function benchMemory(): Promise<Result> {
  await using upstream = await startUpstream();
  await using platform = await Platform.start({ kind: 'none' });
  await using gateway = await startLoneGateway(platform.databaseURL);
  await using rival = await startRival();
  void upstream;
  const accounts = await makeAccounts(platform, SESSIONS);
  const usages = await insertReadyUsages(
    platform,
    accounts.map(({ userID }) => userID),
    `${UPSTREAM.ip}:${UPSTREAM.port}`,
  );
  const sessions = usages.map((usage, index) => {
    const [host, ip] = [usage.host, usage.ip].map((name) =>
      Buffer.from(name).toString('base64url'),
    );
    return { path: `/proxy/notebook/${host}/${ip}/`, cookie: accounts[index]?.cookie ?? '' };
  });
  const alone = await hold('gateway', gateway.origin, gateway.pid, sessions);
  const proxy = await hold('configurable-http-proxy', rival.origin, rival.pid, sessions);
  const site = await hold('site', platform.origin, platform.worker.pid, sessions);
  const tell = ({ before, after }: Held): string =>
    `${megabytes(before)} + ${round((after - before) / SESSIONS / 1000)} kB for each`;
  return {
    rows: [
      {
        bench: 'memory',
        what: `gateway in a process of its own, ${SESSIONS} open sessions’ sockets`,
        measured: `${megabytes(alone.after)} = ${tell(alone)}`,
        against: `${megabytes(proxy.after)} = ${tell(proxy)} (configurable-http-proxy ${rival.version})`,
        target: `≤ ${megabytes(LIMIT_BYTES)}`,
        isMet: alone.after <= LIMIT_BYTES,
      },
      {
        bench: 'memory',
        what: `whole site in one process, which carries ${SESSIONS} sockets itself`,
        measured: `${megabytes(site.after)} = ${tell(site)}`,
        against: 'the lone gateway above',
        target: 'told only',
        isMet: null,
      },
    ],
    figures: { alone, proxy, site },
  };
}
