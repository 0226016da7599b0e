/**
 * Pausing and continuing an environment, as its owner's clicks do it. A program counts in one of
 * its terminals: that it goes on where it stood shows that the processes are what they were.
 */
import { CountingTerminal } from '../kit/terminal.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result, type Row } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';

const ROUNDS = 12;
const LIMIT_MS = 300;
/** How far the program counts between two rounds. */
const STEPS = 20;

export async function benchPause(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers' });
  const cookie = await platform.signIn('student');
  const { usageID, terminalPath } = await platform.openSession(cookie);
  const counting = new CountingTerminal({ base: platform.origin + terminalPath, cookie });
  const series = { pause: [] as number[], continue: [] as number[] };
  const control = async (Action: 'stop' | 'start'): Promise<number> => {
    const began = performance.now();
    await platform.call('PUT', `/usage/${usageID}`, cookie, { Action });
    return performance.now() - began;
  };
  let isIntact = true;
  try {
    await counting.start();
    for (let index = 0; index <= ROUNDS; index += 1) {
      const reached = counting.count + STEPS;
      await counting.until(() => counting.count >= reached);
      const pauseMs = await control('stop');
      const pausedAt = Date.now();
      const continueMs = await control('start');
      await counting.until(() => counting.printedAt > pausedAt);
      isIntact &&= counting.faults === 0;
      if (index === 0) continue;
      series.pause.push(pauseMs);
      series.continue.push(continueMs);
    }
  } finally {
    counting.terminal.close();
  }
  progress(`pause: the program counted to ${counting.count}`);
  await platform.closeSession(cookie, usageID);
  const row = (what: string, times: readonly number[]): Row => ({
    bench: 'pause',
    what: `${what}, p50 of ${ROUNDS}`,
    measured: `${median(times).toFixed(0)} ms, processes ${isIntact ? 'intact' : 'not intact'}`,
    against: 'limit',
    target: `≤ ${LIMIT_MS} ms, intact`,
    isMet: median(times) <= LIMIT_MS && isIntact,
  });
  return {
    rows: [row('pause', series.pause), row('continue', series.continue)],
    figures: { ...series, count: counting.count, faults: counting.faults },
  };
}
