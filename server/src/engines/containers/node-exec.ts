/** Commands in a node: their output, their exit code, and their end when they take too long. */
import { existsSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { ExecResult } from './engine.ts';
import { type EngineCalls, timeouts } from './engine-calls.ts';
import { toEngineError } from './engine-http.ts';
import { CappedText } from './engine-output.ts';

/**
 * Runs a command to its end.
 * @param container name of the node's
 * @throws EngineError `timed_out` after `timeoutMs`; the command is ended then where that can be done
 */
export async function execute(
  calls: EngineCalls,
  container: string,
  command: readonly string[],
  options: { timeoutMs?: number; user?: string },
  doing: string,
): Promise<ExecResult> {
  const exec = await calls.call(doing, timeouts.short, (signal) =>
    calls.docker.getContainer(container).exec({
      Cmd: [...command],
      AttachStdout: true,
      AttachStderr: true,
      ...(options.user ? { User: options.user } : {}),
      abortSignal: signal,
    }),
  );
  const stdout = new CappedText();
  const stderr = new CappedText();
  const timer = AbortSignal.timeout(options.timeoutMs ?? timeouts.exec);
  try {
    const stream = await exec.start({ abortSignal: timer });
    calls.docker.modem.demuxStream(stream, stdout.sink, stderr.sink);
    await ended(stream, timer);
  } catch (error) {
    if (!timer.aborted) throw toEngineError(error, doing);
    await kill(calls, exec);
    throw toEngineError(timer.reason, doing);
  }
  const { ExitCode } = await calls.call(doing, timeouts.short, (signal) =>
    exec.inspect({ abortSignal: signal }),
  );
  return { exitCode: ExitCode ?? -1, stdout: stdout.text(), stderr: stderr.text() };
}

async function ended(stream: Duplex, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      stream.destroy();
      reject(signal.reason as Error);
    });
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', reject);
  });
}

/** The API knows no way to end a command; on this machine its process can be found. */
async function kill(calls: EngineCalls, exec: Docker.Exec): Promise<void> {
  if (calls.host.kind === 'remote') return;
  try {
    const { Pid, Running, ContainerID } = await exec.inspect({
      abortSignal: AbortSignal.timeout(timeouts.short),
    });
    if (!Running || !Pid || !existsSync(`/proc/${Pid}/cgroup`)) return;
    // Only if it is what the engine says: a number alone might be somebody else's by now.
    if (readFileSync(`/proc/${Pid}/cgroup`, 'utf8').includes(ContainerID)) {
      process.kill(Pid, 'SIGKILL');
    }
  } catch {
    // It ended by itself, or the engine is away; the caller hears of the time-out either way.
  }
}
