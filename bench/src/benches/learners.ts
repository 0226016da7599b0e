/**
 * A thousand learners at once: each signed in, with an event stream open and half of them with a
 * running environment, looks, reads and writes with pauses of one to five seconds. Afterwards they
 * hurry, until a target is missed: what is busiest then gives way first.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { makeAccounts } from '../kit/accounts.ts';
import { startWorker } from '../kit/calls.ts';
import { childrenCpuMs, cpuMs } from '../kit/cpu.ts';
import { fillLabs, insertReadyUsages } from '../kit/filling.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result, type Row } from '../kit/report.ts';
import { quantile } from '../kit/statistics.ts';
import type { LearnersCalls, Sights } from '../workers/learners.worker.ts';

const LEARNERS = 1000;
const LABS = 200;
const SUGGESTIONS = 200;
const NOTIFICATIONS = 20;
const RAMP_SECONDS = 10;
const SETTLE_SECONDS = 5;
const SECONDS = 60;
const HURRY_SECONDS = 10;
const PACES = [2, 4, 8, 16] as const;
const READ_P95_MS = 60;
const WRITE_P95_MS = 100;

/** What there is to see and to read. */
async function fillSights(platform: Platform, userIDs: readonly number[]): Promise<Sights> {
  await fillLabs(platform, LABS);
  const labs = await platform.sql(
    `select l.id, array_agg(t.id order by t.sequence) as tasks
       from lab l join lab_task t on t.lab_id = l.id where l.is_published group by l.id`,
  );
  const software = await platform.sql('select id from software where is_published');
  const suggestions = await platform.sql(
    `insert into suggestion (user_id, title, content, is_public, created_at, updated_at)
     select ($1::int[])[1 + n % cardinality($1::int[])], '建议 ' || n, '内容', true, now(), now()
       from generate_series(1, $2::int) n returning id`,
    [userIDs, SUGGESTIONS],
  );
  const notifications = await platform.sql(
    `insert into notification (kind, title_zh, title_en, content_zh, content_en, audience, send_at, sent_at, created_at)
     select 'system', '通知 ' || n, '', '内容', '', 'all', now(), now(), now()
       from generate_series(1, $1::int) n returning id`,
    [NOTIFICATIONS],
  );
  await platform.sql(
    `insert into notification_receipt (user_id, notification_id)
     select u.id, n.id from unnest($1::int[]) u (id), unnest($2::int[]) n (id)`,
    [userIDs, notifications.map(({ id }) => id)],
  );
  const files = await platform.sql(
    `select '/lab/' || id || '/' || substring(content_zh from 'media/[\\w.-]+') as path
       from lab where slug is not null and content_zh like '%](media/%'`,
  );
  await platform.sql('vacuum analyze');
  const numbers = (rows: readonly Record<string, unknown>[]): number[] =>
    rows.map(({ id }) => Number(id));
  return {
    labs: labs.map(({ id, tasks }) => ({ id: Number(id), tasks: tasks as number[] })),
    software: numbers(software),
    suggestions: numbers(suggestions),
    notifications: numbers(notifications),
    files: files.map(({ path }) => String(path)),
  };
}

/** What one look at all parties tells. */
interface Look {
  readonly perSecond: number;
  readonly readP95Ms: number;
  readonly readP50Ms: number;
  readonly writeP95Ms: number;
  readonly writeP50Ms: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly streams: number;
  readonly delayP95Ms: number;
  readonly delayMaxMs: number;
  /** Parts of one core. */
  readonly cores: { readonly server: number; readonly database: number; readonly load: number };
  /** Part of the time in which the server's thread had something to do. */
  readonly thread: number;
}

const sum = (errors: Readonly<Record<string, number>>): number =>
  Object.values(errors).reduce((total, count) => total + count, 0);
const percent = (part: number): string => `${(part * 100).toFixed(0)} %`;

/** The busiest of what could be in the way, by name. */
function busiest({ thread, cores }: Look): string {
  const all = cores.server + cores.database + cores.load;
  const parts: readonly (readonly [string, number])[] = [
    ['the server’s thread', thread],
    ['the machine’s cores', all / availableParallelism()],
    ['the load generator', cores.load],
  ];
  const [[name, part] = ['', 0]] = parts.toSorted(([, a], [, b]) => b - a);
  const dearest = cores.database > cores.server ? 'PostgreSQL' : 'the server';
  return `${name} (${percent(part)}; of the cores most by ${dearest})`;
}

