import { SandboxError, type Sandbox, type SandboxHealth, type SandboxReport } from './sandbox.ts';

/** Stands in where programs cannot be judged: everything says why. */
export class AbsentSandbox implements Sandbox {
  readonly #reason: string;

  /** @param reason an English sentence for staff */
  constructor(reason: string) {
    this.#reason = reason;
  }

  health(): Promise<SandboxHealth> {
    return Promise.resolve({ isReady: false, reason: this.#reason });
  }

  // oxlint-disable-next-line require-yield -- an iteration that only ever fails
  async *judge(): AsyncIterable<SandboxReport> {
    throw new SandboxError(this.#reason);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
