/**
 * Worker processes that are asked things: each measured party runs in a process of its own, so
 * that neither the load nor the other party is counted with it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// Parameters are contravariant: a call of any shape is assignable to one that takes `never`.
type AnyCalls = Readonly<Record<string, (input: never) => Promise<unknown>>>;
type InputOf<F> = F extends (input: infer I) => Promise<unknown> ? I : never;
type OutputOf<F> = F extends (input: never) => Promise<infer O> ? O : never;

interface Question {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
}
interface Answer {
  readonly number: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Inside a worker: answers the calls of the process that started it, until that one is gone. */
export function answerCalls(calls: AnyCalls): void {
  process.on('message', (question: Question) => {
    const reply = (answer: Answer): void => void process.send?.(answer);
    const call = calls[question.name] as ((input: unknown) => Promise<unknown>) | undefined;
    if (!call) {
      reply({ number: question.number, error: `no call ${question.name}` });
      return;
    }
    call(question.input).then(
      (output) => reply({ number: question.number, output }),
      (error: unknown) =>
        reply({
          number: question.number,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}

/** A running worker. */
export interface Worker<C extends AnyCalls> extends AsyncDisposable {
  readonly pid: number;
  call<K extends keyof C & string>(name: K, input: InputOf<C[K]>): Promise<OutputOf<C[K]>>;
}

/**
 * Starts a worker.
 * @param name file in `workers/`, without `.worker.ts`
 */
export function startWorker<C extends AnyCalls>(
  name: string,
  nodeOptions: readonly string[] = [],
): Worker<C> {
  const path = fileURLToPath(new URL(`../workers/${name}.worker.ts`, import.meta.url));
  const child: ChildProcess = fork(path, {
    execArgv: [...nodeOptions],
    serialization: 'advanced',
    // What a server logs is written as in production, and read by nobody.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<
    number,
    { resolve: (output: unknown) => void; reject: (error: Error) => void }
  >();
  let number = 0;
  let end: string | undefined;
  child.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.number);
    waiting.delete(answer.number);
    if (answer.error === undefined) asked?.resolve(answer.output);
    else asked?.reject(new Error(`${name}: ${answer.error}`));
  });
  child.once('exit', (code, signal) => {
    end = `the worker ${name} ended (${signal ?? code})`;
    for (const { reject } of waiting.values()) reject(new Error(end));
    waiting.clear();
  });
  const ask = (question: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) {
        reject(new Error(end));
        return;
      }
      number += 1;
      waiting.set(number, { resolve, reject });
      child.send({ number, name: question, input } satisfies Question);
    });
  return {
    pid: child.pid ?? 0,
    call: <K extends keyof C & string>(question: K, input: InputOf<C[K]>) =>
      ask(question, input) as Promise<OutputOf<C[K]>>,
    async [Symbol.asyncDispose]() {
      if (end !== undefined) return;
      const exited = once(child, 'exit');
      // Seen by `answerCalls`; a server that has to end in order has a call for that.
      child.disconnect();
      await exited;
    },
  };
}
