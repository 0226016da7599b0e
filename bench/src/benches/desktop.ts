/**
 * A desktop's picture through the gateway against a direct connection to the same session: whole
 * raw screens, the next one asked for when the last is here, as a page does. The two take turns.
 */
import { cpuMs } from '../kit/cpu.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { Screen } from '../kit/rfb.ts';
import { median } from '../kit/statistics.ts';

const ROUNDS = 9;
const SECONDS = 3;
const LEAST = 0.95;
const AGENT_PORT = 7070;
const PARTIES = ['ours', 'direct'] as const;
type Party = (typeof PARTIES)[number];

interface Round {
  readonly megabytesPerSecond: number;
  readonly framesPerSecond: number;
}

/** Asks for whole screens for some seconds. */
async function watch(screen: Screen): Promise<Round> {
  const { bytes, frames } = screen;
  const began = performance.now();
  while (performance.now() - began < SECONDS * 1000) await screen.update(false);
  const elapsed = (performance.now() - began) / 1000;
  return {
    megabytesPerSecond: (screen.bytes - bytes) / elapsed / 1e6,
    framesPerSecond: (screen.frames - frames) / elapsed,
  };
}

export async function benchDesktop(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers', images: ['desktop'] });
  const cookie = await platform.signIn('student');
  const { usageID, path } = await platform.openSession(
    cookie,
    await platform.software('linux-desktop'),
  );
  const [usage] = await platform.sql('select address from usage where id = $1', [usageID]);
  const [ip = ''] = String(usage?.['address']).split(':');
  const screens: Record<Party, Screen> = {
    ours: await Screen.connect(`${platform.origin}${path}ws`, { cookie }, false),
    direct: await Screen.connect(`http://${ip}:${AGENT_PORT}/desktop/ws`, {}, false),
  };
  const series: Record<Party, Round[]> = { ours: [], direct: [] };
  let gatewayMs = 0;
  try {
    for (let index = 0; index <= ROUNDS; index += 1) {
      for (const party of index % 2 === 0 ? PARTIES : PARTIES.toReversed()) {
        const before = await cpuMs(platform.worker.pid);
        const measured = await watch(screens[party]);
        // The first round is that of a desktop that still starts programs.
        if (index === 0) continue;
        series[party].push(measured);
        if (party === 'ours') gatewayMs += (await cpuMs(platform.worker.pid)) - before;
      }
      progress(`desktop: round ${index} of ${ROUNDS}`);
    }
  } finally {
    for (const screen of Object.values(screens)) screen.close();
  }
  await platform.closeSession(cookie, usageID);
  const gigabytes = series.ours.reduce(
    (sum, { megabytesPerSecond }) => sum + (megabytesPerSecond * SECONDS) / 1000,
    0,
  );
  const rows = (
    [
      ['bytes', 'megabytesPerSecond', 'MB/s'],
      ['whole screens', 'framesPerSecond', 'frames/s'],
    ] as const
  ).map(([what, key, unit]) => {
    const of = (party: Party): number => median(series[party].map((one) => one[key]));
    // Of neighbours in time, since a machine's speed drifts more than the two differ.
    const ratio = median(
      series.ours.map((one, index) => one[key] / (series.direct[index]?.[key] ?? Number.NaN)),
    );
    return {
      bench: 'desktop',
      what: `${what} through the gateway, median of ${ROUNDS}`,
      measured: `${ratio.toFixed(2)} ×: ${round(of('ours'))} ${unit}, ${round(gatewayMs / gigabytes)} ms CPU/GB`,
      against: `${round(of('direct'))} ${unit} (direct connection)`,
      target: `≥ ${LEAST} × direct`,
      isMet: ratio >= LEAST,
    };
  });
  return { rows, figures: series };
}
