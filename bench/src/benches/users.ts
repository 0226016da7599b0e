/**
 * The admin list of 100,000 accounts, signed in over HTTP: every filter and every sort, the first
 * page and the five hundredth; and their export, while the server's memory is read.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { API_BASE } from '@hypercube/contract';
import { Platform } from '../kit/platform.ts';
import { progress, round, type Result, type Row } from '../kit/report.ts';
import { quantile } from '../kit/statistics.ts';

const USERS = 100_000;
const PAGES = [1, 500] as const;
const ROUNDS = 40;
const P95_MS = 50;
const GROWTH_BYTES = 64 * 1024 * 1024;
const READ_EVERY_MS = 50;

/** Resident memory of a process as the system counts it; asking the process would clear it up first. */
async function residentBytes(pid: number): Promise<number> {
  const [, kibibytes = ''] =
    /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

/** Each filter leaves at least 500 pages where the list can have them. */
const QUERIES: Readonly<Record<string, string>> = {
  'no filter': '',
  'sort by username': '&sort=username',
  'sort by organisation': '&sort=organisation',
  'sort by last seen': '&sort=seen',
  'oldest first': '&sort=oldest',
  'one type': '&type=4',
  'one role': '&holds=student',
  'few of a role': '&holds=teacher',
  'waiting applications': '&unapproved=true',
  'one organisation': '&organisation=%E5%A4%A7%E5%AD%A6%2017',
  'keyword of three': '&keyword=pupil77',
  'keyword of two': '&keyword=%E5%BC%A0%E4%B8%89',
  'keyword of one': '&keyword=%E5%BC%A0',
  'keyword of two that few have': '&keyword=%E7%AE%A1%E7%90%86',
  'keyword of two that nobody has': '&keyword=%E6%97%A0%E4%BA%BA',
  disabled: '&active=disabled',
};

/** Accounts of many organisations, types and states, and their roles. */
async function fillUsers(platform: Platform, count: number): Promise<void> {
  await platform.sql(
    `insert into user_account (username, email, nickname, real_name, phone, organisation, student_id, type, password_hash, apply_status, disabled_at, created_at, last_seen_at)
     select 'pupil' || n, 'pupil' || n || '@example.edu', '学员' || n, (array['张三丰','李四光','王五岳','赵六合'])[1 + n % 4] || n % 1000, '138' || lpad(n::text, 8, '0'),
            '大学 ' || n % 200, '2026' || n, case when n % 50 = 0 then 2 else 3 + n % 2 end, 'none',
            case when n % 60 = 0 then 1 else 0 end, case when n % 40 = 0 then now() end,
            now() - n * interval '1 minute', case when n % 3 > 0 then now() - (n * 7919 % 100000) * interval '1 minute' end
       from generate_series(1, $1::int) n`,
    [count],
  );
  await platform.sql(
    `insert into user_role (user_id, role)
     select u.id, r.role from user_account u cross join (values ('student'), ('teacher')) r (role)
      where u.username like 'pupil%' and (r.role = 'student' or u.id % 50 = 0)`,
  );
  await platform.sql('vacuum analyze user_account');
  await platform.sql('vacuum analyze user_role');
  await platform.sql('vacuum analyze user_words');
}

export async function benchUsers(): Promise<Result> {
  await using platform = await Platform.start({ kind: 'no worker' }, ['--expose-gc']);
  await fillUsers(platform, USERS);
  const cookie = await platform.signIn('admin');
  const figures: Record<string, unknown> = {};
  const all: number[] = [];
  let worst = { name: '', ms: 0 };
  for (const [name, query] of Object.entries(QUERIES)) {
    for (const page of PAGES) {
      const path = `/user?role=admin&pageSize=20&page=${page}${query}`;
      const times: number[] = [];
      for (let index = 0; index < ROUNDS; index += 1) {
        const began = performance.now();
        await platform.call('GET', path, cookie);
        // The first ones prepare and warm up.
        if (index >= 5) times.push(performance.now() - began);
      }
      const ms = quantile(times, 0.95);
      all.push(...times);
      figures[`${name}, page ${page}`] = ms;
      progress(`users: ${name}, page ${page}: p95 ${round(ms)} ms`);
      if (ms > worst.ms) worst = { name: `${name}, page ${page}`, ms };
    }
  }

  const counts: number[] = [];
  for (const pageSize of [1, 100]) {
    await platform.worker.call('takeStatements', true);
    await platform.call('GET', `/user?role=admin&pageSize=${pageSize}`, cookie);
    counts.push((await platform.worker.call('takeStatements', false)).length);
  }

  const before = await platform.worker.call('measure', undefined);
  const columns = 'Username,Nickname,RealName,Email,Phone,Organisation,StudentID,Type,Roles';
  const began = performance.now();
  const answer = await fetch(
    `${platform.origin}${API_BASE}/user/export?role=admin&columns=${columns}`,
    { headers: { cookie } },
  );
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}`);
  let bytes = 0;
  let most = before.rssBytes;
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      most = Math.max(most, await residentBytes(platform.worker.pid));
      await pause(READ_EVERY_MS);
    }
  })();
  for await (const part of answer.body) bytes += part.length;
  isDone = true;
  await watch;
  const seconds = (performance.now() - began) / 1000;
  const growth = most - before.rssBytes;
  Object.assign(figures, { statements: counts, export: { bytes, seconds, growth } });

  const megabytes = (value: number): string => `${round(value / 1_000_000)} MB`;
  const rows: Row[] = [
    {
      bench: 'users',
      what: `GET ${API_BASE}/user of ${USERS.toLocaleString('en-US')}, ${Object.keys(QUERIES).length} filters and sorts × pages ${PAGES.join(' and ')}`,
      measured: `worst p95 ${round(worst.ms)} ms (${worst.name})`,
      against: `p95 of all ${round(quantile(all, 0.95))} ms`,
      target: `≤ ${P95_MS} ms`,
      isMet: worst.ms <= P95_MS,
    },
    {
      bench: 'users',
      what: 'SQL statements for a list of 1 and of 100',
      measured: counts.join(' and '),
      against: 'each other',
      target: 'equal',
      isMet: counts[0] === counts[1],
    },
    {
      bench: 'users',
      what: `export of ${USERS.toLocaleString('en-US')} accounts as xlsx`,
      measured: `memory + ${megabytes(growth)}; ${megabytes(bytes)} in ${round(seconds)} s`,
      against: `${megabytes(before.rssBytes)} before`,
      target: `≤ + ${megabytes(GROWTH_BYTES)}`,
      isMet: growth <= GROWTH_BYTES,
    },
  ];
  return { rows, figures };
}
