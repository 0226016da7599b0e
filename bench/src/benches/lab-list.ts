/**
 * `GET /api/v1/lab` against a bare Fastify route with the same prepared statement. The statement
 * is the one that the platform itself just ran, so the two cannot drift apart.
 */
import { API_BASE } from '@hypercube/contract';
import { startWorker } from '../kit/calls.ts';
import { fillLabs } from '../kit/filling.ts';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result } from '../kit/report.ts';
import { median } from '../kit/statistics.ts';
import type { BareCalls } from '../workers/bare.worker.ts';
import type { LoadCalls } from '../workers/load.worker.ts';

const LABS = 1000;
const PAGE = 20;
const CONNECTIONS = 20;
const SECONDS = 4;
const ROUNDS = 5;
const LEAST = 0.5;

export async function benchLabList(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'none' });
  await using bare = startWorker<BareCalls>('bare');
  await using load = startWorker<LoadCalls>('load');
  await fillLabs(platform, LABS);
  const cookie = await platform.signIn('student');
  const path = `/lab?role=student&lang=zh-CN&pageSize=${PAGE}`;

  await platform.call('GET', path, cookie);
  await platform.worker.call('takeStatements', true);
  const answer = await platform.call<{ List: unknown[]; Total: number }>('GET', path, cookie);
  const statements = (await platform.worker.call('takeStatements', false)).filter(({ text }) =>
    /from "lab"/.test(text),
  );
  const [statement] = statements;
  if (!statement || statements.length > 1)
    throw new Error(`the list took ${statements.length} statements on labs`);
  if (answer.List.length !== PAGE || answer.Total !== LABS)
    throw new Error(`a page of ${answer.List.length} of ${answer.Total}`);

  const connection = await platform.worker.call('connection', undefined);
  const origin = await bare.call('listen', { connection, statement });
  const rows = (await (await fetch(origin)).json()) as unknown[];
  if (rows.length !== PAGE) throw new Error(`the bare route answered ${rows.length} rows`);

  const targets = {
    ours: { url: `${platform.origin}${API_BASE}${path}`, headers: { cookie } },
    bare: { url: origin, headers: {} },
  };
  const series = { ours: [] as number[], bare: [] as number[] };
  for (let index = 0; index <= ROUNDS; index += 1) {
    progress(`lab-list: round ${index} of ${ROUNDS}`);
    const parties = ['ours', 'bare'] as const;
    for (const party of index % 2 === 0 ? parties : parties.toReversed()) {
      const { perSecond } = await load.call('http', {
        ...targets[party],
        connections: CONNECTIONS,
        seconds: SECONDS,
      });
      // The first round compiles and prepares.
      if (index > 0) series[party].push(perSecond);
    }
  }
  const ratio = median(
    series.ours.map((value, index) => value / (series.bare[index] ?? Number.NaN)),
  );
  return {
    rows: [
      {
        bench: 'lab-list',
        what: `GET ${API_BASE}/lab signed in, ${PAGE} of ${LABS.toLocaleString('en-US')}`,
        measured: `${round(median(series.ours))} requests/s = ${ratio.toFixed(2)} ×`,
        against: `${round(median(series.bare))} requests/s (bare Fastify route)`,
        target: `≥ ${LEAST} × bare`,
        isMet: ratio >= LEAST,
      },
    ],
    figures: { ...series, ratio, statement: statement.text },
  };
}
