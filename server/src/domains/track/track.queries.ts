import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { trackHours, trackRecords, trackVisits } from './track.schema.ts';

export interface TrackRecord {
  readonly at: Date;
  readonly type: number;
  readonly fields: readonly number[];
  readonly sessionID: string;
  readonly userID: number | null;
  readonly url: string;
  readonly fromURL: string;
}

/** Writes many records in one statement. Arrays of arrays must be as long as each other, so fields go as text. */
export async function insertRecords(db: Executor, records: readonly TrackRecord[]): Promise<void> {
  await db.execute(sql`
    insert into ${trackRecords} (at, type, fields, session_id, user_id, url, from_url)
    select r.at, r.type, r.fields::integer[], r.session_id, r.user_id, r.url, r.from_url
      from unnest(
        ${sql.param(records.map(({ at }) => at.toISOString()))}::timestamptz[],
        ${sql.param(records.map(({ type }) => type))}::smallint[],
        ${sql.param(records.map(({ fields }) => `{${fields.join(',')}}`))}::text[],
        ${sql.param(records.map(({ sessionID }) => sessionID))}::text[],
        ${sql.param(records.map(({ userID }) => userID))}::integer[],
        ${sql.param(records.map(({ url }) => url))}::text[],
        ${sql.param(records.map(({ fromURL }) => fromURL))}::text[]
      ) as r (at, type, fields, session_id, user_id, url, from_url)`);
}

const LOCK = 7_211_004;

/** Holds the rolling up for this transaction. @returns whether no other process has it */
export async function holdRollUp(db: Executor): Promise<boolean> {
  const { rows } = await db.execute(sql`select pg_try_advisory_xact_lock(${LOCK}) as held`);
  return rows[0]?.['held'] === true;
}

/** Makes the partition of a month, unless it is there. */
export async function ensurePartition(db: Executor, month: Date): Promise<void> {
  const from = `${month.toISOString().slice(0, 7)}-01`;
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
  const until = next.toISOString().slice(0, 10);
  const name = `track_record_${from.slice(0, 7).replace('-', '_')}`;
  // Names and dates are made of numbers here; a statement of this kind takes no parameters.
  await db.execute(
    sql.raw(
      `create table if not exists "${name}" partition of track_record for values from ('${from} 00:00:00+00') to ('${until} 00:00:00+00')`,
    ),
  );
}

/** Drops the partitions that end before a moment, and what of the first weeks lies outside of them. */
export async function dropBefore(db: Executor, before: Date): Promise<void> {
  const { rows } = await db.execute(sql`
    select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'track_record'::regclass and c.relname ~ '^track_record_\\d{4}_\\d{2}$'`);
  const limit = before.toISOString().slice(0, 7).replace('-', '_');
  for (const { name } of rows) {
    if (String(name).slice('track_record_'.length) < limit)
      await db.execute(sql.raw(`drop table "${String(name)}"`));
  }
  await db.execute(sql`delete from track_record_rest where at < ${before}`);
}

/** The hour from which on records may not be rolled up yet: the last one known, or the first record's. */
export async function findRollUpStart(db: Executor): Promise<Date | null> {
  const { rows } = await db.execute(sql`
    select coalesce((select max(hour) from track_hour), (select min(at) from track_record)) as start`);
  const [row] = rows as unknown as { start: Date | string | null }[];
  return row?.start == null ? null : new Date(row.start);
}

/** A page that stays open tells so every minute; after a longer silence it is looked at again. */
const SILENCE_MS = 90_000;

/** Rolls up the hours of a stretch, anew. */
export async function rollUp(db: Executor, from: Date, until: Date): Promise<void> {
  await db.execute(sql`delete from track_hour where hour >= ${from} and hour < ${until}`);
  const before = new Date(from.getTime() - SILENCE_MS);
  await db.execute(sql`
    with told as (
      select date_trunc('hour', at) as hour, type / 100 as module, coalesce(user_id, 0) as user_id, session_id, at,
             lag(at) over (partition by session_id, type / 100, url order by at) as told_before
        from track_record
       where at >= ${before} and at < ${until}
    ), record as (
      -- Arriving, each minute and leaving are told: all of them together are one view.
      select hour, module, user_id, session_id, at,
             (told_before is null or at - told_before > ${SILENCE_MS}::int * interval '1 millisecond') as is_view
        from told
       where at >= ${from}
    ), minute as (
      -- Two tabs, or two pages within a minute, are one minute: of the page that was looked at last.
      select distinct on (user_id, date_trunc('minute', at)) user_id, hour, module
        from record
       where user_id > 0
       order by user_id, date_trunc('minute', at), at desc
    ), counted as (
      select hour, module, user_id, count(*) filter (where is_view) as views, count(distinct session_id) as sessions
        from record group by 1, 2, 3
    ), looked as (
      select hour, module, user_id, count(*) as minutes from minute group by 1, 2, 3
    )
    insert into track_hour (hour, module, user_id, views, sessions, minutes)
    select c.hour, c.module, c.user_id, c.views, c.sessions, coalesce(l.minutes, 0)
      from counted c left join looked l using (hour, module, user_id)`);
}

