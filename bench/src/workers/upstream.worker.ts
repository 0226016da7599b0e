/**
 * The server behind the proxies. Any path answers a small document; as a WebSocket, a path that
 * ends in `echo` repeats what it gets, `source` sends messages as fast as they are taken,
 * `refuse` declines the upgrade and `drop` breaks off after the handshake.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { answerCalls } from '../kit/calls.ts';
import { serverFrame } from '../kit/frames.ts';

/** Small messages are written several at once, as a server under load does. */
const WRITE_BYTES = 64 * 1024;

const document = Buffer.from(JSON.stringify({ version: '2.0.0', text: 'x'.repeat(1000) }));
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': document.length,
  });
  response.end(document);
});
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

/** Writes one message over and over, as fast as the other side takes it. */
function pour(socket: Duplex, size: number): void {
  const one = serverFrame(Buffer.alloc(size, 120));
  const many = Buffer.concat(
    Array.from({ length: Math.max(1, Math.floor(WRITE_BYTES / one.length)) }, () => one),
  );
  const write = (): void => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on('drain', write);
  write();
}

server.on('upgrade', (request, socket: Duplex, head) => {
  socket.on('error', () => socket.destroy());
  const url = new URL(request.url ?? '/', 'http://upstream');
  if (url.pathname.endsWith('refuse')) {
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno');
    return;
  }
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    webSocket.on('error', () => webSocket.terminate());
    if (url.pathname.endsWith('source')) pour(socket, Number(url.searchParams.get('size')));
    else if (url.pathname.endsWith('drop')) socket.destroy();
    else webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
  });
});

const calls = {
  async listen({ ip, port }: { ip: string; port: number }): Promise<void> {
    server.listen(port, ip);
    await once(server, 'listening');
  },

  /** How many WebSockets it has open. */
  async openSockets(): Promise<number> {
    return sockets.clients.size;
  },
};
export type UpstreamCalls = typeof calls;

answerCalls(calls);
