import { execFile } from 'node:child_process';
import { EngineError } from './engine.ts';

/**
 * What a folder really takes on its disk: blocks, not lengths, and each hard link once. Nothing is
 * followed out of it, neither links nor mounts.
 *
 * @param doing for the error's text
 * @returns bytes
 */
export function diskBytesOf(folder: string, doing: string, timeoutMs: number): Promise<number> {
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve, reject) => {
    execFile('du', ['-sx', '--block-size=1', '--', folder], options, (error, stdout) => {
      if (error?.killed === true) {
        reject(new EngineError('timed_out', `${doing}: too many files`, { cause: error }));
        return;
      }
      // Files come and go meanwhile: du complains, fails and still tells the sum of the others.
      const bytes = /^(\d+)\t/.exec(stdout)?.[1];
      if (bytes === undefined) {
        const reason = error?.message ?? 'du printed no sum';
        reject(new EngineError('engine_failed', `${doing}: ${reason}`, { cause: error }));
        return;
      }
      resolve(Number(bytes));
    });
  });
}