/**
 * Notes which labs and tasks were looked at within a stretch; doing it again changes nothing. Ids
 * come from browsers, so only what exists is kept.
 */
export async function noteVisits(db: Executor, from: Date, until: Date): Promise<void> {
  await db.execute(sql`
    insert into ${trackVisits} (user_id, lab_id, task_id, last_at)
    select r.user_id, l.id, coalesce(k.id, 0), max(r.at)
      from track_record r
      join user_account a on a.id = r.user_id
      join lab l on l.id = r.fields[1]
      left join lab_task k on k.id = r.fields[2] and k.lab_id = l.id
     where r.at >= ${from} and r.at < ${until} and r.type between 100 and 199
     group by 1, 2, 3
    on conflict (user_id, lab_id, task_id)
    do update set last_at = greatest(track_visit.last_at, excluded.last_at)`);
}

/** A lab as somebody's next step. */
export interface NextLabRow {
  readonly id: number;
  readonly type: number;
  readonly title_zh: string;
  readonly title_en: string;
  readonly minutes: number;
  readonly tasks: number;
}
/** One that was begun. */
export interface BegunLabRow extends NextLabRow {
  readonly opened: number;
  readonly last_at: Date | string;
  readonly task_id: number;
  readonly task_zh: string;
  readonly task_en: string;
}

/** What a user looked at: pages that were told, and environments, which a browser cannot hide. */
const seenBy = (userID: number): SQL => sql`
  select v.lab_id, v.task_id, v.last_at from track_visit v where v.user_id = ${userID}
  union all
  select u.lab_id, coalesce(u.task_id, 0), u.created_at from usage u
   where u.user_id = ${userID} and u.lab_id is not null`;

/** Published labs of which a task was opened and another one was not, the last one first. */
export async function listBegun(
  db: Executor,
  userID: number,
  limit: number,
): Promise<BegunLabRow[]> {
  const { rows } = await db.execute(sql`
    with seen as (${seenBy(userID)}), task as (
      select k.id, k.lab_id, k.minutes, k.title_zh, k.title_en,
             row_number() over (partition by k.lab_id order by k.sequence, k.id) as place,
             exists (select 1 from seen s where s.lab_id = k.lab_id and s.task_id = k.id) as is_opened
        from lab_task k where k.lab_id in (select s.lab_id from seen s)
    ), begun as (
      select t.lab_id, sum(t.minutes)::int as minutes, count(*)::int as tasks,
             count(*) filter (where t.is_opened)::int as opened,
             min(t.place) filter (where not t.is_opened) as next
        from task t group by 1
    )
    select l.id, l.type, l.title_zh, l.title_en, b.minutes, b.tasks, b.opened,
           t.id as task_id, t.title_zh as task_zh, t.title_en as task_en,
           (select max(s.last_at) from seen s where s.lab_id = l.id) as last_at
      from begun b
      join lab l on l.id = b.lab_id and l.is_published
      join task t on t.lab_id = b.lab_id and t.place = b.next
     where b.opened > 0
     order by last_at desc, l.id limit ${limit}`);
  return rows as unknown as BegunLabRow[];
}

/**
 * Published labs never looked at: those first that share the most tags with what was studied, then
 * those of the same domain, then in the catalogue's order.
 */
export async function listFresh(
  db: Executor,
  userID: number,
  limit: number,
): Promise<NextLabRow[]> {
  const { rows } = await db.execute(sql`
    with seen as (select distinct s.lab_id from (${seenBy(userID)}) s), studied as (
      select distinct g.tag_id from lab_tag g join seen s using (lab_id)
    )
    select l.id, l.type, l.title_zh, l.title_en,
           coalesce((select sum(k.minutes) from lab_task k where k.lab_id = l.id), 0)::int as minutes,
           (select count(*) from lab_task k where k.lab_id = l.id)::int as tasks
      from lab l
     where l.is_published and l.id not in (select s.lab_id from seen s)
     order by (select count(*) from lab_tag g join studied d using (tag_id) where g.lab_id = l.id) desc,
              (l.domain_id in (select o.domain_id from lab o join seen s on s.lab_id = o.id
                                where o.domain_id is not null)) desc nulls last,
              l.sequence, l.id
     limit ${limit}`);
  return rows as unknown as NextLabRow[];
}

/** Minutes by day, in a time zone, and module. */
export async function listStudy(
  db: Executor,
  userID: number,
  since: Date,
  zone: string,
): Promise<{ day: string; module: number; minutes: number }[]> {
  const { rows } = await db.execute(sql`
    select to_char(hour at time zone ${zone}, 'YYYY-MM-DD') as day, module, sum(minutes)::int as minutes
      from ${trackHours}
     where user_id = ${userID} and hour >= ${since}
     group by 1, 2`);
  return rows as unknown as { day: string; module: number; minutes: number }[];
}

/** Every day with study, newest first, for the streaks. */
export async function listStudyDays(db: Executor, userID: number, zone: string): Promise<string[]> {
  const { rows } = await db.execute(sql`
    select distinct to_char(hour at time zone ${zone}, 'YYYY-MM-DD') as day
      from track_hour where user_id = ${userID} and minutes > 0 order by 1 desc`);
  return rows.map(({ day }) => String(day));
}
