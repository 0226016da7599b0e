/**
 * Thirty learners who open an environment in the same moment, against the same thirty containers
 * made and started one after the other by plain calls to the engine, each until it answers.
 */
import { makeAccounts, makeSpecification, type Account } from '../kit/accounts.ts';
import { ByHand } from '../kit/by-hand.ts';
import { Platform } from '../kit/platform.ts';
import { progress, type Result } from '../kit/report.ts';
import { until } from '../kit/waiting.ts';

const STARTS = 30;
/** What one may use is what the content's notebooks may; memory is less, so that all fit. */
const NODE = { cpus: 2, memoryMiB: 384 } as const;
const LIMIT = 1.2;
const PORT = 8888;
const PROBE_MS = 10;
/** How often a page that has lost its event stream asks; thirty of them are load enough. */
const ASK_MS = 500;
const GIVE_UP_MS = 170_000;

interface Usage {
  readonly ID: number;
  readonly Phase: string;
  readonly Position: number | null;
}

interface Start {
  readonly seconds: number;
  readonly isReady: boolean;
  /** What was shown while it waited, in order. */
  readonly positions: readonly (number | null)[];
}

/** Opens one and asks until its start is over. */
async function follow(
  platform: Platform,
  { cookie }: Account,
  opened: { readonly SpecificationID: number },
  began: number,
): Promise<Start> {
  const positions: (number | null)[] = [];
  const note = (usage: Usage): Usage => {
    if (usage.Phase === 'queued') positions.push(usage.Position);
    return usage;
  };
  note(
    await platform.call<Usage>('POST', '/usage?wait=false', cookie, {
      RouteName: 'bench',
      RoutePath: '/bench',
      ...opened,
    }),
  );
  const last = await until(
    'a start is over',
    async () => note(await platform.call<Usage>('GET', '/usage', cookie)),
    ({ Phase }) => Phase === 'ready' || Phase === 'failed',
    { everyMs: ASK_MS, limitMs: GIVE_UP_MS },
  );
  return {
    seconds: (performance.now() - began) / 1000,
    isReady: last.Phase === 'ready',
    positions,
  };
}

/** Whoever waits sees a place, and it never grows. */
const showsPosition = ({ positions }: Start): boolean =>
  positions.length > 0 &&
  positions.every(
    (position, index) => position !== null && position <= (positions[index - 1] ?? STARTS),
  );

/** The same containers one after the other; all stay until the last one answers. */
async function serialSeconds(platform: Platform, byHand: ByHand): Promise<number> {
  const spec = await platform.worker.call('lastSpec', undefined);
  const prefix = spec.nodes[0]?.env['HC_BASE_URL'] ?? '/';
  const began = performance.now();
  for (let index = 0; index < STARTS; index += 1) {
    const base = `http://${await byHand.start(spec, index)}:${PORT}${prefix}`;
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
  }
  return (performance.now() - began) / 1000;
}

export async function benchStarts(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'containers' }, [], {
    HC_CAPACITY_CPUS: String(STARTS * NODE.cpus),
    HC_CAPACITY_MEMORY_MIB: String(STARTS * NODE.memoryMiB),
  });
  if (!platform.engine)
    throw new Error(
      'the rival is started through the platform’s own podman, which is not what runs here',
    );
  const byHand = new ByHand(platform.engine.socketPath, platform.engine.diskLimit === 'exact');
  const opened = await makeSpecification(platform, NODE);
  // The first start of an image reads it from the disk.
  const student = await platform.signIn('student');
  const first = await platform.openSession(student, opened);
  await platform.closeSession(student, first.usageID);

  const accounts = await makeAccounts(platform, STARTS);
  const began = performance.now();
  const starts = await Promise.all(
    accounts.map((account) => follow(platform, account, opened, began)),
  );
  const lastSeconds = Math.max(...starts.map(({ seconds }) => seconds));
  progress(`starts: the last of ${STARTS} after ${lastSeconds.toFixed(1)} s`);
  const failed = starts.filter(({ isReady }) => !isReady).length;
  const shown = starts.filter(showsPosition).length;
  await platform.sql(
    `update usage set wanted = 'end', ended_at = now(), cause = 'deleted' where ended_at is null`,
  );
  await until(
    'the containers of the deleted usages are gone',
    () => platform.sql('select count(*)::int as count from usage where removed_at is null'),
    ([left]) => left?.['count'] === 0,
    { everyMs: 100, limitMs: 120_000 },
  );

  let serial: number;
  try {
    serial = await serialSeconds(platform, byHand);
  } finally {
    for (let index = 0; index < STARTS; index += 1) await byHand.remove(index);
    byHand.close();
  }
  const ratio = lastSeconds / serial;
  return {
    rows: [
      {
        bench: 'starts',
        what: `${STARTS} starts at once, the last one ready`,
        measured: `${lastSeconds.toFixed(1)} s = ${ratio.toFixed(2)} ×`,
        against: `${serial.toFixed(1)} s (one after the other by hand)`,
        target: `≤ ${LIMIT} × by hand`,
        isMet: ratio <= LIMIT && failed === 0,
      },
      {
        bench: 'starts',
        what: `${STARTS} starts at once, failed`,
        measured: String(failed),
        against: 'limit',
        target: '0',
        isMet: failed === 0,
      },
      {
        bench: 'starts',
        what: `${STARTS} starts at once, whose place in the queue was shown and only fell`,
        measured: String(shown),
        against: 'limit',
        target: String(STARTS),
        isMet: shown === STARTS,
      },
    ],
    figures: { starts, serial },
  };
}
