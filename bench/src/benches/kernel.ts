/**
 * From `POST /usage` to the first output of a kernel, through the gateway, against the same
 * container started by hand and asked directly. The two take turns, one container at a time.
 */
import { ByHand } from '../kit/by-hand.ts';
import { firstOutput } from '../kit/jupyter.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result } from '../kit/report.ts';
import { quantile } from '../kit/statistics.ts';
import { until } from '../kit/waiting.ts';

const ROUNDS = 12;
/** The p50 is what a learner waits; a slow start now and then may cost more. */
const LIMITS = { p50: 1.3, p95: 1.5 } as const;
const PORT = 8888;
/** How often the server of a fresh container is asked whether it answers. */
const PROBE_MS = 10;

export async function benchKernel(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers' });
  if (!platform.engine)
    throw new Error(
      'the rival is started through the platform’s own podman, which is not what runs here',
    );
  const byHand = new ByHand(platform.engine.socketPath, platform.engine.diskLimit === 'exact');
  const cookie = await platform.signIn('student');

  const ours = async (): Promise<number> => {
    const began = performance.now();
    const { usageID, path } = await platform.openSession(cookie);
    await firstOutput(platform.origin + path, { cookie });
    const elapsed = performance.now() - began;
    await platform.closeSession(cookie, usageID);
    return elapsed;
  };

  const rival = async (): Promise<number> => {
    const spec = await platform.worker.call('lastSpec', undefined);
    const prefix = spec.nodes[0]?.env['HC_BASE_URL'] ?? '/';
    await byHand.remove();
    const began = performance.now();
    const base = `http://${await byHand.start(spec)}:${PORT}${prefix}`;
    await until(
      'the container answers',
      () =>
        fetch(`${base}api`).then(
          ({ ok }) => ok,
          () => false,
        ),
      Boolean,
      { everyMs: PROBE_MS },
    );
    await firstOutput(base, {});
    const elapsed = performance.now() - began;
    await byHand.remove();
    return elapsed;
  };

  const series = { ours: [] as number[], rival: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      // The first round fills the page cache, and tells the rival what to start.
      const order =
        round === 0 || round % 2 === 0
          ? (['ours', 'rival'] as const)
          : (['rival', 'ours'] as const);
      for (const party of order) {
        const elapsed = party === 'ours' ? await ours() : await rival();
        if (round > 0) series[party].push(elapsed);
      }
      if (round > 0)
        progress(
          `kernel: ${round} of ${ROUNDS}: ${seconds(series.ours.at(-1))}, by hand ${seconds(series.rival.at(-1))}`,
        );
    }
  } finally {
    await byHand.remove();
    byHand.close();
  }
  const rows = (
    [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const
  ).map(([name, part]) => {
    const [mine, theirs] = [quantile(series.ours, part), quantile(series.rival, part)];
    return {
      bench: 'kernel',
      what: `first output of a kernel, ${name} of ${ROUNDS} starts`,
      measured: `${seconds(mine)} = ${(mine / theirs).toFixed(2)} ×`,
      against: `${seconds(theirs)} (same container by hand)`,
      target: `≤ ${LIMITS[name]} × by hand`,
      isMet: mine <= LIMITS[name] * theirs,
    };
  });
  return { rows, figures: series };
}

const seconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(2)} s`;
