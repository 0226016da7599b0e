import { expect, it } from 'vitest';
import { AbsentSandbox } from './absent-sandbox.ts';
import { SandboxError } from './sandbox.ts';

it('an absent sandbox judges nothing, and says why', async () => {
  const sandbox = new AbsentSandbox('switched off by HC_JUDGE');
  expect(await sandbox.health()).toEqual({ isReady: false, reason: 'switched off by HC_JUDGE' });
  const judged = sandbox.judge()[Symbol.asyncIterator]();
  await expect(judged.next()).rejects.toThrow(new SandboxError('switched off by HC_JUDGE'));
  await expect(sandbox.close()).resolves.toBeUndefined();
});
