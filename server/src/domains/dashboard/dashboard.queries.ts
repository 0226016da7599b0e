/** Figures of the whole place; each is one statement over counted or rolled-up rows. */
import { TRACK_MODULES, UserType, type Dashboard, type DashboardNow } from '@hypercube/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';

export type Period = 'day' | 'month' | 'year';

const FORMATS: Readonly<Record<Period, string>> = {
  day: 'YYYY-MM-DD',
  month: 'YYYY-MM',
  year: 'YYYY',
};
const LENGTHS: Readonly<Record<Period, string>> = {
  day: '29 days',
  month: '23 months',
  year: '9 years',
};
const ORGANISATIONS = 20;

async function rowsOf<T>(db: Executor, statement: SQL): Promise<T[]> {
  return (await db.execute(statement)).rows as unknown as T[];
}

/** Every period of the range, so that one without anything shows as nothing. */
const buckets = (period: Period, now: Date, zone: string): SQL => sql`
  select b as start, b + ${`1 ${period}`}::interval as finish, to_char(b, ${FORMATS[period]}) as name
    from generate_series(
      date_trunc(${period}, ${now}::timestamptz at time zone ${zone}) - ${LENGTHS[period]}::interval,
      date_trunc(${period}, ${now}::timestamptz at time zone ${zone}),
      ${`1 ${period}`}::interval) as b`;

/**
 * The figures of a dashboard.
 * @param zone IANA name of the calendar
 */
export async function readDashboard(
  db: Executor,
  period: Period,
  now: Date,
  zone: string,
): Promise<Dashboard> {
  const range = buckets(period, now, zone);
  const format = FORMATS[period];
  const [growth, structure, regions, organisations, composition, hours, visits] = await Promise.all(
    [
      rowsOf<{ Bucket: string; New: number; Total: number }>(
        db,
        sql`
      with bucket as (${range}), made as (
        select to_char(created_at at time zone ${zone}, ${format}) as name, count(*)::int as n
          from user_account group by 1
      )
      select b.name as "Bucket", coalesce(m.n, 0) as "New",
             (coalesce((select sum(o.n) from made o where o.name < (select min(name) from bucket)), 0)
              + sum(coalesce(m.n, 0)) over (order by b.start))::int as "Total"
        from bucket b left join made m using (name) order by b.start`,
      ),
      rowsOf<{ Type: number; Count: number }>(
        db,
        sql`select type as "Type", count(*)::int as "Count" from user_account group by 1 order by 1`,
      ),
      rowsOf<{ Region: string | null; Count: number }>(
        db,
        sql`select region as "Region", count(*)::int as "Count" from user_account group by 1 order by 2 desc, 1`,
      ),
      rowsOf<{ Name: string; Count: number }>(
        db,
        sql`select organisation as "Name", count(*)::int as "Count" from user_account
           where organisation is not null group by 1 order by 2 desc, 1 limit ${ORGANISATIONS}`,
      ),
      rowsOf<Dashboard['Composition'][number]>(
        db,
        sql`
      select 'lab' as "Kind", count(*)::int as "Count" from lab where is_published
      union all select 'software', count(*)::int from software where is_published
      union all select 'course', count(*)::int from course where is_published
      union all select 'problem', count(*)::int from problem where is_published
      union all select 'image', count(*)::int from image
      union all select 'specification', count(*)::int from specification`,
      ),
      rowsOf<{ Bucket: string; Hours: number }>(
        db,
        sql`
      with bucket as (${range}), since as (
        select min(start) at time zone ${zone} as first from bucket
      ), ran as (
        -- Also what began before the range; each period gets the part that lies in it.
        select greatest(u.ready_at, s.first) as start, coalesce(u.ended_at, ${now}) as finish
          from usage u, since s
         where u.ready_at is not null and coalesce(u.ended_at, ${now}) > s.first
      ), run as (
        select to_char(p, ${format}) as name,
               sum(extract(epoch from least(r.finish, (p + ${`1 ${period}`}::interval) at time zone ${zone})
                                      - greatest(r.start, p at time zone ${zone}))) / 3600 as hours
          from ran r
         cross join lateral generate_series(
                 date_trunc(${period}, r.start at time zone ${zone}), r.finish at time zone ${zone},
                 ${`1 ${period}`}::interval) as p
         group by 1
      )
      select b.name as "Bucket", greatest(0, round(coalesce(r.hours, 0)::numeric, 1))::float as "Hours"
        from bucket b left join run r using (name) order by b.start`,
      ),
      rowsOf<{ Bucket: string; module: number; Views: number; Sessions: number }>(
        db,
        sql`
      with bucket as (${range})
      select to_char(t.hour at time zone ${zone}, ${format}) as "Bucket", t.module,
             sum(t.views)::int as "Views", sum(t.sessions)::int as "Sessions"
        from track_hour t
       where t.hour >= (select min(start) from bucket) at time zone ${zone}
       group by 1, 2 order by 1, 2`,
      ),
    ],
  );
  return {
    Growth: growth,
    Structure: Object.values(UserType).map((Type) => ({
      Type,
      Count: structure.find((row) => row.Type === Type)?.Count ?? 0,
    })),
    Regions: regions,
    Organisations: organisations,
    Composition: composition,
    UsageHours: hours,
    Visits: visits.flatMap(({ module, ...row }) => {
      const Module = TRACK_MODULES[module - 1];
      return Module ? [{ ...row, Module }] : [];
    }),
  };
}

/** Who is here now. @param since who did something after this is online */
export async function readNow(db: Executor, since: Date): Promise<DashboardNow> {
  const [row] = await rowsOf<DashboardNow>(
    db,
    sql`
    select (select count(distinct l.user_id)::int from login_session l where l.last_seen_at >= ${since}) as "Online",
           (select count(distinct u.user_id)::int from usage u where u.ended_at is null) as "WithEnvironment",
           (select count(*)::int from user_account a where a.apply_status = 1) as "TeacherApplications",
           (select count(*)::int from suggestion s where s.status = 1) as "OpenSuggestions"`,
  );
  if (!row) throw new Error('nothing was counted');
  return row;
}
