/**
 * Many learners at once, each with a login, a connection and an event stream of its own, who look,
 * read, write and think. Answers are counted and thrown away: what this process computes would be
 * missing from the server that it measures.
 */
import { Agent, request as httpRequest, type ClientRequest } from 'node:http';
import { API_BASE } from '@hypercube/contract';
import { answerCalls } from '../kit/calls.ts';

/** Things that learners look at. */
export interface Sights {
  readonly labs: readonly { readonly id: number; readonly tasks: readonly number[] }[];
  readonly software: readonly number[];
  readonly suggestions: readonly number[];
  /** Told to everybody. */
  readonly notifications: readonly number[];
  /** Addresses of files in texts. */
  readonly files: readonly string[];
}

export interface Learner {
  readonly userID: number;
  readonly cookie: string;
}

export interface Crowd {
  readonly origin: string;
  readonly learners: readonly Learner[];
  readonly sights: Sights;
  /** Over which they come. */
  readonly rampSeconds: number;
}

/** What happened since the last look. */
export interface Happened {
  readonly readMs: readonly number[];
  readonly writeMs: readonly number[];
  /** Of calls and of streams, with how often each came. */
  readonly errors: Readonly<Record<string, number>>;
  readonly streams: number;
}

const THINK_MS = { least: 1000, most: 5000 } as const;
const STREAM_RETRY_MS = 1000;

let pace = 1;
let isOver = false;
let streams = 0;
let readMs: number[] = [];
let writeMs: number[] = [];
let errors: Record<string, number> = {};
const open = new Set<ClientRequest>();
let running: Promise<unknown>[] = [];

const fail = (what: string): void => {
  if (!isOver) errors[what] = (errors[what] ?? 0) + 1;
};
const think = (): Promise<void> =>
  new Promise((resolve) => {
    const { least, most } = THINK_MS;
    setTimeout(resolve, (least + Math.random() * (most - least)) / pace);
  });
const oneOf = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to look at');
  return item;
};

/** One learner's calls, over one kept connection. */
class Calls {
  readonly #crowd: Crowd;
  readonly #learner: Learner;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(crowd: Crowd, learner: Learner) {
    this.#crowd = crowd;
    this.#learner = learner;
  }

  read(path: string): Promise<void> {
    return this.#call('GET', path);
  }

  write(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
    return this.#call(method, path, JSON.stringify(body), 'application/json');
  }

  /** As a page tells that it is looked at. */
  track(fields: string): Promise<void> {
    return this.#call('POST', '/track', fields, 'application/x-www-form-urlencoded');
  }

  /** Holds the event stream, as the page does, until all is over. */
  async listen(): Promise<void> {
    while (!isOver) {
      const end = await this.#stream();
      if (isOver) return;
      fail(`stream: ${end}`);
      await new Promise<void>((resolve) => {
        setTimeout(resolve, STREAM_RETRY_MS);
      });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #options(method: string, path: string, headers: Record<string, string> = {}) {
    const role = path.includes('?') ? '&role=student' : '?role=student';
    return [
      `${this.#crowd.origin}${API_BASE}${path}${role}`,
      { method, headers: { cookie: this.#learner.cookie, ...headers } },
    ] as const;
  }

  #stream(): Promise<string> {
    return new Promise((resolve) => {
      const [url, options] = this.#options('GET', '/usage/events');
      const call = httpRequest(url, { ...options, agent: false }, (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          resolve(String(response.statusCode));
          return;
        }
        streams += 1;
        response.resume();
        response.once('close', () => {
          streams -= 1;
          resolve('closed');
        });
      });
      open.add(call);
      call.once('error', (error) => resolve(error.message));
      call.once('close', () => open.delete(call));
      call.end();
    });
  }

  #call(method: string, path: string, body?: string, type?: string): Promise<void> {
    return new Promise((resolve) => {
      const began = performance.now();
      const [url, options] = this.#options(
        method,
        path,
        body === undefined || type === undefined
          ? {}
          : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
      );
      const what = `${method} ${path.replace(/\?.*/, '').replaceAll(/\d+/g, '#')}`;
      const call = httpRequest(url, { ...options, agent: this.#agent }, (response) => {
        response.resume();
        response.once('end', () => {
          (method === 'GET' ? readMs : writeMs).push(performance.now() - began);
          if ((response.statusCode ?? 500) >= 400) fail(`${what}: ${response.statusCode}`);
          resolve();
        });
        response.once('error', () => {
          fail(`${what}: broke off`);
          resolve();
        });
      });
      call.once('error', (error) => {
        fail(`${what}: ${error.message}`);
        resolve();
      });
      call.end(body);
    });
  }
}

