/** Forwarding WebSockets to a session: after the handshake, bytes are moved and not looked at. */
import { STATUS_CODES, request as httpRequest, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { requestHeaders, responseHeaders } from './headers.ts';
import type { Target } from './target.ts';

const HANDSHAKE_MS = 10_000;
/**
 * A pair on which nobody has said anything for this long is half-open: session servers ping every
 * 30 s or less, and a browser that lives answers.
 */
const SILENT_MS = 300_000;
const KEEP_ALIVE_MS = 30_000;

/** Answers an upgrade that is not allowed, and closes. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}

/** The head of an answer, with the headers that may reach the browser. */
function headOf(answer: IncomingMessage, url: string, connection: readonly string[]): string {
  const headers = responseHeaders(answer.rawHeaders, url);
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ''}`];
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return [...lines, ...connection, '', ''].join('\r\n');
}

/**
 * Opens the session's side and joins both. Whatever side ends first, both are destroyed: nothing
 * can be left half-open.
 * @param target from our own records
 */
export function forwardUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  target: Pick<Target, 'address' | 'path'>,
  added: Readonly<Record<string, string>>,
): void {
  const url = request.url ?? '/';
  const [host = '', port = ''] = target.address.split(':');
  const protocol = request.headers.upgrade ?? 'websocket';
  const handshake = httpRequest({
    host,
    port: Number(port),
    method: 'GET',
    path: target.path,
    agent: false,
    setHost: false,
    headers: [
      ...requestHeaders(request.rawHeaders, added),
      'Connection',
      'Upgrade',
      'Upgrade',
      protocol,
    ],
  });
  const limit = setTimeout(() => {
    refuseUpgrade(client, 504);
    handshake.destroy();
  }, HANDSHAKE_MS);
  const abandon = (): void => void handshake.destroy();
  client.once('close', abandon);
  handshake.once('close', () => clearTimeout(limit));
  handshake.once('error', () => refuseUpgrade(client, 502));

  handshake.once('upgrade', (answer, session, sessionHead) => {
    clearTimeout(limit);
    client.off('close', abandon);
    join(client, session);
    client.write(headOf(answer, url, ['Connection: Upgrade', `Upgrade: ${protocol}`]), 'latin1');
    if (sessionHead.length > 0) client.write(sessionHead);
    if (head.length > 0) session.write(head);
    pour(client, session);
    pour(session, client);
  });
  handshake.once('response', (answer) => {
    // The session declined: its answer goes back, and the connection is over.
    client.write(headOf(answer, url, ['Connection: close']), 'latin1');
    answer.once('error', () => client.destroy());
    answer.pipe(client);
  });
  handshake.end();
}

/**
 * Moves what arrives on one socket to the other. Node reads each part into new memory outside
 * V8's heap, and V8 answers every 64 MiB of that with a full collection of the whole server's
 * heap; so a part's memory is given back as soon as it is sent.
 */
function pour(from: Duplex, to: Duplex): void {
  from.on('data', (part: Buffer) => {
    const { buffer } = part;
    const isTaken = to.write(part, () => {
      // A view of a larger piece shares its memory with others.
      if (buffer instanceof ArrayBuffer && buffer.byteLength === part.length) buffer.transfer(0);
    });
    if (!isTaken) from.pause();
  });
  to.on('drain', () => from.resume());
}

/** Ties two sockets to one life. */
function join(client: Duplex, session: Duplex): void {
  const end = (): void => {
    clearInterval(silence);
    session.destroy();
    client.destroy();
  };
  const bytes = (): number =>
    [client, session].reduce((sum, side) => sum + (side instanceof Socket ? side.bytesRead : 0), 0);
  let seen = 0;
  let silentSince = performance.now();
  const silence = setInterval(() => {
    const now = bytes();
    if (now !== seen) {
      seen = now;
      silentSince = performance.now();
    } else if (performance.now() - silentSince > SILENT_MS) end();
  }, SILENT_MS / 10).unref();
  for (const side of [client, session]) {
    for (const event of ['close', 'end', 'error'] as const) side.once(event, end);
    if (!(side instanceof Socket)) continue;
    side.setNoDelay(true);
    side.setKeepAlive(true, KEEP_ALIVE_MS);
  }
  // One may have gone before anybody listened: a browser while the session was answering.
  if ([client, session].some((side) => side.destroyed || side.readableEnded)) end();
}