export async function benchLearners(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'none' });
  await using crowd = startWorker<LearnersCalls>('learners');
  const learners = await makeAccounts(platform, LEARNERS);
  const userIDs = learners.map(({ userID }) => userID);
  await insertReadyUsages(platform, userIDs.slice(0, LEARNERS / 2));
  const sights = await fillSights(platform, userIDs);

  const cpuNow = async () => ({
    server: await cpuMs(platform.worker.pid),
    database: await childrenCpuMs(platform.worker.pid),
    load: await cpuMs(crowd.pid),
  });
  async function look(seconds: number): Promise<Look> {
    await crowd.call('take', undefined);
    await platform.worker.call('takeLoop', undefined);
    const [before, began] = [await cpuNow(), performance.now()];
    await pause(seconds * 1000);
    const [after, elapsedMs] = [await cpuNow(), performance.now() - began];
    const { readMs, writeMs, errors, streams } = await crowd.call('take', undefined);
    const loop = await platform.worker.call('takeLoop', undefined);
    const cores = (party: keyof typeof after): number => (after[party] - before[party]) / elapsedMs;
    return {
      perSecond: (readMs.length + writeMs.length) / (elapsedMs / 1000),
      readP50Ms: quantile(readMs, 0.5),
      readP95Ms: quantile(readMs, 0.95),
      writeP50Ms: quantile(writeMs, 0.5),
      writeP95Ms: quantile(writeMs, 0.95),
      errors,
      streams,
      delayP95Ms: loop.delayP95Ms,
      delayMaxMs: loop.delayMaxMs,
      cores: { server: cores('server'), database: cores('database'), load: cores('load') },
      thread: loop.utilization,
    };
  }
  const isGood = (one: Look): boolean =>
    sum(one.errors) === 0 && one.readP95Ms <= READ_P95_MS && one.writeP95Ms <= WRITE_P95_MS;

  progress(`learners: ${LEARNERS} come`);
  await crowd.call('begin', {
    origin: platform.origin,
    learners,
    sights,
    rampSeconds: RAMP_SECONDS,
  });
  await pause((RAMP_SECONDS + SETTLE_SECONDS) * 1000);
  progress(`learners: ${SECONDS} s`);
  const people = await look(SECONDS);
  let last = { pace: 1, ...people };
  const hurried: (typeof last)[] = [];
  for (const pace of PACES) {
    if (!isGood(last)) break;
    progress(`learners: ${pace} times as fast`);
    await crowd.call('setPace', pace);
    last = { pace, ...(await look(HURRY_SECONDS)) };
    hurried.push(last);
  }
  await crowd.call('end', undefined);

  const { cores } = people;
  const failed = sum(people.errors);
  const told = (what: string, measured: string, against = '–'): Row => ({
    bench: 'learners',
    what,
    measured,
    against,
    target: 'told only',
    isMet: null,
  });
  return {
    rows: [
      {
        bench: 'learners',
        what: `${LEARNERS.toLocaleString('en-US')} learners, ${SECONDS} s: calls and streams that failed`,
        measured: failed === 0 ? '0' : JSON.stringify(people.errors),
        against: `${round(people.perSecond)} requests/s, ${people.streams} streams open`,
        target: '0',
        isMet: failed === 0 && people.streams === LEARNERS,
      },
      {
        bench: 'learners',
        what: 'p95 of what they read',
        measured: `${round(people.readP95Ms)} ms`,
        against: `p50 ${round(people.readP50Ms)} ms`,
        target: `≤ ${READ_P95_MS} ms`,
        isMet: people.readP95Ms <= READ_P95_MS,
      },
      {
        bench: 'learners',
        what: 'p95 of what they write',
        measured: `${round(people.writeP95Ms)} ms`,
        against: `p50 ${round(people.writeP50Ms)} ms`,
        target: `≤ ${WRITE_P95_MS} ms`,
        isMet: people.writeP95Ms <= WRITE_P95_MS,
      },
      told(
        'cores in use: server, PostgreSQL, load generator',
        `${cores.server.toFixed(2)}, ${cores.database.toFixed(2)}, ${cores.load.toFixed(2)}`,
        `${availableParallelism()} cores`,
      ),
      told(
        'delay of the server’s event loop',
        `p95 ${round(people.delayP95Ms)} ms, most ${round(people.delayMaxMs)} ms`,
        `busy ${percent(people.thread)} of the time`,
      ),
      told(
        'saturates first, when they hurry until a target is missed',
        busiest(last),
        `${last.pace} × the pace, ${round(last.perSecond)} requests/s: read p95 ${round(last.readP95Ms)} ms, write p95 ${round(last.writeP95Ms)} ms`,
      ),
    ],
    figures: { people, hurried },
  };
}