type Deed = (calls: Calls, learner: Learner, sights: Sights) => Promise<void>;

/** What learners do, and how often of a hundred; what a page asks for comes as the page asks. */
const DEEDS: readonly (readonly [times: number, deed: Deed])[] = [
  // Looking around.
  [20, (calls) => calls.read(`/lab?pageSize=20&page=${1 + Math.floor(Math.random() * 10)}`)],
  [6, (calls) => calls.read('/lab?pageSize=20&keyword=MPI')],
  [6, (calls) => calls.read('/software?pageSize=20')],
  [
    14,
    async (calls, _learner, { labs }) => {
      const { id } = oneOf(labs);
      for (const part of ['', '/task', '/resource']) await calls.read(`/lab/${id}${part}`);
    },
  ],
  [
    12,
    async (calls, _learner, { labs }) => {
      const { id, tasks } = oneOf(labs);
      const task = oneOf(tasks);
      await calls.read(`/lab/${id}/task/${task}`);
      await calls.track(
        `Type=102&Field=${id}&Field=${task}&SessionId=bench-session-1&URL=%2Flab%2F${id}`,
      );
    },
  ],
  [5, (calls, _learner, { files }) => calls.read(oneOf(files))],
  [4, (calls, { userID }) => calls.read(`/user/${userID}`)],
  [3, (calls) => calls.read('/statistics/study')],
  [3, (calls) => calls.read('/usage/history')],
  // Beside the stream the page asks once in a while.
  [8, (calls) => calls.read('/usage')],
  // Hearing and saying.
  [
    7,
    async (calls, _learner, { notifications }) => {
      await calls.read('/notification?pageSize=20');
      await calls.write('PUT', '/notification', { UpdateIDList: [oneOf(notifications)] });
    },
  ],
  [
    4,
    async (calls, _learner, { suggestions }) => {
      await calls.read('/suggestion?pageSize=20');
      const id = oneOf(suggestions);
      await calls.read(`/suggestion/${id}`);
      await calls.read(`/suggestion/${id}/conversation`);
    },
  ],
  [
    1,
    (calls) =>
      calls.write('POST', '/suggestion', {
        Title: '希望有更多 GPU 实验',
        Content: '现在的实验大多在 CPU 上。',
        IsPublic: true,
      }),
  ],
  [
    7,
    (calls, { userID }) =>
      calls.write('PUT', `/user/${userID}/preference`, {
        Theme: Math.random() < 0.5 ? 'light' : 'dark',
      }),
  ],
];
const ALL_TIMES = DEEDS.reduce((sum, [times]) => sum + times, 0);

function chooseDeed(): Deed {
  let left = Math.random() * ALL_TIMES;
  for (const [times, deed] of DEEDS) {
    left -= times;
    if (left < 0) return deed;
  }
  return () => Promise.resolve();
}

async function live(crowd: Crowd, learner: Learner, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, delayMs);
  });
  const calls = new Calls(crowd, learner);
  const listening = calls.listen();
  while (!isOver) {
    await chooseDeed()(calls, learner, crowd.sights);
    await think();
  }
  calls.close();
  await listening;
}

const calls = {
  /** They come, one after the other. */
  async begin(crowd: Crowd): Promise<void> {
    const step = (crowd.rampSeconds * 1000) / crowd.learners.length;
    running = crowd.learners.map((learner, index) => live(crowd, learner, index * step));
  },

  /** How much faster than people they think. */
  async setPace(factor: number): Promise<void> {
    pace = factor;
  },

  async take(): Promise<Happened> {
    const taken = { readMs, writeMs, errors, streams };
    readMs = [];
    writeMs = [];
    errors = {};
    return taken;
  },

  /** They leave. */
  async end(): Promise<void> {
    isOver = true;
    for (const call of open) call.destroy();
    await Promise.all(running);
  },
};
export type LearnersCalls = typeof calls;

answerCalls(calls);
