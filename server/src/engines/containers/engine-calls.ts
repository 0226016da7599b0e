/** How a driver calls its engine: within a time, healing a lost connection, with coded errors. */
import type Docker from 'dockerode';
import { dockerClient, isConnectionFailure, statusOf, toEngineError } from './engine-http.ts';
import type { ContainerHost } from './host.ts';

/** In milliseconds. */
export const timeouts = {
  short: 10_000,
  create: 60_000,
  start: 60_000,
  stop: 20_000,
  remove: 60_000,
  exec: 30_000,
  disk: 15_000,
} as const;

/** Which engine answers: they differ beyond the Docker API. */
export type Flavor = { name: 'podman' | 'docker'; version: string };

interface EngineVersion {
  Version: string;
  Components?: { Name: string; Version: string }[];
}

export class EngineCalls {
  readonly host: ContainerHost;
  readonly docker: Docker;
  #flavor: Promise<Flavor> | null = null;

  constructor(host: ContainerHost) {
    this.host = host;
    this.docker = dockerClient(host.address);
  }

  /** Id of the installation, which is in every name. */
  get installationID(): string {
    return this.host.paths.id;
  }

  /** Calls the engine; a lost connection is healed and the call made once more. */
  async call<T>(
    doing: string,
    timeoutMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await call(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!isConnectionFailure(error)) throw toEngineError(error, doing);
    }
    try {
      await this.host.ensure();
      return await call(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      throw toEngineError(error, doing);
    }
  }

  /** Like {@link call}, with null for the statuses that mean that the thing is not there. */
  async tolerate<T>(
    statuses: readonly number[],
    doing: string,
    timeoutMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    return this.call(doing, timeoutMs, async (signal) => {
      try {
        return await call(signal);
      } catch (error) {
        if (statuses.includes(statusOf(error) ?? 0)) return null;
        throw error;
      }
    });
  }

  /** A plain call, for podman's own API and where dockerode's types know no abort signal. */
  dial<T = unknown>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    abortSignal: AbortSignal,
    options?: Record<string, unknown>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.docker.modem.dial(
        {
          path,
          method,
          ...(options ? { options } : {}),
          abortSignal,
          statusCodes: {
            200: true,
            201: true,
            204: true,
            404: 'no such thing',
            409: 'conflict',
            500: 'server error',
          },
        },
        (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer as T)),
      );
    });
  }

  /** Asked once, as long as the engine answers. */
  flavor(doing: string): Promise<Flavor> {
    this.#flavor ??= this.call(doing, timeouts.short, (signal) =>
      this.dial<EngineVersion>('GET', '/version', signal),
    ).then(
      ({ Components = [], Version }) => {
        const podman = Components.find((one) => one.Name.startsWith('Podman'));
        return podman
          ? { name: 'podman', version: podman.Version }
          : { name: 'docker', version: Version };
      },
      (error: unknown) => {
        this.#flavor = null;
        throw error;
      },
    );
    return this.#flavor;
  }

  /** Lets go of the connections. */
  close(): void {
    const agent = (this.docker.modem as { agent?: { destroy(): void } }).agent;
    agent?.destroy();
  }
}
