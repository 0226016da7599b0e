/** Making an environment's containers and waiting until the first node answers. */
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { BUNDLE_FOLDER } from '@hypercube/contract';
import {
  EngineError,
  type ContainerEngine,
  type NodeSpec,
  type NodeState,
  type UsageSpec,
} from '../../engines/containers/engine.ts';
import { LEARNER } from '../../platform/storage/personal.ts';
import { proxyKindOf, proxyPathOf } from './usage.present.ts';
import type { Reason, UsageRow } from './usage.queries.ts';
import { agentEnvironment, innerPath, sessionOf } from './usage.session.ts';

/** A start that cannot succeed; the reason is what its user reads. */
export class StartError extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason.code, options);
    this.name = 'StartError';
    this.reason = reason;
  }
}

export interface StartContext {
  readonly engine: ContainerEngine;
  /** Image id → reference in the engine's store; null where it is not built. */
  readonly imageReferences: ReadonlyMap<number, string | null>;
  readonly personalFolder: string;
  readonly bundleFolder: string | null;
  /** Home of a personal computer; null for every other session, whose home ends with it. */
  readonly homeFolder: string | null;
  readonly frameAncestors: string;
}

/** What the engine shall make of a usage's row. */
export function specOf(row: UsageRow, context: StartContext): UsageSpec {
  const { data, home } = sessionOf(row);
  const bundle = join(data, '..', BUNDLE_FOLDER);
  const nodes = row.nodes.map((node, index): NodeSpec => {
    const image = context.imageReferences.get(node.imageID);
    if (image === undefined || image === null)
      throw new StartError({ code: 'image_missing', params: { Image: node.imageID } });
    return {
      name: node.name,
      image,
      // Only the first one is opened; the others wait for its programs.
      ...(index === 0 ? {} : { command: ['sleep', 'infinity'] }),
      env: {
        HC_BASE_URL: proxyPathOf(row),
        HC_FRAME_ANCESTORS: context.frameAncestors,
        HC_LOCALE: row.language,
        ...(index === 0 ? agentEnvironment(row) : {}),
      },
      limits: {
        cpus: node.cpus,
        memoryBytes: node.memoryBytes,
        pids: node.pids,
        diskBytes: node.diskBytes,
        shmBytes: node.shmBytes,
      },
      mounts: [
        ...(context.homeFolder === null
          ? []
          : [{ source: context.homeFolder, target: home, readOnly: false }]),
        { source: context.personalFolder, target: data, readOnly: false },
        ...(context.bundleFolder === null
          ? []
          : [{ source: context.bundleFolder, target: bundle, readOnly: true }]),
      ],
      user: `${LEARNER.uid}:${LEARNER.gid}`,
    };
  });
  return { usageID: row.id, nodes };
}

/** Address of the first node, from what the engine says. */
export function addressOf(row: Pick<UsageRow, 'type'>, states: readonly NodeState[]): string {
  const ip = states[0]?.ip;
  if (!ip) throw new EngineError('engine_failed', 'the first node has no address');
  return `${ip}:${sessionOf(row).port}`;
}

/** Whether the session's own server answers; anything below 500 is an answer. */
function answers(address: string, path: string, signal: AbortSignal): Promise<boolean> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve) => {
    const call = request(
      { host, port: Number(port), path, timeout: 2000, signal, agent: false },
      (response) => {
        response.resume();
        resolve((response.statusCode ?? 500) < 500);
      },
    );
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(false));
    call.end();
  });
}

const PROBE_MS = 20;
/** How often a silent container is looked at, in probes. */
const INSPECT_EVERY = 20;

/**
 * Waits until the first node answers.
 * @throws StartError when it died, ran out of memory, or did not answer in time
 */
export async function waitForSession(
  row: UsageRow,
  address: string,
  engine: ContainerEngine,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const limit = performance.now() + timeoutMs;
  const path = innerPath(proxyKindOf(row), proxyPathOf(row) + sessionOf(row).health);
  for (let probe = 1; ; probe += 1) {
    signal.throwIfAborted();
    if (await answers(address, path, signal)) return;
    if (probe % INSPECT_EVERY === 0) checkAlive(await engine.inspect(row.id));
    if (performance.now() > limit)
      throw new StartError({
        code: 'start_timed_out',
        params: { Seconds: Math.round(timeoutMs / 1000) },
      });
    await pause(PROBE_MS, undefined, { signal });
  }
}

function checkAlive(states: readonly NodeState[]): void {
  const dead = states.find((state) => state.state === 'exited' || state.state === 'missing');
  if (dead) throw new StartError(deathReason(dead));
}

/** Why a container that should run does not. */
export const deathReason = (state: Pick<NodeState, 'isOutOfMemory' | 'exitCode'>): Reason =>
  state.isOutOfMemory
    ? { code: 'start_out_of_memory', params: {} }
    : { code: 'start_died', params: { ExitCode: state.exitCode } };

/** The reason of a failed start, in the words of the contract. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof StartError) return error.reason;
  if (error instanceof EngineError) {
    if (error.code === 'image_missing')
      return { code: 'image_missing', params: { Image: error.message } };
    if (error.code === 'no_space') return { code: 'start_no_space', params: {} };
    if (error.code === 'engine_unreachable')
      return { code: 'engine_unavailable', params: { Reason: error.message } };
    if (error.code === 'timed_out') return { code: 'start_timed_out', params: {} };
  }
  return { code: 'start_failed', params: {} };
}
