/**
 * Tracking: views are gathered for a moment and written together, rolled up by hour, and dropped
 * by month. A process that is killed loses the views of that moment and nothing else.
 */
import {
  TRACK_MODULES,
  type Language,
  type StudyNext,
  type StudyStatistics,
} from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { inLanguage } from '../../platform/language.ts';
import { readSolved } from '../problem/problem.service.ts';
import * as queries from './track.queries.ts';

const FLUSH_MS = 500;
/** Written at once, without waiting for the moment to pass. */
const BATCH = 1000;
/** More than this waits only when the database does not answer. */
const WAITING_MAX = 50_000;
const DAY_MS = 24 * 3600 * 1000;
/** Labs that are offered as next, of each kind. */
const NEXT_LABS = 3;

export interface TrackService {
  /** @throws DomainError `too_many_requests` when the database cannot follow */
  record(record: Omit<queries.TrackRecord, 'at'>): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  /** Rolls up, makes the next partitions and drops old ones. Run by the worker. */
  work(): Promise<void>;
  study(userID: number, days: number): Promise<Omit<StudyStatistics, 'Environments'>>;
  /** Where a learner goes on. */
  next(userID: number, language: Language): Promise<StudyNext>;
  close(): Promise<void>;
}

export interface TrackOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** IANA name of the calendar in which days begin and end. */
  readonly zone: string;
  /** How many days single views are kept; it may change. */
  readonly keepDays: () => number;
  readonly onError: (error: unknown) => void;
}

/** A day of the calendar, `days` after another. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Days in a row.
 * @param days with study, newest first
 */
export function streaks(
  days: readonly string[],
  today: string,
): { streak: number; longest: number } {
  let longest = 0;
  let run = 0;
  let streak = 0;
  let isCurrent = days[0] !== undefined && days[0] >= dayAfter(today, -1);
  days.forEach((day, index) => {
    const before = days[index - 1];
    if (before !== undefined && dayAfter(day, 1) !== before) {
      isCurrent = false;
      run = 0;
    }
    run += 1;
    if (isCurrent) streak = run;
    longest = Math.max(longest, run);
  });
  return { streak, longest };
}

export function createTrackService(options: TrackOptions): TrackService {
  const { database, clock, zone } = options;
  let waiting: queries.TrackRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        await queries.insertRecords(database, batch);
        waiting = waiting.slice(batch.length);
      }
    });
    const done = writing;
    // The next try comes with the next record.
    writing = writing.catch(() => undefined);
    return done;
  };

  /** Day by day, so that no statement takes long, however long nobody rolled up. */
  async function rollUpUntil(first: Date, now: Date): Promise<void> {
    for (let from = first; from <= now; from = new Date(from.getTime() + DAY_MS)) {
      const until = new Date(from.getTime() + DAY_MS);
      const isHeld = await database.transaction(async (tx) => {
        if (!(await queries.holdRollUp(tx))) return false;
        await queries.rollUp(tx, from, until);
        await queries.noteVisits(tx, from, until);
        return true;
      });
      // Another process is at it.
      if (!isHeld) return;
    }
  }

  const dayOf = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

  return {
    record(record) {
      if (waiting.length >= WAITING_MAX)
        throw new DomainError('too_many_requests', { RetryAfterSeconds: 60 });
      waiting.push({ ...record, at: clock.now() });
      if (waiting.length === BATCH) void flush().catch(options.onError);
      else timer ??= setTimeout(() => void flush().catch(options.onError), FLUSH_MS).unref();
    },

    flush,

    async work() {
      await flush();
      const now = clock.now();
      const start = await queries.findRollUpStart(database);
      if (start) {
        // The hour before may have got a late one.
        const from = new Date(start.getTime() - 3_600_000);
        from.setUTCMinutes(0, 0, 0);
        await rollUpUntil(from, now);
      }
      // Ahead of time: a month must not have begun when its partition is made.
      const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
      await queries.ensurePartition(database, next);
      await queries.dropBefore(database, new Date(now.getTime() - options.keepDays() * DAY_MS));
    },

    async study(userID, days) {
      const now = clock.now();
      const today = dayOf.format(now);
      const first = dayAfter(today, 1 - days);
      // A day of the calendar begins up to 14 hours before or after the one of UTC.
      const since = new Date(Date.parse(`${first}T00:00:00Z`) - DAY_MS);
      const [rows, studied, solved] = await Promise.all([
        queries.listStudy(database, userID, since, zone),
        queries.listStudyDays(database, userID, zone),
        readSolved(database, userID, since, zone),
      ]);
      const shown = rows.filter(({ day }) => day >= first && day <= today);
      const sumOf = (matches: (row: (typeof shown)[number]) => boolean): number =>
        shown.filter(matches).reduce((sum, { minutes }) => sum + minutes, 0);
      const { streak, longest } = streaks(studied, today);
      const Days = Array.from({ length: days }, (_unused, index) => {
        const Day = dayAfter(first, index);
        return { Day, Minutes: sumOf(({ day }) => day === Day), Solved: solved.days.get(Day) ?? 0 };
      });
      return {
        Days,
        Problems: {
          Solved: Days.reduce((sum, { Solved }) => sum + Solved, 0),
          SolvedEver: solved.ever,
        },
        Modules: TRACK_MODULES.map((Module, index) => ({
          Module,
          Minutes: sumOf(({ module }) => module === index + 1),
        })),
        TotalMinutes: sumOf(() => true),
        Streak: streak,
        LongestStreak: longest,
      };
    },

    async next(userID, language) {
      const [begun, fresh] = await Promise.all([
        queries.listBegun(database, userID, NEXT_LABS),
        queries.listFresh(database, userID, NEXT_LABS),
      ]);
      const present = (row: queries.NextLabRow): StudyNext['Fresh'][number] => ({
        ID: row.id,
        Type: row.type as StudyNext['Fresh'][number]['Type'],
        Title: inLanguage(language, row.title_zh, row.title_en),
        Minutes: row.minutes,
        TaskCount: row.tasks,
      });
      return {
        Begun: begun.map((row) => ({
          ...present(row),
          Opened: row.opened,
          Task: { ID: row.task_id, Title: inLanguage(language, row.task_zh, row.task_en) },
          LastAt: new Date(row.last_at).toISOString(),
        })),
        Fresh: fresh.map(present),
      };
    },

    async close() {
      await flush().catch(options.onError);
    },
  };
}
