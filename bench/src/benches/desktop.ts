/**
 * A desktop's picture through the gateway against a direct connection to the same session: whole
 * raw screens, sixty of them a second, which is what a screen shows and two gigabits of traffic.
 * The two take turns. How many more there could be is told too: there everybody who takes part
 * computes as much as the machine can, and each further pair of hands costs its share.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from '../kit/cpu.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { Screen } from '../kit/rfb.ts';
import { median } from '../kit/statistics.ts';

const ROUNDS = 7;
const SECONDS = 2;
const LEAST = 0.95;
const SHOWN_PER_SECOND = 60;
const LATE_MS = 100;
const AGENT_PORT = 7070;
const PARTIES = ['ours', 'direct'] as const;
type Party = (typeof PARTIES)[number];
const PACES = { shown: SHOWN_PER_SECOND, most: Infinity } as const;
type Pace = keyof typeof PACES;

interface Round {
  readonly bytes: number;
  readonly frames: number;
  /** CPU milliseconds of the gateway for each gigabyte; means nothing for a direct connection. */
  readonly cost: number;
}

/** Asks for whole screens for some seconds, each when the last is here and its time has come. */
async function watch(screen: Screen, perSecond: number, pid: number): Promise<Round> {
  const { bytes, frames } = screen;
  const [began, cpu] = [performance.now(), await cpuMs(pid)];
  let due = began;
  for (let now = began; now - began < SECONDS * 1000; now = performance.now()) {
    if (due > now) await pause(due - now);
    // A late frame is made up for; a long pause is not, since a screen shows no more afterwards.
    due = Math.max(due + 1000 / perSecond, now - LATE_MS);
    await screen.update(false);
  }
  const elapsed = (performance.now() - began) / 1000;
  return {
    bytes: (screen.bytes - bytes) / elapsed,
    frames: (screen.frames - frames) / elapsed,
    cost: ((await cpuMs(pid)) - cpu) / ((screen.bytes - bytes) / 1e9),
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
  const series: Record<Pace, Record<Party, Round[]>> = {
    shown: { ours: [], direct: [] },
    most: { ours: [], direct: [] },
  };
  try {
    for (let index = 0; index <= ROUNDS; index += 1) {
      for (const pace of ['shown', 'most'] as const) {
        for (const party of index % 2 === 0 ? PARTIES : PARTIES.toReversed()) {
          const measured = await watch(screens[party], PACES[pace], platform.worker.pid);
          // The first round is that of a desktop that still starts programs.
          if (index > 0) series[pace][party].push(measured);
        }
      }
      progress(`desktop: round ${index} of ${ROUNDS}`);
    }
  } finally {
    for (const screen of Object.values(screens)) screen.close();
  }
  await platform.closeSession(cookie, usageID);

  const of = (pace: Pace, party: Party, key: keyof Round): number =>
    median(series[pace][party].map((one) => one[key]));
  // Of neighbours in time, since a machine's speed drifts more than the two differ.
  const ratioOf = (pace: Pace, key: keyof Round): number =>
    median(
      series[pace].ours.map(
        (one, index) => one[key] / (series[pace].direct[index]?.[key] ?? Number.NaN),
      ),
    );
  const tell = (pace: Pace, party: Party): string =>
    `${round(of(pace, party, 'bytes') / 1e6)} MB/s, ${round(of(pace, party, 'frames'))} frames/s`;
  const ratio = Math.min(ratioOf('shown', 'bytes'), ratioOf('shown', 'frames'));
  return {
    rows: [
      {
        bench: 'desktop',
        what: `bytes and whole screens, up to ${SHOWN_PER_SECOND} frames/s, median of ${ROUNDS}`,
        measured: `${ratio.toFixed(2)} ×: ${tell('shown', 'ours')}, ${round(of('shown', 'ours', 'cost'))} ms CPU/GB`,
        against: `${tell('shown', 'direct')} (direct connection)`,
        target: `≥ ${LEAST} × direct`,
        isMet: ratio >= LEAST,
      },
      {
        bench: 'desktop',
        what: `the same as fast as the machine can, median of ${ROUNDS}`,
        measured: `${ratioOf('most', 'frames').toFixed(2)} ×: ${tell('most', 'ours')}, ${round(of('most', 'ours', 'cost'))} ms CPU/GB`,
        against: `${tell('most', 'direct')} (direct connection)`,
        target: 'told only',
        isMet: null,
      },
    ],
    figures: series,
  };
}
