import { Agent } from 'node:http';
import Docker from 'dockerode';
import type { EngineAddress } from './host.ts';
import { EngineError } from './engine.ts';

/** What dockerode throws when the engine answers with an error status. */
interface AnsweredError extends Error {
  statusCode?: number;
  reason?: string;
  json?: { message?: string };
  code?: string;
}

/** A Docker API client that keeps its connections: a new one costs more than most calls. */
export function dockerClient(address: EngineAddress): Docker {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  // The types do not know the agent, which docker-modem hands to every request.
  const options: Docker.DockerOptions & { agent: Agent } = { ...address, agent };
  return new Docker(options);
}

/** Whether nobody was at the socket, or the connection broke before an answer. */
export function isConnectionFailure(error: unknown): boolean {
  const code = (error as AnsweredError | null)?.code ?? '';
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH'].includes(code);
}

/** Status of an answered error, or null. */
export function statusOf(error: unknown): number | null {
  return (error as AnsweredError | null)?.statusCode ?? null;
}

/** The engine's own words. */
export function messageOf(error: unknown): string {
  const answered = error as AnsweredError | null;
  return answered?.json?.message ?? answered?.message ?? String(error);
}

/** Turns whatever a call threw into an {@link EngineError}. */
export function toEngineError(error: unknown, doing: string): EngineError {
  if (error instanceof EngineError) return error;
  const text = messageOf(error);
  const name = (error as Error | null)?.name;
  const say = (reason: string) => `${doing}: ${reason}`;
  if (name === 'TimeoutError' || name === 'AbortError') {
    return new EngineError('timed_out', say('no answer in time'), { cause: error });
  }
  if (isConnectionFailure(error)) {
    return new EngineError('engine_unreachable', say(text), { cause: error });
  }
  if (/no space left on device|disk quota exceeded/i.test(text)) {
    return new EngineError('no_space', say(text), { cause: error });
  }
  if (/no such image|image not known/i.test(text)) {
    return new EngineError('image_missing', say(text), { cause: error });
  }
  if (statusOf(error) === 404) {
    return new EngineError('no_such_usage', say(text), { cause: error });
  }
  return new EngineError('engine_failed', say(text), { cause: error });
}
