/** A network between a client and the platform that can be cut and comes back. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly sides: readonly [Socket, Socket];
  /** When it fell silent; undefined while it is heard. */
  silentSince: number | undefined;
  thaw: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Passes TCP connections on. While it is cut nothing is read on either side, new connections
 * included, so nobody is told of anything. When it comes back, new connections work at once, but
 * those of the silence stay silent for as long again: so long does the system wait before it sends
 * once more what got lost, since it doubles its patience each time.
 */
export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #pairs = new Set<Pair>();
  #isCut = false;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: string): Promise<Relay> {
    const relay = new Relay(new URL(target));
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) this.#silence(pair);
  }

  restore(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) {
      const silentMs = performance.now() - (pair.silentSince ?? performance.now());
      pair.thaw = setTimeout(() => {
        pair.silentSince = undefined;
        for (const side of pair.sides) side.resume();
      }, silentMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { sides, thaw } of this.#pairs) {
      clearTimeout(thaw);
      for (const side of sides) side.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    const { hostname, port } = this.#target;
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true);
    const pair: Pair = { sides: [client, server], silentSince: undefined, thaw: undefined };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (part: Buffer) => {
        if (!to.write(part)) from.pause();
      });
      to.on('drain', () => {
        if (pair.silentSince === undefined) from.resume();
      });
      from.on('error', () => from.destroy());
      from.on('close', () => this.#end(pair));
    }
    if (this.#isCut) this.#silence(pair);
  }

  #silence(pair: Pair): void {
    clearTimeout(pair.thaw);
    pair.silentSince ??= performance.now();
    for (const side of pair.sides) side.pause();
  }

  #end(pair: Pair): void {
    clearTimeout(pair.thaw);
    this.#pairs.delete(pair);
    for (const side of pair.sides) side.destroy();
  }
}
