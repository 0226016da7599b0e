/**
 * The helper of the native driver as a process: started once, told jobs in netstrings, heard line
 * by line. It forks for each job, so that nothing has to be forked from this large process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { SandboxError } from './sandbox.ts';

/** Fields of a line are as the helper writes them; texts of programs are base64. */
export interface HelperLine {
  readonly job?: number;
  readonly kind: string;
  readonly reason?: string;
  readonly [field: string]: unknown;
}

/** Hears the lines of one job; null when the helper itself has ended. */
type JobListener = (line: HelperLine | null) => void;

const netstring = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes, Buffer.from(',')]);
};

function lineOf(text: string): HelperLine | null {
  try {
    return JSON.parse(text) as HelperLine;
  } catch {
    return null;
  }
}

export class Helper {
  readonly #process: ChildProcess;
  readonly #listeners = new Map<number, JobListener>();
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #lastWords = '';

  /** @param path of the program, on this machine */
  constructor(path: string) {
    this.#process = spawn(path, [], {
      // Nothing of ours: what a box could ever read of it must not be worth reading.
      env: {},
      cwd: '/',
      // A group of its own: Ctrl-C is for us, and what runs ends in order.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const child = this.#process;
    child.stdin?.on('error', () => undefined);
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-500);
    });
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#hasEnded = true;
        for (const listener of this.#listeners.values()) listener(null);
        this.#listeners.clear();
        resolve();
      };
      child.once('error', (error) => {
        this.#lastWords = error.message;
        end();
      });
      child.once('close', end);
    });
    this.#ready = new Promise((resolve, reject) => {
      if (child.stdout)
        createInterface({ input: child.stdout }).on('line', (text) => {
          const line = lineOf(text);
          // Not ours any more, whatever it is; its end tells everybody.
          if (line === null) child.kill('SIGKILL');
          else if (line.job !== undefined) this.#listeners.get(line.job)?.(line);
          else if (line.kind === 'ready') resolve();
          else reject(new SandboxError(line.reason ?? text));
        });
      void this.#ended.then(() => reject(new SandboxError(this.#obituary())));
    });
    // Whoever asks hears of it; nobody has to.
    this.#ready.catch(() => undefined);
  }

  /** Rejects with the helper's own reason. */
  ready(): Promise<void> {
    return this.#ready;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** @param fields pairs of name and value, as images/judge/native/frames.c reads them */
  start(id: number, fields: readonly (readonly [string, string])[], listener: JobListener): void {
    if (this.#hasEnded) throw new SandboxError(this.#obituary());
    this.#listeners.set(id, listener);
    this.#send('job', ...fields.flat());
  }

  abort(id: number): void {
    if (!this.#hasEnded) this.#send('abort', String(id));
  }

  forget(id: number): void {
    this.#listeners.delete(id);
  }

  /** Ends it and everything that it runs; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#process.stdin?.end();
    await this.#ended;
  }

  #send(...values: readonly string[]): void {
    this.#process.stdin?.write(netstring(Buffer.concat(values.map(netstring))));
  }

  #obituary(): string {
    const { exitCode, signalCode } = this.#process;
    const how = signalCode ?? (exitCode === null ? 'no exit code' : `code ${exitCode}`);
    return `the judge's helper ended (${how}) ${this.#lastWords}`.trim();
  }
}
