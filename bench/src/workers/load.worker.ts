/** Makes load and measures it, in a process that is none of the measured ones. */
import { Agent, request as httpRequest } from 'node:http';
import autocannon from 'autocannon';
import { answerCalls } from '../kit/calls.ts';
import { FrameCounter, clientFrame, dial } from '../kit/frames.ts';
import { median, quantile } from '../kit/statistics.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpLoad extends Target {
  readonly connections: number;
  readonly seconds: number;
  /** Sent by POST; without one it is a GET. */
  readonly body?: string;
}

export interface WebSocketLoad extends Target {
  readonly kind: 'echo' | 'source';
  readonly sockets: number;
  readonly size: number;
  readonly seconds: number;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Messages that each echoing socket has under way, so that the line is never empty. */
const BYTES_UNDER_WAY = 256 * 1024;

const latencyOf = (times: readonly number[]): Latency => ({
  p50Ms: median(times),
  p95Ms: quantile(times, 0.95),
});

/** One request after the other on a kept connection. */
async function timeRequest(target: Target, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const call = httpRequest(target.url, { agent, headers: target.headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${target.url}: ${response.statusCode}`));
      response.resume();
      response.once('end', () => resolve(performance.now() - began));
      response.once('error', reject);
    });
    call.once('error', reject);
    call.end();
  });
}

const calls = {
  /** Requests per second with every connection busy. */
  async http({
    url,
    headers,
    connections,
    seconds,
    body,
  }: HttpLoad): Promise<{ perSecond: number; p50Ms: number }> {
    const result = await autocannon({
      url,
      headers,
      connections,
      duration: seconds,
      ...(body === undefined ? {} : { method: 'POST' as const, body }),
    });
    if (result.errors > 0 || result.non2xx > 0) {
      throw new Error(
        `${url}: ${result.errors} errors, ${result.non2xx} answers that were no success`,
      );
    }
    return { perSecond: result.requests.average, p50Ms: result.latency.p50 };
  },

  async httpLatency({ count, ...target }: Target & { count: number }): Promise<Latency> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) times.push(await timeRequest(target, agent));
    agent.destroy();
    return latencyOf(times);
  },

  /** There and back, one small message after the other. */
  async webSocketLatency({ count, url, headers }: Target & { count: number }): Promise<Latency> {
    const { socket, status } = await dial(new URL(url), headers);
    if (status !== 101) throw new Error(`${url}: ${status}`);
    const frame = clientFrame(Buffer.alloc(64, 1));
    const counter = new FrameCounter();
    const times: number[] = [];
    await new Promise<void>((resolve, reject) => {
      let began = performance.now();
      const send = (): void => {
        began = performance.now();
        socket.write(frame);
      };
      socket.once('close', () => reject(new Error(`${url}: closed in the middle`)));
      socket.on('data', (part: Buffer) => {
        counter.add(part);
        if (counter.messages <= times.length) return;
        times.push(performance.now() - began);
        if (times.length < count) send();
        else resolve();
      });
      socket.resume();
      send();
    });
    socket.destroy();
    return latencyOf(times);
  },

  /** Payload that arrives here, in MB/s, over all sockets. */
  async webSocket({
    url,
    headers,
    kind,
    sockets,
    size,
    seconds,
  }: WebSocketLoad): Promise<{ megabytesPerSecond: number }> {
    const frame = clientFrame(Buffer.alloc(size, 1));
    const dialled = await Promise.all(
      Array.from({ length: sockets }, () => dial(new URL(url), headers)),
    );
    const counters = dialled.map(({ socket, status, rest }) => {
      if (status !== 101) throw new Error(`${url}: ${status}`);
      const counter = new FrameCounter();
      counter.add(rest);
      let answered = 0;
      socket.on('data', (part: Buffer) => {
        counter.add(part);
        const due = counter.messages - answered;
        answered = counter.messages;
        if (kind !== 'echo' || due === 0) return;
        // Several small answers in one part are answered by one write.
        socket.write(due === 1 ? frame : Buffer.concat(Array.from({ length: due }, () => frame)));
      });
      socket.resume();
      if (kind === 'echo') {
        for (let sent = 0; sent < BYTES_UNDER_WAY; sent += size) socket.write(frame);
      }
      return counter;
    });
    const total = (): number => counters.reduce((sum, counter) => sum + counter.payloadBytes, 0);
    const [before, began] = [total(), performance.now()];
    await new Promise<void>((resolve) => {
      setTimeout(resolve, seconds * 1000);
    });
    const bytes = total() - before;
    const elapsed = (performance.now() - began) / 1000;
    const broken = dialled.filter(({ socket }) => socket.destroyed).length;
    for (const { socket } of dialled) socket.destroy();
    if (broken > 0) throw new Error(`${url}: ${broken} sockets broke under load`);
    return { megabytesPerSecond: bytes / elapsed / 1e6 };
  },
};
export type LoadCalls = typeof calls;

answerCalls(calls);
