/** Forwarding HTTP to a session: streams both ways, kept-alive connections, nothing buffered. */
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { ErrorCode } from '@hypercube/contract';
import { requestHeaders, responseHeaders } from './headers.ts';
import type { Target } from './target.ts';

const CONNECT_MS = 10_000;
/** A transfer on which nothing moved for this long is over. */
const IDLE_MS = 600_000;

type Named = NonNullable<Parameters<Agent['getName']>[0]> & { readonly usageID?: number };

/**
 * Keeps connections for the usage that they were made for. Addresses are given out again, and a
 * container that was taken away with its network cannot say goodbye: a connection of the one before
 * would swallow what is sent to the next.
 */
class SessionAgent extends Agent {
  override getName(options?: Named): string {
    return `${super.getName(options)}:${options?.usageID}`;
  }

  /** Ends what is kept and idle, of one usage or of all. */
  forget(usageID?: number): void {
    for (const [name, sockets] of Object.entries(this.freeSockets)) {
      if (usageID !== undefined && !name.endsWith(`:${usageID}`)) continue;
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}

export class HttpForwarder {
  readonly #agent = new SessionAgent({
    keepAlive: true,
    keepAliveMsecs: 5000,
    maxFreeSockets: 64,
    scheduling: 'lifo',
    timeout: IDLE_MS,
  });

  /**
   * Forwards one request.
   * @param target from our own records
   * @param refuse called when the session could not be reached and nothing was sent yet
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    added: Readonly<Record<string, string>>,
    refuse: (code: ErrorCode) => void,
  ): void {
    const url = request.url ?? '/';
    const [host = '', port = ''] = target.address.split(':');
    const headers = requestHeaders(request.rawHeaders, added);
    // Hop-by-hop, so it was left out; a body without a length keeps its framing.
    if (request.headers['transfer-encoding'] !== undefined)
      headers.push('transfer-encoding', 'chunked');
    const options: RequestOptions & { readonly usageID: number } = {
      usageID: target.usageID,
      host,
      port: Number(port),
      method: request.method,
      path: target.path,
      agent: this.#agent,
      setHost: false,
      headers,
      // The agent's own, so that it is not set anew for every request.
      timeout: IDLE_MS,
    };
    const upstream = httpRequest(options);

    upstream.once('socket', (socket) => {
      // Nearly every request gets a kept connection, for which there is nothing to wait.
      if (!socket.connecting) return;
      const connecting = setTimeout(
        () => upstream.destroy(new Error('connect timed out')),
        CONNECT_MS,
      );
      const isOver = (): void => clearTimeout(connecting);
      socket.once('connect', isOver);
      upstream.once('close', isOver);
    });
    upstream.once('timeout', () => upstream.destroy(new Error('idle')));
    upstream.once('error', () => {
      if (!response.headersSent && !response.destroyed) refuse('session_unreachable');
      else response.destroy();
    });
    upstream.once('response', (answer) => {
      answer.once('error', () => response.destroy());
      // A session cut off in the middle must not look like a complete answer.
      answer.once('aborted', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', [
        ...responseHeaders(answer.rawHeaders, url),
        ...target.added,
      ]);
      answer.pipe(response);
    });
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    request.once('error', () => upstream.destroy());
    if (request.method === 'GET' || request.method === 'HEAD') upstream.end();
    else request.pipe(upstream);
  }

  /** Called when a usage changed, or all may have: it may answer elsewhere, or not at all. */
  forget(usageID?: number): void {
    this.#agent.forget(usageID);
  }

  close(): void {
    this.#agent.destroy();
  }
}
