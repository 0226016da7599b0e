/**
 * Page views: how many a second are accepted and written, and how long the dashboard takes with ten
 * million of them, of which it reads only the hourly figures.
 */
import { API_BASE } from '@hypercube/contract';
import { startWorker } from '../kit/calls.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { until } from '../kit/waiting.ts';
import type { LoadCalls } from '../workers/load.worker.ts';

const RECORDS = 10_000_000;
/** Written by one statement. */
const CHUNK = 500_000;
const USERS = 500;
/** Views that one user makes of one module before the next one comes. */
const VISIT = 60;
const CONNECTIONS = 50;
const SECONDS = 5;
const READS = 40;
const LEAST_PER_SECOND = 2000;
const DASHBOARD_MS = 300;

const VIEW =
  'Type=102&Field=3&Field=7&SessionId=bench-session-1&URL=%2Flab%2F3%2Fnotebook%2Ftask%2F7&FromURL=%2Flab%2F3';

export async function benchTrack(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'no worker' });
  await using load = startWorker<LoadCalls>('load');
  const cookie = await platform.signIn('admin');

  progress('track: views are sent');
  const { perSecond } = await load.call('http', {
    url: `${platform.origin}${API_BASE}/track`,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: VIEW,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  // Accepted means written: what is still gathered comes within a moment.
  const written = await until(
    'every accepted view is written',
    async () => Number((await platform.sql('select count(*) as n from track_record'))[0]?.['n']),
    (count) => count >= Math.floor(perSecond * SECONDS),
  );

  progress(`track: ${RECORDS.toLocaleString('en-US')} views of half a year`);
  // In the order of time, as views come.
  for (let done = 0; done < RECORDS; done += CHUNK) {
    await platform.sql(
      `insert into track_record (at, type, fields, session_id, user_id, url, from_url)
       select now() - interval '170 days' + ($1::int + n) * interval '170 days' / ${RECORDS}, 100 * (1 + n / ${VISIT} % 6) + n % 4, array[n % 50],
              's' || n / ${VISIT} % 100000, 1000 + n / ${VISIT} % ${USERS}, '/lab/' || n % 50, '/lab'
         from generate_series(1, ${CHUNK}) as n`,
      [done],
    );
  }
  // Those of before stand in the way: only what comes after them would be rolled up.
  await platform.sql('delete from track_hour');
  progress('track: rolled up');
  const began = performance.now();
  await platform.worker.call('sweep', undefined);
  const rollUpSeconds = (performance.now() - began) / 1000;
  const [hours] = await platform.sql('select count(*) as n from track_hour');

  const latencies: Record<string, number> = {};
  for (const period of ['day', 'month', 'year']) {
    const { p95Ms } = await load.call('httpLatency', {
      url: `${platform.origin}${API_BASE}/dashboard?role=admin&period=${period}`,
      headers: { cookie },
      count: READS,
    });
    latencies[period] = p95Ms;
  }
  const slowest = Math.max(...Object.values(latencies));
  return {
    rows: [
      {
        bench: 'track',
        what: `POST ${API_BASE}/track, ${CONNECTIONS} connections, all written`,
        measured: `${round(perSecond)} views/s`,
        against: '–',
        target: `≥ ${LEAST_PER_SECOND.toLocaleString('en-US')}`,
        isMet: perSecond >= LEAST_PER_SECOND,
      },
      {
        bench: 'track',
        what: `GET ${API_BASE}/dashboard, ${RECORDS.toLocaleString('en-US')} views, p95 of the slowest period`,
        measured: `${round(slowest)} ms`,
        against: `${Number(hours?.['n']).toLocaleString('en-US')} hourly figures, first rolled up in ${round(rollUpSeconds)} s`,
        target: `≤ ${DASHBOARD_MS} ms`,
        isMet: slowest <= DASHBOARD_MS,
      },
    ],
    figures: { perSecond, written, latencies, rollUpSeconds },
  };
}
