/** How a node is, as the engine tells it, and what it takes on the disk. */
import { accessSync, constants } from 'node:fs';
import type Docker from 'dockerode';
import { diskBytesOf } from './disk-bytes.ts';
import { EngineError, type NodeState, type NodeStateName } from './engine.ts';
import { type EngineCalls, timeouts } from './engine-calls.ts';
import { containerName, networkName } from './labels.ts';

/** What an inspection says of a container's writable layer. */
interface LayeredContainer {
  GraphDriver?: { Data?: { UpperDir?: string } | null };
  /** Only when asked for. */
  SizeRw?: number;
}

/** `missing` for a node that the engine does not know. */
export async function inspectNode(
  calls: EngineCalls,
  usageID: number,
  name: string,
  doing: string,
): Promise<NodeState> {
  const found = await calls.tolerate([404], doing, timeouts.short, (signal) =>
    calls.dial<Docker.ContainerInspectInfo>(
      'GET',
      `/containers/${containerName(calls.installationID, usageID, name)}/json`,
      signal,
    ),
  );
  if (!found) {
    return {
      name,
      state: 'missing',
      containerID: '',
      ip: null,
      exitCode: null,
      isOutOfMemory: false,
      startedAt: null,
    };
  }
  const state = toStateName(found.State.Status);
  const isAlive = state === 'running' || state === 'paused';
  const address =
    found.NetworkSettings.Networks[networkName(calls.installationID, usageID)]?.IPAddress;
  const startedAt = new Date(found.State.StartedAt);
  return {
    name,
    state,
    containerID: found.Id,
    ip: isAlive && address ? address : null,
    exitCode: state === 'exited' ? found.State.ExitCode : null,
    isOutOfMemory: found.State.OOMKilled,
    startedAt: startedAt.getTime() > 0 ? startedAt : null,
  };
}

/**
 * The engine's own figure walks the whole image beneath too, half a second for a notebook, and
 * counts the holes of sparse files. On this machine the writable layer alone is measured.
 */
export async function nodeDiskBytes(
  calls: EngineCalls,
  usageID: number,
  name: string,
  doing: string,
): Promise<number> {
  const path = `/containers/${containerName(calls.installationID, usageID, name)}/json`;
  if (calls.host.kind !== 'remote') {
    const found = await calls.call(doing, timeouts.short, (signal) =>
      calls.dial<LayeredContainer>('GET', path, signal),
    );
    const layer = found.GraphDriver?.Data?.UpperDir;
    // Absent where the engine's files are in a virtual machine or not ours to read.
    if (layer !== undefined && isReadable(layer)) return diskBytesOf(layer, doing, timeouts.disk);
  }
  const { SizeRw } = await calls.call(doing, timeouts.disk, (signal) =>
    calls.dial<LayeredContainer>('GET', `${path}?`, signal, { size: true }),
  );
  if (SizeRw === undefined) {
    throw new EngineError('engine_failed', `${doing}: the engine tells no size`);
  }
  return SizeRw;
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function toStateName(status: string): NodeStateName {
  switch (status) {
    case 'running':
    case 'paused':
    case 'created':
      return status;
    case 'configured':
    case 'initialized':
      return 'created';
    default:
      return 'exited';
  }
}
