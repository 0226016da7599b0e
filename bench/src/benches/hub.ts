/**
 * From the wish for a notebook to the first output of its kernel, against JupyterHub that starts
 * the same JupyterLab in the same image through the same engine. The two take turns, one container
 * at a time. Where JupyterHub cannot be installed the row says so.
 */
import { ByHand } from '../kit/by-hand.ts';
import { JupyterHub, installJupyterHub } from '../kit/jupyterhub.ts';
import { firstOutput } from '../kit/jupyter.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';

const ROUNDS = 7;
const LIMIT = 0.6;
const ROW = {
  bench: 'hub',
  what: `first output of a kernel, p50 of ${ROUNDS} starts`,
  target: `≤ ${LIMIT} × JupyterHub`,
} as const;

export async function benchHub(): Promise<Result> {
  progress('hub: JupyterHub is installed if it is not there');
  const installed = await installJupyterHub();
  if (typeof installed === 'string') {
    const against = `JupyterHub could not be installed: ${installed}`;
    return { rows: [{ ...ROW, measured: '–', against, isMet: null }], figures: { installed } };
  }
  await using platform = await Platform.start({ kind: 'containers' });
  if (!platform.engine)
    throw new Error(
      'the rival is started through the platform’s own podman, which is not what runs here',
    );
  const { socketPath, diskLimit } = platform.engine;
  const byHand = new ByHand(socketPath, diskLimit === 'exact');
  const cookie = await platform.signIn('student');
  const ours = async (): Promise<number> => {
    const began = performance.now();
    const { usageID, path } = await platform.openSession(cookie);
    await firstOutput(platform.origin + path, { cookie });
    const elapsed = performance.now() - began;
    await platform.closeSession(cookie, usageID);
    return elapsed;
  };
  // The first round fills the page cache, and tells the rival what to start.
  await ours();
  const spec = await platform.worker.call('lastSpec', undefined);
  const series = { ours: [] as number[], rival: [] as number[] };
  let version: string;
  try {
    await byHand.remove();
    // A container that sleeps keeps the network up, for the hub to listen on.
    const network = await byHand.hold(spec);
    await using hub = await JupyterHub.start({ installed, socketPath, network, spec });
    ({ version } = hub);
    const rival = async (): Promise<number> => {
      const began = performance.now();
      const { base, headers } = await hub.open();
      await firstOutput(base, headers);
      const elapsed = performance.now() - began;
      await hub.close();
      return elapsed;
    };
    await rival();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const order = round % 2 === 0 ? (['ours', 'rival'] as const) : (['rival', 'ours'] as const);
      for (const party of order)
        series[party].push(party === 'ours' ? await ours() : await rival());
      progress(
        `hub: ${round} of ${ROUNDS}: ${seconds(series.ours.at(-1))}, JupyterHub ${seconds(series.rival.at(-1))}`,
      );
    }
  } finally {
    await byHand.remove();
    byHand.close();
  }
  const [mine, theirs] = [median(series.ours), median(series.rival)];
  return {
    rows: [
      {
        ...ROW,
        measured: `${seconds(mine)} = ${(mine / theirs).toFixed(2)} ×`,
        against: `${seconds(theirs)} (JupyterHub ${version}, same image)`,
        isMet: mine <= LIMIT * theirs,
      },
    ],
    figures: series,
  };
}

const seconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(2)} s`;
