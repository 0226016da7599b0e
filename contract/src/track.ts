/** Tracking of pages, and what a learner's own study time is made of. */
import { z } from 'zod';
import { COUNT_LIMITS, LabType, SessionType, TRACK_MODULES, id, route } from './kernel/index.ts';

const repeated = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value) => [value].flat())
  .pipe(
    z
      .array(z.coerce.number<string | number>().int().min(0).max(2_147_483_647))
      .max(COUNT_LIMITS.trackingFields),
  );

export const recordTrack = route({
  method: 'POST',
  path: '/track',
  summary: 'A page is looked at: on arrival, every 60 s, and when it is left',
  access: { need: ['tracking.record'] },
  form: true,
  body: {
    /** The module in hundreds: lab 100s, course 200s, software 300s, … */
    Type: z.coerce.number<string | number>().int().min(100).max(699),
    /** Up to three numbers of the address, such as the lab and the task. */
    Field: repeated.default([]),
    /** Random, made by the tab; not the login. */
    SessionId: z.string().regex(/^[\w-]{8,64}$/),
    URL: z.string().max(300).default(''),
    FromURL: z.string().max(300).default(''),
    /** Of the specification; who it was is taken from the login alone. */
    UserId: z.string().max(20).optional(),
  },
  response: z.null(),
  status: 202,
  errors: ['too_many_requests'],
  scope: {},
});

const minutes = z.int().nonnegative();

export const studyStatistics = z.object({
  /** One for each of the days asked for, oldest first, also those without study. */
  Days: z.array(
    z.object({
      Day: z.iso.date(),
      Minutes: minutes,
      /** Problems that were solved for the first time. */
      Solved: z.int().nonnegative(),
    }),
  ),
  /** Over the same days. */
  Modules: z.array(z.object({ Module: z.enum(TRACK_MODULES), Minutes: minutes })),
  TotalMinutes: minutes,
  /** Days in a row with study, up to today or yesterday. */
  Streak: z.int().nonnegative(),
  LongestStreak: z.int().nonnegative(),
  /** Problems solved, over the same days and in all. */
  Problems: z.object({ Solved: z.int().nonnegative(), SolvedEver: z.int().nonnegative() }),
  /** Environments that became ready over the same days, and how long they ran, of each kind. */
  Environments: z.array(
    z.object({ Type: z.enum(SessionType), Count: z.int().nonnegative(), Minutes: minutes }),
  ),
});
export type StudyStatistics = z.output<typeof studyStatistics>;

export const getStudyStatistics = route({
  method: 'GET',
  path: '/statistics/study',
  summary: 'One’s own study time by day and module',
  access: { need: ['statistics.own'] },
  query: { days: z.coerce.number<string | number>().int().min(7).max(366).default(30) },
  response: studyStatistics,
  errors: [],
  scope: {},
});

const studyLab = z.object({
  ID: id(),
  Type: z.enum(LabType),
  Title: z.string(),
  Minutes: minutes,
  TaskCount: z.int().nonnegative(),
});

export const studyNext = z.object({
  /** Labs begun of which a task was never opened, the last one first. */
  Begun: z.array(
    studyLab.extend({
      /** Tasks that were opened. */
      Opened: z.int().nonnegative(),
      /** The first one that was not. */
      Task: z.object({ ID: id(), Title: z.string() }),
      LastAt: z.iso.datetime(),
    }),
  ),
  /** Labs never looked at, those first that share the most with what was studied. */
  Fresh: z.array(studyLab),
});
export type StudyNext = z.output<typeof studyNext>;

export const getStudyNext = route({
  method: 'GET',
  path: '/statistics/next',
  summary: 'Where to go on: labs begun and not finished, and those that come close to them',
  access: { need: ['statistics.own'] },
  response: studyNext,
  errors: [],
  scope: {},
});
