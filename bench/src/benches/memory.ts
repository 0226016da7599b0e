/**
 * Resident memory of the server's process with a WebSocket open in each of 500 sessions, every one
 * of somebody else.
 */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { makeAccounts } from '../kit/accounts.ts';
import { insertReadyUsages } from '../kit/filling.ts';
import { clientFrame, dial } from '../kit/frames.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { until } from '../kit/waiting.ts';
import { UPSTREAM, startUpstream } from './gateway.ts';

const SESSIONS = 500;
const AT_ONCE = 20;
/** What each one says and hears before memory is read, so that every buffer has been used. */
const MESSAGES = 20;
const MESSAGE = clientFrame(Buffer.alloc(4096, 1));
const LIMIT_BYTES = 150e6;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Opens a session's WebSocket and says something on it. */
async function open(base: string, path: string, cookie: string): Promise<Socket> {
  const { socket, status } = await dial(new URL(`${base}${path}echo`), { cookie });
  if (status !== 101) throw new Error(`${path}: ${status}`);
  socket.resume();
  for (let count = 0; count < MESSAGES; count += 1) {
    socket.write(MESSAGE);
    await once(socket, 'data');
  }
  return socket;
}

export async function benchMemory(): Promise<Result> {
  await using upstream = await startUpstream();
  await using platform = await Platform.start({ kind: 'none' }, ['--expose-gc']);
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
  const before = await platform.worker.call('measure', undefined);
  progress(`memory: ${megabytes(before.rssBytes)} before`);
  const waiting = [...sessions];
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        sockets.push(await open(platform.origin, next.path, next.cookie));
    }),
  );
  const after = await until(
    'every session is open',
    () => platform.worker.call('measure', undefined),
    ({ gatewaySockets }) => gatewaySockets === SESSIONS,
  );
  for (const socket of sockets) socket.destroy();
  return {
    rows: [
      {
        bench: 'memory',
        what: `resident memory of the server at ${SESSIONS} open sessions’ sockets`,
        measured: `${megabytes(after.rssBytes)}, heap ${megabytes(after.heapBytes)}`,
        against: 'limit',
        target: `≤ ${megabytes(LIMIT_BYTES)}`,
        isMet: after.rssBytes <= LIMIT_BYTES,
      },
      {
        bench: 'memory',
        what: `of which the ${SESSIONS} sockets`,
        measured: `${megabytes(after.rssBytes - before.rssBytes)} = ${round((after.rssBytes - before.rssBytes) / SESSIONS / 1000)} kB each`,
        against: `${megabytes(before.rssBytes)}, heap ${megabytes(before.heapBytes)} before`,
        target: 'told only',
        isMet: null,
      },
    ],
    figures: { before, after },
  };
}
