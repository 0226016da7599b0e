/**
 * A terminal over a network that is cut and comes back: from the return until a line that was
 * printed after it is there, with every byte of the time between. The client is the page's own
 * connection, told by the page's own heartbeat; the network's memory of the cut is `kit/relay.ts`'s.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Heartbeat, STALE_MS } from '../../../web/src/domains/workspace/health.ts';
import { Platform } from '../kit/platform.ts';
import { Relay } from '../kit/relay.ts';
import { progress, type Result, type Row } from '../kit/report.ts';
import { CountingTerminal } from '../kit/terminal.ts';

/** How long each cut lasts, and how often. */
const CUTS = [
  { seconds: 5, rounds: 5 },
  { seconds: 60, rounds: 1 },
] as const;
const LIMIT_MS = 2000;
const SETTLE_MS = 2000;
/** Each round is longer than the last by this, so that the return meets every beat of the heart. */
const SHIFT_MS = 270;

export async function benchResume(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers' });
  await using relay = await Relay.start(platform.origin);
  const cookie = await platform.signIn('student');
  const { usageID, path, terminalPath } = await platform.openSession(cookie);
  const counting = new CountingTerminal({ base: relay.origin + terminalPath, cookie });
  const { terminal } = counting;
  const heartbeat = new Heartbeat(
    async (signal) =>
      (await fetch(`${relay.origin}${path}api`, { headers: { cookie }, signal })).ok,
    {
      onHealth: () => undefined,
      onReturn: (silentMs) => {
        if (silentMs >= STALE_MS) terminal.connection.wake();
      },
    },
  );
  const rows: Row[] = [];
  const figures: Record<string, unknown> = {};
  const typed: string[] = [];
  try {
    await counting.start();
    heartbeat.start();
    for (const { seconds, rounds } of CUTS) {
      const times: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        await pause(SETTLE_MS);
        relay.cut();
        await pause(seconds * 500);
        const text = `typed in the dark, ${seconds} s, ${round}`;
        typed.push(text);
        terminal.connection.type(`${text}\n`);
        await pause(seconds * 500 + (round - 1) * SHIFT_MS);
        relay.restore();
        const [began, returnedAt] = [performance.now(), Date.now()];
        await counting.until(
          () => counting.printedAt >= returnedAt && counting.heard.length >= typed.length,
        );
        times.push(performance.now() - began);
        progress(`resume: ${seconds} s, ${round} of ${rounds}: ${times.at(-1)?.toFixed(0)} ms`);
      }
      const isWhole =
        counting.faults === 0 &&
        terminal.missing === 0 &&
        counting.heard.join('\n') === typed.join('\n');
      const slowest = Math.max(...times);
      figures[`${seconds} s`] = times;
      rows.push({
        bench: 'resume',
        what: `terminal whole again after a ${seconds} s cut, slowest of ${rounds}`,
        measured: `${(slowest / 1000).toFixed(2)} s, ${isWhole ? 'no byte lost' : 'not every byte came'}`,
        against: 'limit',
        target: `≤ ${LIMIT_MS / 1000} s, no byte lost`,
        isMet: slowest <= LIMIT_MS && isWhole,
      });
    }
  } finally {
    heartbeat.pause();
    terminal.close();
  }
  await platform.closeSession(cookie, usageID);
  return {
    rows,
    figures: { ...figures, count: counting.count, losses: terminal.losses, heard: counting.heard },
  };
}
